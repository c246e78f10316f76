"""Credentials inside a configuration: shown masked, and kept when the mask comes back."""

from typing import Any

MASK = "********"

_SECTIONS = ("api_key_config", "storage_config", "playbook_optimizer_config", "pending_tool_call_config")
_SECRETS = frozenset({"api_key", "key", "read_key", "db_url", "read_db_url", "webhook_auth_header", "hmac_secrets"})
_SHOWN = 4
_LONG_ENOUGH_TO_SHOW = 16
"""The last characters tell keys apart; of a short secret they would give away too much."""


class UnknownMaskError(ValueError):
    """A mask stands where no secret is stored that it could stand for. ``path`` leads to it."""

    def __init__(self, path: tuple[str, ...]) -> None:
        super().__init__("a masked value keeps the stored secret, but none is stored here that looks so")
        self.path = path


def masked(config: dict[str, Any]) -> dict[str, Any]:
    """A dumped configuration with every credential replaced by its mask."""
    return {name: _masked(section) if name in _SECTIONS else section for name, section in config.items()}


def unmasked(config: dict[str, Any], stored: dict[str, Any]) -> dict[str, Any]:
    """A configuration as a caller sent it, with masks replaced by the secrets that ``stored`` holds in their place.

    Raises ``UnknownMaskError``.
    """
    return {
        name: _unmasked(section, stored.get(name), (name,)) if name in _SECTIONS else section
        for name, section in config.items()
    }


def _mask(secret: str) -> str:
    return MASK + (secret[-_SHOWN:] if len(secret) >= _LONG_ENOUGH_TO_SHOW else "")


def _masked(value: Any, *, secret: bool = False) -> Any:
    if isinstance(value, dict):
        return {name: _masked(inner, secret=secret or name in _SECRETS) for name, inner in value.items()}
    if isinstance(value, list):
        return [_masked(inner, secret=secret) for inner in value]
    return _mask(value) if secret and isinstance(value, str) else value


def _unmasked(value: Any, stored: Any, path: tuple[str, ...]) -> Any:
    if isinstance(value, dict):
        inside = stored if isinstance(stored, dict) else {}
        return {name: _unmasked(inner, inside.get(name), (*path, str(name))) for name, inner in value.items()}
    if isinstance(value, list):
        # A list has no names: a mask may stand for any secret of the stored list.
        return [_unmasked(inner, stored, (*path, str(position))) for position, inner in enumerate(value)]
    if not isinstance(value, str) or not value.startswith(MASK):
        return value
    for candidate in stored if isinstance(stored, list) else [stored]:
        if isinstance(candidate, str) and _mask(candidate) == value:
            return candidate
    raise UnknownMaskError(path)
