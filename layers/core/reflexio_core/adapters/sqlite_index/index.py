"""The Index port on SQLite."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reflexio_core.adapters.sqlite_index import documents, search
from reflexio_core.adapters.sqlite_index.connections import Connections
from reflexio_core.adapters.sqlite_index.recent import RecentAnswers
from reflexio_core.adapters.sqlite_index.schema import create_tables, last_seq, read_fact, write_fact
from reflexio_core.adapters.sqlite_index.scrubbing import Scrubber
from reflexio_core.errors import ModelMismatch
from reflexio_core.ports.index import ArmQuery, ArmResult, DocKind, DocRef, IndexDoc
from reflexio_core.ports.inference import ModelContract

if TYPE_CHECKING:
    from reflexio_core.adapters.sqlite_index.scopes import Scopes

MEMORY_BYTES = 512 * 1024 * 1024
"""Vectors held in memory: 300,000 rows of 384 dimensions."""

_DOCS_PER_TRANSACTION = 100
"""Some 10 ms: the store's commits wait for the same write lock."""

_REFS_PER_SELECT = 300


class SqliteIndex:
    """See ``ports.index.Index``. Shares the file with the store; any number of threads and processes may use it.

    Full-text search never loads numpy; the first vector search does. ``memory_bytes`` bounds the vectors held in
    memory (see ``scopes``). Raises ``IndexUnavailable`` if the file cannot be used.
    """

    def __init__(self, path: Path, memory_bytes: int = MEMORY_BYTES) -> None:
        self._connections = Connections(path)
        self._scrubber = Scrubber(self._connections)
        self._memory_bytes = memory_bytes
        self._scopes: Scopes | None = None
        self._recent = RecentAnswers()
        self._contract: ModelContract | None = None
        with self._connections.writing() as connection:
            create_tables(connection)

    def prepare(self, contract: ModelContract | None) -> None:
        """See ``Index.prepare``. An index without vectors takes on any model."""
        self._contract = contract
        if contract is None:
            return
        with self._connections.writing() as connection:
            holds_vectors = connection.execute("SELECT 1 FROM index_vectors LIMIT 1").fetchone()
            if holds_vectors:
                self._check_model(connection)
            write_fact(connection, "model", contract.fingerprint)

    def built_with(self) -> str | None:
        """The fingerprint of the model whose vectors it holds; None without vectors."""
        with self._connections.reading() as connection:
            holds_vectors = connection.execute("SELECT 1 FROM index_vectors LIMIT 1").fetchone()
            return read_fact(connection, "model") if holds_vectors else None

    def forget_vectors(self) -> None:
        """Remove every vector, so that another model can be prepared and every document waits to be embedded by it.

        Full-text search goes on meanwhile.
        """
        with self._connections.writing() as connection:
            connection.execute("DELETE FROM index_vectors")
            connection.execute(
                "UPDATE index_docs SET embedded = 0, seq = ? + doc WHERE embedded = 1", (last_seq(connection),)
            )
            connection.execute("DELETE FROM index_state WHERE name = 'model'")

    def upsert(self, docs: Sequence[IndexDoc]) -> None:
        """See ``Index.upsert``. Documents beyond a hundred are written in further transactions."""
        for start in range(0, len(docs), _DOCS_PER_TRANSACTION):
            some = docs[start : start + _DOCS_PER_TRANSACTION]
            prepared = [documents.prepare(doc) for doc in some]
            dimensions = {len(doc.vector) for doc in some if doc.vector is not None}
            with self._connections.writing() as connection:
                if dimensions:
                    self._check_model(connection)
                    self._check_dimensions(dimensions)
                documents.upsert(connection, prepared)

    def delete(self, refs: Sequence[tuple[DocRef, int]]) -> None:
        """See ``Index.delete``."""
        with self._connections.writing() as connection:
            documents.delete(connection, refs)

    def delete_parent(self, tenant: str, kind: DocKind, parent: str, version: int) -> None:
        """See ``Index.delete_parent``."""
        with self._connections.writing() as connection:
            documents.delete_parent(connection, tenant, kind, parent, version)

    def delete_user(self, tenant: str, user_id: str, version: int) -> None:
        """See ``Index.delete_user``."""
        with self._connections.writing() as connection:
            documents.delete_user(connection, tenant, user_id, version)

    def search(self, queries: Sequence[ArmQuery]) -> list[ArmResult]:
        """See ``Index.search``. The vector arm is exact."""
        dimensions = {len(query.vector) for query in queries if query.vector is not None}
        with self._connections.reading() as connection:
            if dimensions:
                self._check_model(connection)
                self._check_dimensions(dimensions)
            seq = last_seq(connection)
            return [self._answer(connection, query, seq) for query in queries]

    def versions(self, refs: Sequence[DocRef]) -> dict[DocRef, int]:
        """See ``Index.versions``."""
        found: dict[DocRef, int] = {}
        with self._connections.reading() as connection:
            for start in range(0, len(refs), _REFS_PER_SELECT):
                some = refs[start : start + _REFS_PER_SELECT]
                rows = connection.execute(
                    "SELECT tenant, kind, id, version FROM index_docs WHERE (tenant, kind, id) IN "  # noqa: S608
                    f"(VALUES {', '.join(['(?, ?, ?)'] * len(some))})",
                    [part for ref in some for part in (ref.tenant, ref.kind.value, ref.id)],
                )
                found |= {DocRef(tenant, DocKind(kind), name): version for tenant, kind, name, version in rows}
        return found

    def count(self, tenant: str, kind: DocKind) -> int:
        """See ``Index.count``."""
        with self._connections.reading() as connection:
            row = connection.execute(
                "SELECT count(*) FROM index_docs WHERE deleted = 0 AND tenant = ? AND kind = ?", (tenant, kind.value)
            )
            return int(row.fetchone()[0])

    def missing_vectors(self, limit: int) -> list[IndexDoc]:
        """See ``Index.missing_vectors``."""
        with self._connections.reading() as connection:
            rows = connection.execute(
                f"SELECT {', '.join(documents.DOC_COLUMNS)} FROM index_docs "  # noqa: S608 - our own columns
                "WHERE embedded = 0 AND deleted = 0 ORDER BY seq LIMIT ?",
                (limit,),
            )
            return [documents.read_document(row) for row in rows]

    def position(self) -> str | None:
        """See ``Index.position``."""
        with self._connections.reading() as connection:
            return read_fact(connection, "position")

    def set_position(self, position: str) -> None:
        """See ``Index.set_position``."""
        with self._connections.writing() as connection:
            write_fact(connection, "position", position)

    def tidy(self, seconds: float) -> bool:
        """Take the words of deleted documents out of the file, for about so long; whether none are left to do."""
        return self._scrubber.tidy(seconds)

    def finish(self, seconds: float) -> bool:
        """Take every byte of what was deleted out of the file, the store's too, before it is closed.

        For about so long; whether all are gone. Whoever else writes to the file waits meanwhile.
        """
        return self._scrubber.finish(seconds)

    def close(self) -> None:
        """See ``Index.close``."""
        if self._scopes is not None:
            self._scopes.clear()
        self._connections.close()

    def _answer(self, connection: sqlite3.Connection, query: ArmQuery, seq: int) -> ArmResult:
        known = self._recent.get(query, seq)
        if known is not None:
            return known
        result = self._arms(connection, query)
        self._recent.put(connection, query, seq, result)
        return result

    def _arms(self, connection: sqlite3.Connection, query: ArmQuery) -> ArmResult:
        if query.text is None and query.vector is None:
            return ArmResult(newest=search.newest(connection, query))
        return ArmResult(
            text=() if query.text is None else search.by_words(connection, query, query.text),
            vector=()
            if query.vector is None
            else search.by_vector(connection, self._loaded_scopes(), query, query.vector),
        )

    def _loaded_scopes(self) -> "Scopes":
        if self._scopes is None:
            from reflexio_core.adapters.sqlite_index.scopes import Scopes

            self._scopes = Scopes(self._memory_bytes)
        return self._scopes

    def _check_model(self, connection: sqlite3.Connection) -> None:
        """Raise unless the index's vectors, by whichever process, are of the model that this one was prepared for."""
        built_with = read_fact(connection, "model")
        installed = self._contract.fingerprint if self._contract else "none"
        if built_with is not None and built_with != installed:
            raise ModelMismatch(
                f"the search index was built with the embedding model {built_with} and the installed one is "
                f"{installed}: install the former again, or have every document embedded anew by the latter with "
                "`reflexio model reindex`"
            )

    def _check_dimensions(self, dimensions: set[int]) -> None:
        expected = self._contract.dimension if self._contract else 0
        for dimension in dimensions:
            if dimension != expected:
                raise ModelMismatch(
                    f"a vector has {dimension} dimensions, and the search index has {expected} "
                    f"({self._contract.fingerprint if self._contract else 'no embedding model'})"
                )
