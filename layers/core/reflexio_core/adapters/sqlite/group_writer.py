"""One writer thread with group commit.

A durable commit costs an fsync, whatever it holds. While one fsync runs, the commits that arrive wait in the inbox;
the next transaction takes them all, gives each a savepoint of its own, and one fsync makes all of them durable.
"""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

from reflexio_core.adapters.sqlite.connection import as_store_error
from reflexio_core.errors import StoreUnavailable

Work = Callable[[sqlite3.Connection], None]
"""Writes inside the group's transaction; raising undoes its own writes and no other's."""

_LARGEST_GROUP = 256
"""Bounds how long the write lock is held: the search index writes to the same file."""


class _Job:
    """Work that a caller waits for. A bare lock wakes its one waiter several times faster than a Future does."""

    __slots__ = ("_waiting", "outcome", "work")

    def __init__(self, work: Work) -> None:
        self.work = work
        self.outcome: Exception | None = None
        self._waiting = threading.Lock()
        self._waiting.acquire()

    def finish(self, outcome: Exception | None) -> None:
        self.outcome = outcome
        self._waiting.release()

    def wait(self) -> None:
        self._waiting.acquire()
        if self.outcome is not None:
            raise self.outcome


class GroupWriter:
    """Runs work on its connection in the order of arrival, and answers each caller after the fsync."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._inbox: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def write(self, work: Work) -> None:
        """Run ``work`` and return when what it wrote is durable.

        Raises:
            StoreUnavailable: The file is locked or full, or the writer is closed; nothing was written.
            Exception: Whatever ``work`` raised; nothing of it was written.
        """
        job = _Job(work)
        with self._lock:
            if self._closed:
                raise StoreUnavailable(f"the store {self._path} is closed")
            self._inbox.put(job)
        job.wait()

    def close(self) -> None:
        """Finish what was handed in, then stop. Closing again does nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._inbox.put(None)
        self._thread.join()
        self._connection.close()

    def _run(self) -> None:
        while True:
            group, last = self._next_group()
            if group:
                outcomes = self._commit_group([job.work for job in group])
                for job, outcome in zip(group, outcomes, strict=True):
                    job.finish(outcome)
            if last:
                return

    def _next_group(self) -> tuple[list[_Job], bool]:
        job = self._inbox.get()
        group: list[_Job] = []
        while job is not None:
            group.append(job)
            if len(group) == _LARGEST_GROUP:
                return group, False
            try:
                job = self._inbox.get_nowait()
            except Empty:
                return group, False
        return group, True

    def _commit_group(self, group: list[Work]) -> list[Exception | None]:
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            outcomes = [self._attempt(work) for work in group]
            connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - reported to every caller of the group
            with suppress(sqlite3.Error):  # a dying disk fails this too; the callers must be answered all the same
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            failure = as_store_error(error, self._path)
            # Even a condition that failed may have failed against a neighbour's write that is now undone.
            return [failure] * len(group)
        return outcomes

    def _attempt(self, work: Work) -> Exception | None:
        connection = self._connection
        connection.execute("SAVEPOINT one")
        try:
            work(connection)
        except Exception as error:
            if not connection.in_transaction:  # SQLite undid the whole group, as it does when the disk is full
                raise
            connection.execute("ROLLBACK TO one")
            connection.execute("RELEASE one")
            return as_store_error(error, self._path)
        connection.execute("RELEASE one")
        return None
