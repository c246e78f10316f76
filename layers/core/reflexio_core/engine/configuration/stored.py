"""The configuration in the store: the current one, and each version as publications were admitted under it."""

import json
from functools import cache, lru_cache
from typing import Any

from reflexio.models.config import Config
from reflexio_core.engine.context import Engine
from reflexio_core.errors import ConditionFailed, ConfigWriteConflict, NotFound
from reflexio_core.ports.store import Absent, Item, Put, VersionIs


def load_config(engine: Engine, tenant: str) -> tuple[Config, int]:
    """The current configuration and its version; version 0 is the defaults, before anything was stored."""
    item = engine.store.get(engine.keys(tenant).config())
    return (_defaults(), 0) if item is None else (_config_of(item), item.version)


def config_at(engine: Engine, tenant: str, version: int) -> Config:
    """The configuration as it was in that version. Raises ``NotFound`` for a version that was never stored."""
    if version == 0:
        return _defaults()
    item = engine.store.get(engine.keys(tenant).config_version(version))
    if item is None:
        raise NotFound(f"the configuration has no version {version}")
    return _config_of(item)


def store_config(engine: Engine, tenant: str, config: Config, over: int) -> None:
    """Store the version after ``over`` and make it current. Raises ``ConfigWriteConflict`` if ``over`` is no longer."""
    keys = engine.keys(tenant)
    body: dict[str, Any] = {"config": config.model_dump(mode="json")}
    try:
        engine.store.commit(
            [
                Put(Item(keys.config(), body, version=over + 1), VersionIs(over) if over else Absent()),
                Put(Item(keys.config_version(over + 1), body), Absent()),
            ]
        )
    except ConditionFailed:
        raise ConfigWriteConflict(
            "somebody else changed the configuration at the same time; read it again and repeat the change"
        ) from None


def _config_of(item: Item) -> Config:
    return _parsed(json.dumps(item.body["config"], sort_keys=True))


@cache
def _defaults() -> Config:
    return Config()


@lru_cache(maxsize=256)
def _parsed(text: str) -> Config:
    """Every publication needs its tenant's configuration, and making the model costs more than reading the item."""
    return Config.from_stored(json.loads(text))
