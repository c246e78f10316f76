"""An engine over doubles: no file, no socket, no model; time and ids stand still."""

from typing import Any

from reflexio_core.adapters.offline import OfflineLlm
from reflexio_core.engine.context import Engine, EngineSettings
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
        "llm": OfflineLlm(),
        "settings": EngineSettings(
            owner="test", exclusive=True, storage_type="memory", storage_label="memory of the test"
        ),
    }
    parts.update(overrides)
    return Engine(**parts)
