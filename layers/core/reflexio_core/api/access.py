"""Who is calling: a tenant and scopes, from the headers and the peer's address alone.

Nothing in a body, a path or a query names a tenant.
"""

import hmac
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from reflexio_core.api.loopback import is_loopback_address, is_loopback_host, is_loopback_name, is_loopback_origin
from reflexio_core.api.settings import AccessSettings
from reflexio_core.errors import AccessDenied, ReflexioError

PROXY_HEADERS = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""A proxy that adds one of these hides the real peer."""


class Scope(StrEnum):
    """What a key allows. ``admin`` is for the whole tenant: configuration, listings across users, mass deletes."""

    PUBLISH = "publish"
    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Caller:
    """The tenant that a request acts for, and what it may do there."""

    tenant: str
    scopes: frozenset[Scope]

    def require(self, scope: Scope) -> None:
        """Raises ``ScopeMissing`` if this caller may not do that."""
        if scope not in self.scopes:
            raise ScopeMissing(f"this key lacks the scope {scope.value!r}")


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a request shows of its sender. Header names are in lower case, values are raw bytes.

    ``peer`` is the address of the other end, or None where there is no network between (in-process calls).
    """

    headers: tuple[tuple[bytes, bytes], ...]
    peer: str | None

    def all(self, name: str) -> list[bytes]:
        """Every value of a header, in order."""
        wanted = name.encode()
        return [value for header, value in self.headers if header == wanted]


class ScopeMissing(AccessDenied):
    """A valid key without the scope that the route needs."""

    code = "scope_missing"


class UnsafeListen(ReflexioError):
    """Listening beyond this machine without a key would give everyone on the network all data."""

    code = "unsafe_listen"


class Authenticator(Protocol):
    """Turns credentials into a caller. Raises ``AccessDenied``."""

    async def caller(self, credentials: Credentials) -> Caller:
        """The caller; must not block the event loop."""
        ...


@dataclass(frozen=True, slots=True)
class LoopbackOnly:
    """No key: everything is allowed from this machine, nothing from elsewhere.

    The Host header must name this machine too, or a web page could reach the service by pointing its own domain at
    127.0.0.1; so must the Origin of a page that sends one.
    """

    tenant: str

    async def caller(self, credentials: Credentials) -> Caller:
        """See ``Authenticator.caller``."""
        if not _is_local(credentials):
            raise AccessDenied("Authentication required")
        return Caller(self.tenant, frozenset(Scope))


@dataclass(frozen=True, slots=True)
class SharedKey:
    """One key, with every scope. It is needed from this machine too."""

    tenant: str
    api_key: str

    async def caller(self, credentials: Credentials) -> Caller:
        """See ``Authenticator.caller``."""
        shown = _bearer(credentials)
        if shown is None or not self._matches(shown):
            raise AccessDenied("Authentication required")
        return Caller(self.tenant, frozenset(Scope))

    def _matches(self, shown: bytes) -> bool:
        # Header bytes are UTF-8 from some clients, Latin-1 from others. Both are compared every time, so that the
        # duration says nothing about the key.
        as_utf8 = self.api_key.encode("utf-8", "surrogateescape")
        as_latin = self.api_key.encode("latin-1", "replace") if _fits_latin(self.api_key) else as_utf8
        matches = [hmac.compare_digest(shown, expected) for expected in (as_utf8, as_latin)]
        return any(matches)


def standalone_authenticator(settings: AccessSettings) -> Authenticator:
    """The rule of a server with at most one key."""
    if settings.api_key is None:
        return LoopbackOnly(settings.tenant)
    return SharedKey(settings.tenant, settings.api_key)


def refuse_unsafe_listen(host: str, api_key: str | None) -> None:
    """Raises ``UnsafeListen`` if ``host`` can be reached from elsewhere and no key is set."""
    if not (api_key or "").strip() and not is_loopback_name(host):
        raise UnsafeListen(
            f"refusing to listen on {host or 'every address'!r} without a key: set REFLEXIO_API_KEY, "
            "or listen on 127.0.0.1"
        )


def _bearer(credentials: Credentials) -> bytes | None:
    shown = credentials.all("authorization")
    if len(shown) != 1:
        return None
    scheme, _, key = shown[0].strip().partition(b" ")
    return key.strip() or None if scheme.lower() == b"bearer" else None


def _fits_latin(text: str) -> bool:
    return all(ord(character) < 256 for character in text)


def _is_local(credentials: Credentials) -> bool:
    hosts = credentials.all("host")
    return (
        (credentials.peer is None or is_loopback_address(credentials.peer))
        and bool(hosts)
        and all(is_loopback_host(value.decode("latin-1")) for value in hosts)
        and not any(credentials.all(name) for name in PROXY_HEADERS)
        and all(is_loopback_origin(value.decode("latin-1")) for value in credentials.all("origin"))
    )
