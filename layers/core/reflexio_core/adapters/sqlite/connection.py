"""Opening the file: durability settings, and one error for everything that SQLite may report."""

import os
import sqlite3
import time
from pathlib import Path

from reflexio_core.errors import StoreError, StoreUnavailable

OLDEST_SQLITE = (3, 35, 0)
"""Row values, upsert and window functions are older; 3.35 is the oldest release the store is tested with."""

BUSY_SECONDS = 10.0
"""How long a writer waits for another connection's write transaction: the search index shares the file."""

_WAL_KEPT_BYTES = 64 * 1024 * 1024
_SWITCH_ATTEMPTS = 100
_SWITCH_PAUSE_SECONDS = 0.05


def sqlite_version_problem() -> str | None:
    """Why this interpreter's SQLite cannot hold the store, or None if it can."""
    if sqlite3.sqlite_version_info >= OLDEST_SQLITE:
        return None
    oldest = ".".join(str(part) for part in OLDEST_SQLITE)
    return f"SQLite {sqlite3.sqlite_version} is too old: {oldest} or newer is needed; install a newer Python"


def open_connection(path: Path) -> sqlite3.Connection:
    """A connection with explicit transactions, WAL, an fsync in each commit, and zeros over what is deleted.

    It may move between threads; its owner sees to it that one uses it at a time.

    Raises:
        sqlite3.Error: The file cannot be opened or is not a database.
    """
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute(f"PRAGMA journal_size_limit = {_WAL_KEPT_BYTES}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def create_folder(path: Path) -> None:
    """Make the folder of a new store and its directory entry durable; leave an existing one alone."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def as_store_error(error: Exception, path: Path) -> Exception:
    """SQLite's report as the port's: damage is a ``StoreError``, all else (locked, full, read-only) passes."""
    if isinstance(error, sqlite3.OperationalError):
        return StoreUnavailable(f"the store {path} cannot answer: {error}")
    if isinstance(error, sqlite3.DatabaseError):
        return StoreError(f"the store {path} is damaged or is no store: {error}")
    if isinstance(error, sqlite3.Error):
        return StoreUnavailable(f"the store {path} cannot answer: {error}")
    return error


def _use_wal(connection: sqlite3.Connection) -> None:
    for attempt in range(_SWITCH_ATTEMPTS):
        try:
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            # Two processes may open a new file at once, and SQLite does not wait for its lock in this statement.
            if attempt == _SWITCH_ATTEMPTS - 1:
                raise
            time.sleep(_SWITCH_PAUSE_SECONDS)
        else:
            return
