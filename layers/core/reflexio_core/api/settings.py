"""Settings of the HTTP application, read once from the environment. A blank variable counts as unset."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

DEFAULT_TENANT = "self-host-org"
DEFAULT_MAX_BODY_BYTES = 10 * 1024 * 1024

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})


@dataclass(frozen=True, slots=True)
class AccessSettings:
    """Who may call. Without ``api_key`` only this machine may; ``tenant`` owns everything that callers reach.

    ``host`` is the address that the server listens on.
    """

    api_key: str | None = None
    tenant: str = DEFAULT_TENANT
    host: str = "127.0.0.1"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], host: str = "127.0.0.1") -> Self:
        """``REFLEXIO_API_KEY`` and ``REFLEXIO_DEFAULT_ORG_ID``."""
        return cls(
            api_key=_text(environment, "REFLEXIO_API_KEY"),
            tenant=_text(environment, "REFLEXIO_DEFAULT_ORG_ID") or DEFAULT_TENANT,
            host=host,
        )


@dataclass(frozen=True, slots=True)
class ApiSettings:
    """How much is accepted, and from which web pages.

    ``rate_limits`` None means: on where a key is set, off where only this machine can call. The slot counts bound the
    calls of one tenant that run at once; further ones queue for at most the given seconds.
    """

    max_body_bytes: int = DEFAULT_MAX_BODY_BYTES
    rate_limits: bool | None = None
    allowed_origins: tuple[str, ...] = ()
    block_private_urls: bool = False
    search_slots: int = 16
    search_queue_seconds: float = 2.0
    publish_slots: int = 32  # a store commits waiting publishers in one group; fewer slots would split the group
    publish_queue_seconds: float = 5.0

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """Each field from its ``REFLEXIO_...`` variable; ``ValueError`` names a variable that cannot be read."""
        default = cls()
        return cls(
            max_body_bytes=int(_number(environment, "REFLEXIO_MAX_BODY_BYTES", default.max_body_bytes)),
            rate_limits=_switch(environment, "REFLEXIO_RATE_LIMITS"),
            allowed_origins=_list(environment, "REFLEXIO_ALLOWED_ORIGINS") or _list(environment, "FRONTEND_URL"),
            block_private_urls=_switch(environment, "REFLEXIO_BLOCK_PRIVATE_URLS") or False,
            search_slots=int(_number(environment, "REFLEXIO_SEARCH_CONCURRENCY_LIMIT", default.search_slots)),
            search_queue_seconds=_number(
                environment, "REFLEXIO_SEARCH_CONCURRENCY_TIMEOUT_SECONDS", default.search_queue_seconds
            ),
            publish_slots=int(_number(environment, "REFLEXIO_PUBLISH_CONCURRENCY_LIMIT", default.publish_slots)),
            publish_queue_seconds=_number(
                environment, "REFLEXIO_PUBLISH_CONCURRENCY_TIMEOUT_SECONDS", default.publish_queue_seconds
            ),
        )


def _text(environment: Mapping[str, str], name: str) -> str | None:
    return environment.get(name, "").strip() or None


def _list(environment: Mapping[str, str], name: str) -> tuple[str, ...]:
    parts = (part.strip().rstrip("/") for part in environment.get(name, "").split(","))
    return tuple(part for part in parts if part)


def _number(environment: Mapping[str, str], name: str, default: float) -> float:
    text = _text(environment, name)
    if text is None:
        return default
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 1.0 <= number < 1e12:
        raise ValueError(f"{name} must be a number of at least 1, not {text!r}")
    return number


def _switch(environment: Mapping[str, str], name: str) -> bool | None:
    text = _text(environment, name)
    if text is None:
        return None
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise ValueError(f"{name} must be on or off, not {text!r}")
