"""Take what was deleted out of the file, not only out of sight.

SQLite overwrites deleted rows (``secure_delete``), but three copies outlast that. FTS5 keeps a deleted row's words
until it merges the segments that hold them; its own option of that name, of 3.42, would make the file unreadable for
the older SQLite of another interpreter. The log keeps earlier states of pages until it is cut. And a row that once
moved to another page, when its own was full, leaves bytes in the gap of the first, which go when the file is packed.
"""

import sqlite3
import time

from reflexio_core.adapters.sqlite_index.connections import Connections
from reflexio_core.adapters.sqlite_index.schema import BURIED, read_fact

_PAGES_PER_STEP = 128
"""Half a megabyte: the store's commits wait some milliseconds for a step."""

_LOG_BUSY_MILLISECONDS = 200
_INSTRUCTIONS_PER_LOOK = 100_000


class Scrubber:
    """Works on one file in portions; what one leaves the next takes up, also that of another process."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._merged = ""

    def tidy(self, seconds: float) -> bool:
        """Merge and cut the log, for about so long, while others use the file; whether nothing is left of that."""
        latest = self._latest()
        if latest in (None, self._merged):
            return True
        deadline = time.monotonic() + seconds
        pages = -_PAGES_PER_STEP  # negative once: from then on every segment takes part in the merge
        while self._merge(pages):
            pages = _PAGES_PER_STEP
            if time.monotonic() > deadline:
                return False
        if not self._cut_log():
            return False
        self._merged = latest or ""
        return True

    def finish(self, seconds: float) -> bool:
        """Merge, pack the file and cut the log, while nobody else uses it; whether all deleted is gone."""
        deadline = time.monotonic() + seconds
        latest = self._latest()
        if latest is None:
            return True
        if not self.tidy(seconds) or not self._pack(deadline):
            return False
        with self._connections.writing() as connection:
            # A deletion that came meanwhile has another number, and stays on the list.
            connection.execute("DELETE FROM index_state WHERE name = ? AND value = ?", (BURIED, latest))
        return self._cut_log() and self._latest() is None

    def _latest(self) -> str | None:
        with self._connections.reading() as connection:
            return read_fact(connection, BURIED)

    def _merge(self, pages: int) -> bool:
        """One step; whether there may be more to merge."""
        with self._connections.writing() as connection:
            before = connection.total_changes
            connection.execute("INSERT INTO index_words (index_words, rank) VALUES ('merge', ?)", (pages,))
            return connection.total_changes - before > 1  # the statement itself counts as one

    def _pack(self, deadline: float) -> bool:
        with self._connections.reading() as connection:
            connection.set_progress_handler(lambda: time.monotonic() > deadline, _INSTRUCTIONS_PER_LOOK)
            try:
                connection.execute("VACUUM")
            except sqlite3.OperationalError:  # out of time, or of room for a second copy
                return False
            finally:
                connection.set_progress_handler(None, 0)
        return True

    def _cut_log(self) -> bool:
        with self._connections.reading() as connection:
            [[usual]] = connection.execute("PRAGMA busy_timeout")
            # Whoever reads or writes now is not to wait for this.
            connection.execute(f"PRAGMA busy_timeout = {_LOG_BUSY_MILLISECONDS}")
            try:
                [[busy, *_]] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.OperationalError:
                return False
            finally:
                connection.execute(f"PRAGMA busy_timeout = {usual}")
        return not busy
