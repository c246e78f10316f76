"""Where the service is and who calls, from arguments or the environment."""

import os
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from reflexio._exceptions import InvalidArgument

DEFAULT_URL = "http://127.0.0.1:8061"
"""The embedded service on this machine: never a third party's host."""


@dataclass(frozen=True, slots=True)
class Settings:
    """A service's address without a trailing slash, and the key to send, empty for none."""

    url: str
    api_key: str

    @property
    def is_loopback(self) -> bool:
        """Whether the service is on this machine."""
        host = urlsplit(self.url).hostname or ""
        if host == "localhost":
            return True
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return False


def resolve(url: str = "", api_key: str = "") -> Settings:
    """Argument, else ``REFLEXIO_URL`` and ``REFLEXIO_API_KEY``, else the embedded service without a key.

    Raises:
        InvalidArgument: the address is not an http or https URL.
    """
    address = (url or os.environ.get("REFLEXIO_URL", "") or DEFAULT_URL).strip().rstrip("/")
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # half of an IPv6 address, or a port that is none
        usable = False
    if not usable:
        raise InvalidArgument(f"the service's URL must look like {DEFAULT_URL}, got {address!r}")
    return Settings(address, (api_key or os.environ.get("REFLEXIO_API_KEY", "")).strip())
