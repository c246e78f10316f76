"""The configuration as the wire reads and changes it."""

from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from reflexio.models.config import Config
from reflexio_core.engine.configuration.secrets import UnknownMaskError, masked, unmasked
from reflexio_core.engine.configuration.stored import load_config, store_config
from reflexio_core.engine.context import Engine
from reflexio_core.errors import Conflict, InvalidConfiguration

JsonAnswer = dict[str, Any]

_EXPERIMENTS = ("retrieval_experiment_config", "retrieval_experiment_history")

_MERGE_ERROR = "The changes do not make a valid configuration"
_MERGE_HINT = (
    "Top-level keys are merged; a nested object replaces the stored one as a whole. To change one nested field, read "
    "the configuration with get_config, edit it and send it back with set_config."
)
_REPLACE_ERROR = "This is not a valid configuration"
_REPLACE_HINT = (
    "set_config replaces everything: start from the answer of get_config. storage_config must be present; null or {} "
    "keeps the store that the service runs on."
)


def get_config(engine: Engine, tenant: str) -> JsonAnswer:
    """The whole configuration with credentials masked; nulls are kept, so that it can be edited and sent back."""
    config, _ = load_config(engine, tenant)
    return masked(_dumped(config))


def set_config(engine: Engine, tenant: str, config: dict[str, Any]) -> JsonAnswer:
    """Replace the configuration. A masked credential keeps the stored one.

    Raises:
        InvalidConfiguration: it does not fit; the detail names each place.
        Conflict: it would change a retrieval experiment, which has routes of its own.
        ConfigWriteConflict: somebody else changed it meanwhile.
    """
    current, version = load_config(engine, tenant)
    if "storage_config" not in config:
        missing = {"type": "missing", "loc": ["storage_config"], "msg": "Field required"}
        raise InvalidConfiguration(_REPLACE_ERROR, _REPLACE_HINT, [missing])
    kept = {name: value for name, value in _dumped(current).items() if name in _EXPERIMENTS and name not in config}

    def replaced() -> Config:
        return Config.model_validate({**unmasked(config, _dumped(current)), **kept})

    changed = _validated(replaced, _REPLACE_ERROR, _REPLACE_HINT)
    return _stored(engine, tenant, current, changed, version)


def update_config(engine: Engine, tenant: str, changes: dict[str, Any]) -> JsonAnswer:
    """Replace some top-level keys; nested objects are replaced as a whole. A masked credential keeps the stored one.

    Raises as ``set_config``.
    """
    current, version = load_config(engine, tenant)

    def merged() -> Config:
        return current.updated(unmasked(changes, _dumped(current)))

    changed = _validated(merged, _MERGE_ERROR, _MERGE_HINT)
    return _stored(engine, tenant, current, changed, version)


def _stored(engine: Engine, tenant: str, current: Config, changed: Config, version: int) -> JsonAnswer:
    before, after = _dumped(current), _dumped(changed)
    if any(before[name] != after[name] for name in _EXPERIMENTS):
        raise Conflict("retrieval experiments cannot be changed through the configuration")
    if before == after:
        return {"success": True, "msg": "Configuration unchanged"}
    store_config(engine, tenant, changed, version)
    return {"success": True, "msg": "Configuration set successfully"}


def _validated(make: Callable[[], Config], error: str, hint: str) -> Config:
    problems: list[dict[str, Any]]
    try:
        return make()
    except UnknownMaskError as unknown:
        problems = [{"type": "value_error", "loc": list(unknown.path), "msg": str(unknown)}]
    except ValidationError as invalid:
        # Without the inputs: they may be credentials.
        found = invalid.errors(include_url=False, include_context=False, include_input=False)
        problems = [{"type": problem["type"], "loc": list(problem["loc"]), "msg": problem["msg"]} for problem in found]
    raise InvalidConfiguration(error, hint, problems)


def _dumped(config: Config) -> dict[str, Any]:
    return config.model_dump(mode="json")
