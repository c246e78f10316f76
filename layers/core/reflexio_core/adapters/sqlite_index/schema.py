"""Tables of the index. All of it can be dropped and built again from the record.

A deleted document stays as a row without content, so that a write that was under way when it was deleted is known to
be late. Every write of a row gives it the next ``seq``: who read up to one can ask for what changed since, whichever
process changed it.
"""

import sqlite3

from reflexio_core.ports.index import FILTER_FIELDS

_FIELD_COLUMNS = " ".join(f"{name} TEXT NOT NULL DEFAULT ''," for name in FILTER_FIELDS)

_TABLES = (
    f"""
    CREATE TABLE IF NOT EXISTS index_docs (
        doc INTEGER PRIMARY KEY,
        seq INTEGER NOT NULL,
        tenant TEXT NOT NULL,
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        parent TEXT NOT NULL DEFAULT '',
        version INTEGER NOT NULL,
        deleted INTEGER NOT NULL,
        embedded INTEGER NOT NULL,
        {_FIELD_COLUMNS}
        tags TEXT NOT NULL DEFAULT '[]',
        time INTEGER NOT NULL DEFAULT 0,
        expires_at INTEGER NOT NULL DEFAULT 0,
        text TEXT NOT NULL DEFAULT '',
        payload TEXT NOT NULL DEFAULT '{{}}'
    )
    """,
    "CREATE UNIQUE INDEX IF NOT EXISTS index_docs_by_ref ON index_docs (tenant, kind, id)",
    "CREATE UNIQUE INDEX IF NOT EXISTS index_docs_by_seq ON index_docs (seq)",
    "CREATE INDEX IF NOT EXISTS index_docs_by_user ON index_docs (tenant, kind, user_id, time) WHERE deleted = 0",
    "CREATE INDEX IF NOT EXISTS index_docs_by_kind ON index_docs (tenant, kind, time) WHERE deleted = 0",
    "CREATE INDEX IF NOT EXISTS index_docs_by_parent ON index_docs (tenant, kind, parent) WHERE deleted = 0",
    """
    CREATE INDEX IF NOT EXISTS index_docs_unembedded ON index_docs (seq) WHERE embedded = 0 AND deleted = 0
    """,
    "CREATE TABLE IF NOT EXISTS index_vectors (doc INTEGER PRIMARY KEY, vector BLOB NOT NULL)",
    # The words come prepared (``words``): the tokenizer only splits at spaces and stems English.
    """
    CREATE VIRTUAL TABLE IF NOT EXISTS index_words USING fts5 (words, tokenize = 'porter ascii')
    """,
    """
    CREATE TABLE IF NOT EXISTS index_fences (
        tenant TEXT NOT NULL,
        scope TEXT NOT NULL,
        name TEXT NOT NULL,
        version INTEGER NOT NULL,
        PRIMARY KEY (tenant, scope, name)
    ) WITHOUT ROWID
    """,
    "CREATE TABLE IF NOT EXISTS index_state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)


BURIED = "buried"
"""The fact that names the latest deletion whose words may still be in the file (see ``scrubbing``)."""


def create_tables(connection: sqlite3.Connection) -> None:
    """Make what is missing."""
    for statement in _TABLES:
        connection.execute(statement)


def read_fact(connection: sqlite3.Connection, name: str) -> str | None:
    """A remembered fact about the index as a whole: its ``model``, the ``position`` in the store's change feed."""
    row = connection.execute("SELECT value FROM index_state WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row[0])


def write_fact(connection: sqlite3.Connection, name: str, value: str) -> None:
    """Remember a fact."""
    connection.execute("INSERT OR REPLACE INTO index_state (name, value) VALUES (?, ?)", (name, value))


def last_seq(connection: sqlite3.Connection) -> int:
    """The number of the latest change of any document."""
    return int(connection.execute("SELECT max(seq) FROM index_docs").fetchone()[0] or 0)


def fts5_problem() -> str | None:
    """Why this interpreter's SQLite cannot search text, or None if it can."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5 (words)")
    except sqlite3.OperationalError:
        return "SQLite was built without FTS5; install a Python whose SQLite has it"
    finally:
        connection.close()
    return None
