"""An engine over doubles: no file, no socket, no model; time and ids stand still."""

import importlib
from typing import Any

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
        "settings": EngineSettings(
            owner="test", exclusive=True, storage_type="memory", storage_label="memory of the test"
        ),
    }
    parts.update(overrides)
    parts.setdefault("llm", _offline_llm())
    return Engine(**parts)


def _offline_llm() -> Any:
    try:
        module = importlib.import_module("reflexio_core.adapters.offline")
    except ModuleNotFoundError:
        return None
    learner = getattr(module, "OfflineLlm", None)
    return learner() if learner is not None else None
