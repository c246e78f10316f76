"""The record in one SQLite file: what the embedded service and the tests run on."""

from reflexio_core.adapters.sqlite.connection import sqlite_version_problem
from reflexio_core.adapters.sqlite.store import SqliteStore

__all__ = ["SqliteStore", "sqlite_version_problem"]
