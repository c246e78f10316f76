"""An engine over doubles: no file, no socket, no model; time and ids stand still."""

from typing import Any, cast

from reflexio_core.engine.context import Engine, EngineSettings
from reflexio_core.ports.llm import Llm

from tests.doubles.memory_store import MemoryStore
from tests.doubles.ports import CountingIds, DictBlobs, FixedClock, HashInference, ListQueue, RecordingIndex

TENANT = "acme"


def make_engine(**overrides: Any) -> Engine:
    """An engine with a double behind every port; ``overrides`` replace ports or ``settings`` by name."""
    parts: dict[str, Any] = {
        "store": MemoryStore(),
        "blobs": DictBlobs(),
        "queue": ListQueue(),
        "index": RecordingIndex(),
        "inference": HashInference(),
        "clock": FixedClock(),
        "ids": CountingIds(),
        "settings": EngineSettings(
            owner="test", exclusive=True, storage_type="memory", storage_label="memory of the test"
        ),
    }
    parts.update(overrides)
    if "llm" not in parts:
        parts["llm"] = _offline_llm()
    return Engine(**parts)


def _offline_llm() -> Llm:
    try:
        from reflexio_core.adapters.offline import OfflineLlm
    except ImportError:
        return cast("Llm", None)
    return cast("Llm", OfflineLlm())
