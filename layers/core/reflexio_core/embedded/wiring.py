"""The composition root of the embedded service: which adapter stands behind each port, and what runs beside them."""

import logging
import os
import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from reflexio_core.adapters.files import FileBlobs
from reflexio_core.adapters.inprocess import LocalQueue
from reflexio_core.adapters.learner import ChosenLlm
from reflexio_core.adapters.offline import MODEL as OFFLINE
from reflexio_core.adapters.sqlite import SqliteStore
from reflexio_core.adapters.sqlite_index import SqliteIndex
from reflexio_core.adapters.system import RandomIds
from reflexio_core.embedded.announcing import AnnouncingStore
from reflexio_core.embedded.clock import StoppableClock
from reflexio_core.embedded.data_folder import DataFolder, FolderLock
from reflexio_core.embedded.embedder import Embedder, open_embedder
from reflexio_core.embedded.settings import EmbeddedSettings
from reflexio_core.embedded.workers import Workers
from reflexio_core.engine.context import Engine, EngineSettings
from reflexio_core.errors import IndexUnavailable
from reflexio_core.ports.llm import LlmSettings

_LOG = logging.getLogger(__name__)

TRIM_SECONDS = 60.0
"""How often changes that search has caught up with are forgotten, and deleted words scrubbed from the file."""

SCRUB_SECONDS = 0.5
"""The most of each ``TRIM_SECONDS`` that scrubbing takes from the projector."""

LAST_SCRUB_SECONDS = 3.0
"""The most that a stop waits for it, packing the file included; what is left the next stop takes up."""


@dataclass(slots=True)
class Runtime:
    """An engine with its threads. As a context manager it runs inside the block.

    ``notices`` say in whole sentences what is missing and works in a lesser way.
    """

    engine: Engine
    folder: DataFolder
    learner: str
    embedder: Embedder
    notices: list[str]
    _lock: FolderLock
    _store: SqliteStore
    _index: SqliteIndex
    _clock: StoppableClock
    _workers: Workers = field(init=False)
    _trimmed_at: float = field(default=0.0, init=False)

    def start(self) -> None:
        """Start learning, sweeping and projecting; load the embedding model meanwhile."""
        self._workers.start()
        threading.Thread(target=self.embedder.warm_up, name="warm-up", daemon=True).start()

    def hasten(self) -> None:
        """Let nobody wait any longer for learning or for a retry: the process is about to stop."""
        self._clock.stop()

    def stop(self) -> None:
        """Stop within seconds and give the folder back. What was under way is done again at the next start."""
        self.hasten()
        self._workers.stop()
        self.embedder.close()
        self._scrub_at_last()
        self.engine.index.close()
        self.engine.store.close()
        self._lock.release()

    def _scrub_at_last(self) -> None:
        try:
            self._index.finish(LAST_SCRUB_SECONDS)
        except IndexUnavailable as error:
            _LOG.warning("what was deleted may stay in the file until the next stop: %s", error)

    def _after_projection(self) -> None:
        now = time.monotonic()
        position = self.engine.index.position()
        if position is not None and now - self._trimmed_at >= TRIM_SECONDS:
            self._trimmed_at = now
            self._store.trim_changes(position)
            self._index.tidy(SCRUB_SECONDS)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def build_engine(settings: EmbeddedSettings, kind: str, environment: Mapping[str, str] = os.environ) -> Runtime:
    """Take the data folder and wire an engine over it; ``kind`` tells others what holds the folder.

    Raises:
        DataFolderInUse: another process works on it.
        DataFolderUnusable: it cannot be written.
        ModelMismatch: its vectors are of another embedding model.
        StoreError: SQLite is too old, or the file is no store.
    """
    folder = DataFolder(settings.data)
    lock = FolderLock(folder, kind)
    lock.acquire()
    try:
        return _wire(settings, folder, lock, environment)
    except BaseException:
        lock.release()
        raise


def _wire(settings: EmbeddedSettings, folder: DataFolder, lock: FolderLock, environment: Mapping[str, str]) -> Runtime:
    sqlite = SqliteStore(folder.database)
    store = AnnouncingStore(sqlite)
    clock = StoppableClock()
    queue = LocalQueue()
    embedder = open_embedder()
    index = SqliteIndex(folder.database)
    llm = ChosenLlm(environment)
    try:
        index.prepare(embedder.contract)
    except BaseException:
        index.close()
        store.close()
        raise
    engine = Engine(
        store=store,
        blobs=FileBlobs(folder.blobs),
        queue=queue,
        index=index,
        inference=embedder.inference,
        llm=llm,
        clock=clock,
        ids=RandomIds(),
        settings=EngineSettings(
            owner=f"embedded-{secrets.token_hex(8)}",  # new at every start, so that earlier leases are dead ones'
            exclusive=True,
            storage_type="sqlite",
            storage_label=str(folder.root),
        ),
    )
    learner = llm.model_for("generation", LlmSettings())
    runtime = Runtime(engine, folder, learner, embedder, _notices(learner, embedder), lock, sqlite, index, clock)
    workers = Workers(engine, queue, settings.learners, runtime._after_projection)
    runtime._workers = workers
    store.announce = workers.store_changed
    return runtime


def _notices(learner: str, embedder: Embedder) -> list[str]:
    notices: list[str] = []
    if learner == OFFLINE:
        notices.append(
            "No model provider is configured: the offline learner works by rules and learns less than a model would. "
            "Set a provider's key, such as OPENAI_API_KEY, and start again."
        )
    if embedder.problem:
        notices.append(f"Search finds words but not meaning: {embedder.problem}")
    return notices
