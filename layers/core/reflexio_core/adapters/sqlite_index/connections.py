"""Connections to the file: one writer at a time, readers from a pool, every failure as ``IndexUnavailable``."""

import sqlite3
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from reflexio_core.adapters.sqlite.connection import open_connection
from reflexio_core.errors import IndexUnavailable

_CACHE_KIBIBYTES = 16 * 1024
"""Pages that a connection keeps: the postings and rows that searches of some 10,000 documents touch again and again."""


class Connections:
    """Opens ``path`` as needed. Any number of threads and processes may share the file."""

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
        with self._write_lock, self.reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close what is idle; what is in use is closed when it is given back."""
        self._closed = True
        while self._idle:
            with suppress(IndexError):  # another thread may have taken the last one
                self._idle.pop().close()

    def _take(self) -> sqlite3.Connection:
        if self._closed:
            raise IndexUnavailable("the search index is closed")
        try:
            return self._idle.pop()
        except IndexError:
            connection = open_connection(self._path)
            # What is written here can be derived again, so a commit does not wait for the disk.
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KIBIBYTES}")
            return connection

    def _give(self, connection: sqlite3.Connection) -> None:
        self._idle.append(connection)
        if self._closed:
            self.close()

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise IndexUnavailable(f"the search index {self._path} cannot answer: {error}") from error
