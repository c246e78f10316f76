"""The search index in the same SQLite file as the record: FTS5 for words, an exact scan in memory for vectors."""

from reflexio_core.adapters.sqlite_index.index import SqliteIndex
from reflexio_core.adapters.sqlite_index.schema import fts5_problem

__all__ = ["SqliteIndex", "fts5_problem"]
