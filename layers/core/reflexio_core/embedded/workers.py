"""The threads of the embedded service: learners take hints, the sweeper finds due work, the projector keeps search
in line with the store, the embedder gives it vectors. Losing any of them at any moment loses nothing: all truth is in
the store.
"""

import logging
import threading
import time
from collections.abc import Callable
from functools import partial

from reflexio_core.adapters.inprocess import LocalQueue
from reflexio_core.engine.context import Engine
from reflexio_core.engine.learn import run_user
from reflexio_core.engine.projection import embed_waiting, follow
from reflexio_core.engine.sweep import LONGEST_PAUSE_SECONDS, recover, sweep
from reflexio_core.errors import ReflexioError
from reflexio_core.ports.queue import Hint

STOP_SECONDS = 3.0
"""How long a thread may finish what it has in hand; what is abandoned then is done again at the next start."""

AFTER_FAILURE_SECONDS = 1.0

GATHER_SECONDS = 0.05
"""How long the projector lets commits gather: the index shares the store's file, so each of its writes delays one."""

EMBEDDED_AT_ONCE = 16
"""Turns that are embedded in one step."""

YIELD = 4.0
"""While commits keep coming, embedding rests this many times as long as it takes: callers come first."""

_LOG = logging.getLogger(__name__)


class Workers:
    """Threads over one engine. ``after_projection`` is called when search has caught up with the store."""

    def __init__(self, engine: Engine, queue: LocalQueue, learners: int, after_projection: Callable[[], None]) -> None:
        self._engine = engine
        self._queue = queue
        self._after_projection = after_projection
        self._stopping = threading.Event()
        self._changed = threading.Event()
        self._unembedded = threading.Event()
        self._followed_at = 0.0
        targets: list[tuple[str, Callable[[], None]]] = [(f"learner-{n}", self._learn) for n in range(learners)]
        targets += [("sweeper", self._sweep), ("projector", self._project), ("embedder", self._embed)]
        self._threads = [threading.Thread(target=target, name=name, daemon=True) for name, target in targets]

    def start(self) -> None:
        """Start every thread; the first sweep takes over what an earlier process left."""
        self._changed.set()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stop every thread, within ``STOP_SECONDS``."""
        self._stopping.set()
        self._changed.set()
        self._unembedded.set()
        self._queue.close()
        deadline = time.monotonic() + STOP_SECONDS
        for thread in filter(threading.Thread.is_alive, self._threads):
            thread.join(max(0.0, deadline - time.monotonic()))
        left = [thread.name for thread in self._threads if thread.is_alive()]
        if left:
            _LOG.info("left at work, to be done again at the next start: %s", ", ".join(left))

    def store_changed(self) -> None:
        """Search has something to catch up with."""
        self._changed.set()

    def _learn(self) -> None:
        self._queue.run(self._handle)

    def _handle(self, hint: Hint) -> None:
        try:
            run_user(self._engine, hint.tenant, hint.user_id)
        except Exception:
            # The work is due again at once; without a pause, what fails every time would keep a processor busy.
            self._stopping.wait(AFTER_FAILURE_SECONDS)
            raise

    def _sweep(self) -> None:
        look: Callable[[Engine], int] = recover
        while not self._stopping.is_set():
            if self._done("looking for due work", partial(look, self._engine)):
                look = sweep
            self._stopping.wait(LONGEST_PAUSE_SECONDS)

    def _project(self) -> None:
        while True:
            # Woken by commits; the pause only covers a failure and a commit of another process.
            self._changed.wait(LONGEST_PAUSE_SECONDS)
            if self._stopping.wait(GATHER_SECONDS):
                return
            self._changed.clear()
            if not self._done("catching up search with the store", self._follow):
                self._stopping.wait(LONGEST_PAUSE_SECONDS)

    def _follow(self) -> None:
        followed = follow(self._engine)
        self._after_projection()
        if followed:
            self._followed_at = time.monotonic()
            self._unembedded.set()

    def _embed(self) -> None:
        """Give vectors to what search found by words alone so far; a thread of its own, so that words never wait."""
        while True:
            self._unembedded.wait(LONGEST_PAUSE_SECONDS)
            if self._stopping.is_set():
                return
            self._unembedded.clear()
            began = time.monotonic()
            self._done("embedding", self._embed_some)
            if self._followed_at >= began:
                self._stopping.wait(YIELD * (time.monotonic() - began))

    def _embed_some(self) -> None:
        if embed_waiting(self._engine, EMBEDDED_AT_ONCE) == EMBEDDED_AT_ONCE:
            self._unembedded.set()  # there may be more

    def _done(self, what: str, step: Callable[[], object]) -> bool:
        """Do a step; what fails is reported and repeated, since a thread that ended would never be missed."""
        try:
            step()
        except ReflexioError as error:
            if not self._stopping.is_set():
                _LOG.warning("%s failed and is repeated: %s", what, error)
            return False
        except Exception:  # noqa: BLE001 - logged with its traceback
            _LOG.exception("%s failed and is repeated", what)
            return False
        return True
