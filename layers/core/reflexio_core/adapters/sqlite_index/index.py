"""The Index port on SQLite."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from reflexio_core.adapters.sqlite_index.connections import Connections
from reflexio_core.adapters.sqlite_index.documents import Documents, read_document
from reflexio_core.adapters.sqlite_index.schema import create_tables
from reflexio_core.adapters.sqlite_index.search import Searcher
from reflexio_core.adapters.sqlite_index.vectors import BUDGET_BYTES, VectorCache
from reflexio_core.errors import ModelMismatch
from reflexio_core.ports.index import ArmQuery, ArmResult, DocKind, DocRef, IndexDoc
from reflexio_core.ports.inference import ModelContract


class SqliteIndex:
    """See ``ports.index.Index``. Shares the file with the store; any number of threads may use it.

    Full-text search never loads numpy; the first vector search does. ``memory_bytes`` bounds the vectors held in
    memory (see ``vectors``). Raises ``IndexUnavailable`` if the file cannot be used.
    """

    def __init__(self, path: Path, memory_bytes: int = BUDGET_BYTES) -> None:
        self._connections = Connections(path)
        self._vectors = VectorCache(memory_bytes)
        self._documents = Documents(self._vectors)
        self._contract: ModelContract | None = None
        with self._connections.writing() as connection:
            create_tables(connection)
        self._searcher = Searcher(self._connections, self._vectors)

    def prepare(self, contract: ModelContract | None) -> None:
        """Open the index for a model. Deletions are remembered for writers in flight; none is at a start."""
        with self._connections.writing() as connection:
            connection.execute("DELETE FROM doc_deletions")
            built_with = _fact(connection, "model")
            if contract is None:
                return
            has_vectors = connection.execute("SELECT 1 FROM docs WHERE vector IS NOT NULL LIMIT 1").fetchone()
            if built_with and built_with != contract.fingerprint and has_vectors:
                raise ModelMismatch(
                    f"the search index was built with {built_with}, but the installed model is "
                    f"{contract.fingerprint}: install the former, or delete the index's vectors with a reindex"
                )
            _set_fact(connection, "model", contract.fingerprint)
        self._contract = contract

    def upsert(self, docs: Sequence[IndexDoc]) -> None:
        """Write documents; stale versions are dropped. Raises ``ModelMismatch`` for a vector of another dimension."""
        for doc in docs:
            if doc.vector is not None and self._contract and len(doc.vector) != self._contract.dimension:
                raise ModelMismatch(
                    f"a vector of {len(doc.vector)} dimensions does not fit the index for {self._contract.fingerprint}"
                )
        with self._connections.writing() as connection:
            written = self._documents.upsert(connection, docs)
        self._documents.remember(written)

    def delete(self, refs: Sequence[tuple[DocRef, int]]) -> None:
        """Remove documents at a version."""
        with self._connections.writing() as connection:
            gone = self._documents.delete(connection, refs)
        self._documents.forget(gone)

    def delete_parent(self, tenant: str, kind: DocKind, parent: str, version: int) -> None:
        """Remove all documents of one parent, at a version."""
        with self._connections.writing() as connection:
            gone = self._documents.delete_parent(connection, tenant, kind, parent, version)
        self._documents.forget(gone)

    def delete_user(self, tenant: str, user_id: str, version: int) -> None:
        """Remove every document of one user, at a version."""
        with self._connections.writing() as connection:
            gone = self._documents.delete_user(connection, tenant, user_id, version)
        self._documents.forget(gone)

    def search(self, queries: Sequence[ArmQuery]) -> list[ArmResult]:
        """All queries, answers in order."""
        for query in queries:
            if query.vector is not None and self._contract and len(query.vector) != self._contract.dimension:
                raise ModelMismatch(
                    f"a query vector of {len(query.vector)} dimensions does not fit the index for "
                    f"{self._contract.fingerprint}"
                )
        return self._searcher.search(queries)

    def versions(self, refs: Sequence[DocRef]) -> dict[DocRef, int]:
        """Versions of the documents that are there, or at which they were deleted."""
        found: dict[DocRef, int] = {}
        with self._connections.reading() as connection:
            for ref in refs:
                rows = connection.execute(
                    "SELECT version FROM docs WHERE tenant = ? AND kind = ? AND id = ?"
                    " UNION ALL SELECT version FROM doc_deletions WHERE tenant = ? AND scope = ? AND name = ?",
                    (ref.tenant, ref.kind.value, ref.id, ref.tenant, f"doc {ref.kind.value}", ref.id),
                ).fetchall()
                if rows:
                    found[ref] = max(row[0] for row in rows)
        return found

    def count(self, tenant: str, kind: DocKind) -> int:
        """Documents of one kind in a tenant."""
        with self._connections.reading() as connection:
            row = connection.execute("SELECT count(*) FROM docs WHERE tenant = ? AND kind = ?", (tenant, kind.value))
            return int(row.fetchone()[0])

    def missing_vectors(self, limit: int) -> list[IndexDoc]:
        """Documents waiting for an embedding, oldest first."""
        with self._connections.reading() as connection:
            return [
                read_document(row)
                for row in connection.execute(
                    "SELECT tenant, kind, id, parent, version, user_id, source, agent_version, playbook_name, status,"
                    " approval, request_id, tags, time, expires_at, text, payload FROM docs"
                    " WHERE vector IS NULL ORDER BY number LIMIT ?",
                    (limit,),
                )
            ]

    def position(self) -> str | None:
        """The change-feed position up to which the store has been projected, or None."""
        with self._connections.reading() as connection:
            return _fact(connection, "position")

    def set_position(self, position: str) -> None:
        """Remember the change-feed position."""
        with self._connections.writing() as connection:
            _set_fact(connection, "position", position)

    def close(self) -> None:
        """Release connections and memory."""
        self._vectors.clear()
        self._connections.close()


def _fact(connection: sqlite3.Connection, name: str) -> str | None:
    row = connection.execute("SELECT value FROM index_facts WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row[0])


def _set_fact(connection: sqlite3.Connection, name: str, value: str) -> None:
    connection.execute("INSERT OR REPLACE INTO index_facts (name, value) VALUES (?, ?)", (name, value))
