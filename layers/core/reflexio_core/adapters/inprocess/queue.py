"""The Queue port in one process: a heap of due times. What it loses at exit the sweep finds in the store."""

import heapq
import logging
import threading
import time
from collections.abc import Callable

from reflexio_core.ports.queue import Hint

_LOG = logging.getLogger(__name__)


class LocalQueue:
    """See ``ports.queue``: both the sending and the receiving side; any number of threads may ``run``.

    A hint that already waits is not queued twice: the earlier of the two times counts, since looking once after both
    were sent sees what either meant. A hint sent while its equal is being handled waits anew. ``monotonic`` is the
    clock for delays, in seconds.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._changed = threading.Condition()
        self._heap: list[tuple[float, int, Hint]] = []
        self._due: dict[Hint, float] = {}
        self._sent = 0
        self._closed = False

    def __len__(self) -> int:
        """Hints that wait, due or not."""
        with self._changed:
            return len(self._due)

    def send(self, hint: Hint, delay_seconds: float = 0.0) -> None:
        """Deliver the hint not before the delay. After ``close`` it is dropped, as a restart would drop it."""
        due = self._monotonic() + max(0.0, delay_seconds)
        with self._changed:
            if self._closed or self._due.get(hint, float("inf")) <= due:
                return
            # An entry for a later time may stay in the heap; it is skipped when it comes up.
            self._due[hint] = due
            self._sent += 1
            heapq.heappush(self._heap, (due, self._sent, hint))
            self._changed.notify_all()

    def run(self, handle: Callable[[Hint], None]) -> None:
        """Call ``handle`` for each due hint until closed; a raising handler is logged and does not stop the loop."""
        while (hint := self._take()) is not None:
            try:
                handle(hint)
            except Exception:  # noqa: BLE001 - logged with its traceback
                _LOG.exception("handling a %s hint failed; the sweep will find its work again", hint.topic)

    def close(self) -> None:
        """Stop every ``run`` after the hint in hand. Closing again does nothing."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _take(self) -> Hint | None:
        """The next due hint, waited for; None when closed."""
        with self._changed:
            while not self._closed:
                while self._heap and self._due.get(self._heap[0][2]) != self._heap[0][0]:
                    heapq.heappop(self._heap)
                if not self._heap:
                    self._changed.wait()
                    continue
                due, _, hint = self._heap[0]
                remaining = due - self._monotonic()
                if remaining > 0:
                    self._changed.wait(remaining)
                    continue
                heapq.heappop(self._heap)
                del self._due[hint]
                return hint
            return None
