"""The tables of the store, and their version.

The search index keeps its own tables in the same file, so the version stands in a table and not in ``user_version``.
"""

import sqlite3
from pathlib import Path

from reflexio_core.errors import StoreError

SCHEMA_VERSION = 1

_TABLES = (
    "CREATE TABLE IF NOT EXISTS store_schema (version INTEGER NOT NULL)",
    # A rowid table: bodies reach hundreds of kilobytes, which would bloat the inner nodes of a keyed B-tree.
    """
    CREATE TABLE IF NOT EXISTS items (
        pk TEXT NOT NULL COLLATE BINARY,
        sk TEXT NOT NULL COLLATE BINARY,
        version INTEGER NOT NULL,
        expires_at INTEGER,
        attrs TEXT NOT NULL,
        body TEXT NOT NULL,
        due_hash TEXT COLLATE BINARY,
        due_sort TEXT COLLATE BINARY,
        listing_hash TEXT COLLATE BINARY,
        listing_sort TEXT COLLATE BINARY,
        session_hash TEXT COLLATE BINARY,
        session_sort TEXT COLLATE BINARY
    )
    """,
    "CREATE UNIQUE INDEX IF NOT EXISTS items_by_key ON items (pk, sk)",
    "CREATE INDEX IF NOT EXISTS items_due ON items (due_hash, due_sort, pk, sk) WHERE due_hash IS NOT NULL",
    """
    CREATE INDEX IF NOT EXISTS items_listing ON items (listing_hash, listing_sort, pk, sk)
    WHERE listing_hash IS NOT NULL
    """,
    """
    CREATE INDEX IF NOT EXISTS items_session ON items (session_hash, session_sort, pk, sk)
    WHERE session_hash IS NOT NULL
    """,
    "CREATE TABLE IF NOT EXISTS changes (seq INTEGER PRIMARY KEY, pk TEXT NOT NULL, sk TEXT NOT NULL)",
)


def create_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables of a new file, or check those of an old one.

    Raises:
        StoreError: The file was written by a newer program.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(_TABLES[0])
        found = connection.execute("SELECT max(version) FROM store_schema").fetchone()[0]
        if found is None:
            for statement in _TABLES[1:]:
                connection.execute(statement)
            connection.execute("INSERT INTO store_schema (version) VALUES (?)", (SCHEMA_VERSION,))
            found = SCHEMA_VERSION
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    if found > SCHEMA_VERSION:
        raise StoreError(
            f"{path} holds store schema {found}, and this program knows schema {SCHEMA_VERSION}: "
            "upgrade the program, or name another data folder"
        )
