"""Tables of the index. All of it can be dropped and built again from the record."""

import sqlite3

_TABLES = (
    """
    CREATE TABLE IF NOT EXISTS docs (
        number INTEGER PRIMARY KEY,
        tenant TEXT NOT NULL,
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        parent TEXT NOT NULL,
        version INTEGER NOT NULL,
        user_id TEXT NOT NULL,
        source TEXT NOT NULL,
        agent_version TEXT NOT NULL,
        playbook_name TEXT NOT NULL,
        status TEXT NOT NULL,
        approval TEXT NOT NULL,
        request_id TEXT NOT NULL,
        tags TEXT NOT NULL,
        time INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        text TEXT NOT NULL,
        payload TEXT NOT NULL,
        vector BLOB,
        UNIQUE (tenant, kind, id)
    )
    """,
    "CREATE INDEX IF NOT EXISTS docs_by_parent ON docs (tenant, kind, parent)",
    "CREATE INDEX IF NOT EXISTS docs_by_user ON docs (tenant, kind, user_id, time)",
    "CREATE INDEX IF NOT EXISTS docs_by_time ON docs (tenant, kind, time)",
    "CREATE INDEX IF NOT EXISTS docs_unembedded ON docs (number) WHERE vector IS NULL",
    """
    CREATE VIRTUAL TABLE IF NOT EXISTS doc_words USING fts5 (
        scope, words, tokenize = "porter unicode61 remove_diacritics 2"
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS doc_deletions (
        tenant TEXT NOT NULL,
        scope TEXT NOT NULL,
        name TEXT NOT NULL,
        version INTEGER NOT NULL,
        PRIMARY KEY (tenant, scope, name)
    ) WITHOUT ROWID
    """,
    "CREATE TABLE IF NOT EXISTS index_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)

FIELDS = ("user_id", "source", "agent_version", "playbook_name", "status", "approval", "request_id")
"""The exact-match filters, each a column."""


def create_tables(connection: sqlite3.Connection) -> None:
    """Make what is missing."""
    for statement in _TABLES:
        connection.execute(statement)


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
