"""Where the commands of this machine find the service of a data folder."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from reflexio._settings import DEFAULT_URL

DEFAULT_DATA = "~/.reflexio"
STATE_FILE = "service.json"
"""A service writes it into its data folder when it is ready, and removes it when it stops."""

_EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - mapped to what can be called, not listened on


def service_url(environment: Mapping[str, str] = os.environ, data: Path | None = None) -> str:
    """The address to call: ``REFLEXIO_URL``; else the service that runs on the data folder (``data``, else
    ``REFLEXIO_DATA``); else ``REFLEXIO_HOST`` and ``REFLEXIO_PORT``; else the usual one.

    A data folder that was named goes before ``REFLEXIO_URL``.
    """
    named = environment.get("REFLEXIO_URL", "").strip()
    if data is None and named:
        return named
    return running_url(environment, data) or named or _configured_url(environment)


def running_url(environment: Mapping[str, str] = os.environ, data: Path | None = None) -> str | None:
    """Where the service of the data folder listens; None if none runs there."""
    folder = data or Path(environment.get("REFLEXIO_DATA", "").strip() or DEFAULT_DATA)
    try:
        state = json.loads((folder.expanduser() / STATE_FILE).read_bytes())
        url, pid = str(state["url"]), int(state["pid"])
        os.kill(pid, 0)
    except PermissionError:
        return None  # the folder, or the process that has the id now, belongs to somebody else
    except (OSError, OverflowError, ValueError, KeyError, TypeError):
        return None
    return url


def is_same_place(one: str, other: str) -> bool:
    """Whether two addresses lead to one service, as far as their spelling tells."""
    return _place(one) == _place(other)


def _configured_url(environment: Mapping[str, str]) -> str:
    usual = urlsplit(DEFAULT_URL)
    host = environment.get("REFLEXIO_HOST", "").strip() or str(usual.hostname)
    host = _EVERY_ADDRESS.get(host, host)
    port = environment.get("REFLEXIO_PORT", "").strip()
    # 0 asks for a free port, which only a service that runs can tell.
    port = port if port.isdecimal() and 0 < int(port) <= 65_535 else str(usual.port)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _place(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url.strip().rstrip("/"))
    host = parts.hostname or ""
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return "127.0.0.1" if host == "localhost" else host, parts.path, parts.port or usual
