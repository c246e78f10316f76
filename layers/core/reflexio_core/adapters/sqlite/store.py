"""The Store port on one SQLite file: one writer, many readers, no reader waiting for a writer."""

import re
import sqlite3
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from reflexio_core.adapters.commit_rules import check_key, check_query
from reflexio_core.adapters.page_token import make_token, read_token
from reflexio_core.adapters.sqlite.commits import prepare_commit
from reflexio_core.adapters.sqlite.connection import (
    as_store_error,
    create_folder,
    open_connection,
    sqlite_version_problem,
)
from reflexio_core.adapters.sqlite.group_writer import GroupWriter
from reflexio_core.adapters.sqlite.rows import Row, Statement, from_row, select_index, select_keys, select_partition
from reflexio_core.adapters.sqlite.schema import create_tables
from reflexio_core.errors import InvalidInput, StoreError, StoreUnavailable
from reflexio_core.ports.store import (
    Change,
    ChangePage,
    IndexQuery,
    Item,
    Key,
    Operation,
    Page,
    PartitionQuery,
    SparseIndex,
)

_KEYS_PER_SELECT = 200
_CHANGES_PER_TRIM = 5_000
"""Rows that one trimming transaction removes, so that commits wait for milliseconds at most."""

_POSITION = re.compile("[0-9]{1,18}")  # fits SQLite's 64 bits


class SqliteStore:
    """See ``ports.store.Store``. A commit is in the file, behind an fsync, before it returns.

    ``path`` is made if it is missing, with its folders. Any number of threads and processes may share the file.

    Raises:
        StoreError: SQLite is too old, the file is no store, or a newer program wrote it.
        StoreUnavailable: The file cannot be opened now.
    """

    def __init__(self, path: Path) -> None:
        problem = sqlite_version_problem()
        if problem:
            raise StoreError(problem)
        self._path = path
        self._readers: deque[sqlite3.Connection] = deque()
        self._closed = threading.Event()
        try:
            create_folder(path)
            connection = open_connection(path)
        except OSError as error:
            raise StoreUnavailable(f"the store {path} cannot be made: {error}") from error
        except sqlite3.Error as error:
            raise as_store_error(error, path) from error
        try:
            create_tables(connection, path)
        except BaseException as error:
            connection.close()
            if isinstance(error, sqlite3.Error):
                raise as_store_error(error, path) from error
            raise
        self._writer = GroupWriter(connection, path)

    def get(self, key: Key) -> Item | None:
        """The item, read after every finished commit, or None."""
        check_key(key)
        rows = self._select(select_keys([key]))
        return from_row(rows[0]) if rows else None

    def batch_get(self, keys: Sequence[Key]) -> dict[Key, Item]:
        """Those of the keys that exist."""
        wanted = list(dict.fromkeys(keys))
        for key in wanted:
            check_key(key)
        found: dict[Key, Item] = {}
        for start in range(0, len(wanted), _KEYS_PER_SELECT):
            for row in self._select(select_keys(wanted[start : start + _KEYS_PER_SELECT])):
                item = from_row(row)
                found[item.key] = item
        return found

    def query(self, query: PartitionQuery) -> Page:
        """One page of a partition."""
        check_query(query)
        items = [from_row(row) for row in self._select(select_partition(query, read_token(query)))]
        if len(items) <= query.limit:
            return Page(tuple(items), None)
        page = tuple(items[: query.limit])
        return Page(page, make_token(query, (page[-1].key.sk,)))

    def query_index(self, query: IndexQuery) -> Page:
        """One page of a sparse index."""
        check_query(query)
        items = [from_row(row) for row in self._select(select_index(query, read_token(query)))]
        if len(items) <= query.limit:
            return Page(tuple(items), None)
        page = tuple(items[: query.limit])
        last = page[-1]
        place = (last.index[SparseIndex(query.index)].sort, last.key.pk, last.key.sk)
        return Page(page, make_token(query, place))

    def commit(self, operations: Sequence[Operation]) -> None:
        """Apply all operations or none, durably, before returning."""
        work = prepare_commit(operations)
        if operations:
            self._writer.write(work)

    def changes(self, position: str | None, limit: int) -> ChangePage:
        """Keys touched since ``position``, in commit order. A position is the number of the last change seen."""
        if limit < 1:
            raise InvalidInput("limit", f"a page holds at least one change, not {limit}")
        after = _read_position(position)
        rows = self._select(("SELECT seq, pk, sk FROM changes WHERE seq > ? ORDER BY seq LIMIT ?", [after, limit]))
        if not rows:
            return ChangePage((), str(after))
        return ChangePage(tuple(Change(Key(pk, sk)) for _, pk, sk in rows), str(rows[-1][0]))

    def trim_changes(self, position: str) -> None:
        """Forget the changes up to ``position``, once every consumer has passed it.

        The newest change stays, so that its number is never given out again.
        """
        upto = _read_position(position)
        removed = _CHANGES_PER_TRIM

        def trim(connection: sqlite3.Connection) -> None:
            nonlocal removed
            removed = connection.execute(
                "DELETE FROM changes WHERE seq IN (SELECT seq FROM changes "
                "WHERE seq <= ? AND seq < (SELECT max(seq) FROM changes) ORDER BY seq LIMIT ?)",
                (upto, _CHANGES_PER_TRIM),
            ).rowcount

        while removed == _CHANGES_PER_TRIM:
            self._writer.write(trim)

    def close(self) -> None:
        """Finish the commits in hand and release every connection. Closing again does nothing."""
        self._closed.set()
        self._writer.close()
        self._close_idle_readers()

    def _select(self, statement: Statement) -> list[Row]:
        with self._reader() as connection:
            try:
                return connection.execute(*statement).fetchall()
            except sqlite3.Error as error:
                raise as_store_error(error, self._path) from error

    @contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        """A connection that is this thread's until the block ends.

        Idle ones are kept and shared between threads: a server's worker threads come and go, and one connection for
        each that ever lived would pile up open files.
        """
        if self._closed.is_set():
            raise StoreUnavailable(f"the store {self._path} is closed")
        try:
            connection = self._readers.pop()
        except IndexError:
            try:
                connection = open_connection(self._path)
            except sqlite3.Error as error:
                raise as_store_error(error, self._path) from error
        try:
            yield connection
        finally:
            self._readers.append(connection)
            if self._closed.is_set():
                self._close_idle_readers()

    def _close_idle_readers(self) -> None:
        while self._readers:
            with suppress(IndexError):  # another thread may have taken the last one
                self._readers.pop().close()


def _read_position(position: str | None) -> int:
    if position is None:
        return 0
    if not _POSITION.fullmatch(position):
        raise InvalidInput("position", "this is not a position that the change feed returned")
    return int(position)
