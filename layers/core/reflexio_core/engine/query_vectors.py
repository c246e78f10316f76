"""Embeddings of queries asked a moment ago, so that the same question is not embedded again."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from reflexio_core.ports.inference import Inference, Vector

MOST_ENTRIES = 1024
LIFETIME_SECONDS = 300.0
"""Agents ask again within a conversation, not the next day; at 384 dimensions a full cache holds about 12 MB."""


class QueryVectors:
    """A cache of query embeddings by model and text, least recently asked out first. Any number of threads."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._entries: OrderedDict[tuple[str, str], tuple[float, Vector]] = OrderedDict()

    def embed(self, inference: Inference, text: str, timeout_seconds: float) -> Vector:
        """The query's vector. Raises ``InferenceUnavailable``; a failure is not remembered."""
        name = (inference.contract.fingerprint, text)
        with self._lock:
            found = self._entries.get(name)
            if found is not None and found[0] > self._now():
                self._entries.move_to_end(name)
                return found[1]
        [vector] = inference.embed([text], "query", timeout_seconds)
        with self._lock:
            self._entries[name] = (self._now() + LIFETIME_SECONDS, vector)
            self._entries.move_to_end(name)
            while len(self._entries) > MOST_ENTRIES:
                self._entries.popitem(last=False)
        return vector
