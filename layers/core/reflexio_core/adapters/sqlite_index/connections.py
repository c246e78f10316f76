"""Connections to the file: one writer at a time, readers from a pool, every failure as ``IndexUnavailable``."""

import sqlite3
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reflexio_core.errors import IndexUnavailable

_BUSY_SECONDS = 10.0


class Connections:
    """Opens ``path`` as needed. What is written is derived, so a commit does not wait for the disk."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._idle: deque[sqlite3.Connection] = deque()
        self._write_lock = threading.Lock()
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for reads, of the caller's alone."""
        with self._reported():
            connection = self._take()
            try:
                yield connection
            finally:
                self._give(connection)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection inside a write transaction, committed on leaving and rolled back on an error."""
        with self._write_lock, self._reported():
            connection = self._take()
            try:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                except BaseException:
                    connection.execute("ROLLBACK")
                    raise
                connection.execute("COMMIT")
            finally:
                self._give(connection)

    def close(self) -> None:
        """Close what is idle; what is in use is closed when it is given back."""
        self._closed = True
        while self._idle:
            self._idle.popleft().close()

    def _take(self) -> sqlite3.Connection:
        if self._closed:
            raise IndexUnavailable("the search index is closed")
        try:
            return self._idle.pop()
        except IndexError:
            connection = sqlite3.connect(
                self._path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            return connection

    def _give(self, connection: sqlite3.Connection) -> None:
        if self._closed:
            connection.close()
        else:
            self._idle.append(connection)

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise IndexUnavailable(f"the search index {self._path} cannot answer: {error}") from error
