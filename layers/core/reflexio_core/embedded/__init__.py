"""The engine in one process: SQLite, threads and a local model in place of the cloud.

from reflexio_core.embedded import Embedded

with Embedded(data="notes") as reflexio:
    reflexio.client.publish_interaction("alice", turns, session_id="s-1", session_finished=True)
    found = reflexio.client.search(query="deployment region", user_id="alice")
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reflexio_core.embedded.in_process import Embedded
    from reflexio_core.embedded.settings import EmbeddedSettings
    from reflexio_core.embedded.wiring import Runtime, build_engine

__all__ = ["Embedded", "EmbeddedSettings", "Runtime", "build_engine"]

_HOMES = {
    "Embedded": "reflexio_core.embedded.in_process",
    "EmbeddedSettings": "reflexio_core.embedded.settings",
    "Runtime": "reflexio_core.embedded.wiring",
    "build_engine": "reflexio_core.embedded.wiring",
}


def __getattr__(name: str) -> Any:
    """Load an exported name when it is first asked for: the commands that only look at a service need none."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
