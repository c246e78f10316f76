"""The real clock of a process that wants to stop within seconds, whoever sleeps in it."""

import threading
import time

from reflexio_core.errors import StoreUnavailable


class StoppableClock:
    """See ``ports.clock.Clock``. After ``stop`` nobody sleeps any more: a sleeper gets ``StoreUnavailable``.

    What sleeps is a bounded retry or a caller that waits for learning. Both are safe to repeat against the next
    process.
    """

    def __init__(self) -> None:
        self._stopping = threading.Event()

    def now(self) -> float:
        """Seconds since 1970, UTC."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Let that much time pass."""
        if self._stopping.wait(max(0.0, seconds)):
            raise StoreUnavailable("the service is stopping; repeat the call when it is back")

    def stop(self) -> None:
        """Wake every sleeper, now and from now on."""
        self._stopping.set()
