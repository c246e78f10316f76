"""Doubles of the inference session: what ran, and when it may go on."""

import threading
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reflexio_core.adapters.onnx.encoder import Feeds
from reflexio_core.adapters.onnx.session import RuntimeSession

PATIENCE = 20.0
"""Seconds after which a test that waits for another thread has failed."""


class SpySession:
    """The real session; ``runs`` holds the attention mask of each run.

    While ``gate`` is clear, a run hangs; ``entered`` counts those that began. ``error`` is raised by every run.
    """

    def __init__(self) -> None:
        self.runs: list[NDArray[np.int64]] = []
        self.gate = threading.Event()
        self.gate.set()
        self.entered = threading.Semaphore(0)
        self.error: Exception | None = None
        self.opened: list[tuple[Path, int]] = []
        self.input_names: tuple[str, ...] = ()

    def open(self, weights: Path, threads: int) -> "SpySession":
        """An ``OpenSession``."""
        self.opened.append((weights, threads))
        self._real = RuntimeSession(weights, threads)
        self.input_names = self._real.input_names
        return self

    def run(self, feeds: Feeds) -> NDArray[np.float32]:
        """See ``encoder.Session.run``."""
        self.entered.release()
        if not self.gate.wait(PATIENCE):
            raise AssertionError("the gate was never opened")
        self.runs.append(feeds["attention_mask"])
        if self.error:
            raise self.error
        return self._real.run(feeds)

    def wait_until_entered(self) -> None:
        """Wait for one more run to begin."""
        assert self.entered.acquire(timeout=PATIENCE)
