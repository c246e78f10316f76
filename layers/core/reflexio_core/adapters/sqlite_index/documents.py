"""Writing documents: versions decide, and a deletion outlasts the writes that were under way when it came."""

import json
import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reflexio_core.adapters.sqlite_index.schema import FIELDS
from reflexio_core.adapters.sqlite_index.vectors import VectorCache
from reflexio_core.adapters.sqlite_index.words import indexed, scope_word
from reflexio_core.ports.index import DocKind, DocRef, IndexDoc

INDEXED_CHARACTERS = 20_000
"""So much of a text is searched; a log of a megabyte is found by its beginning."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A document by number, with the scope that its vector belongs to."""

    number: int
    tenant: str
    kind: str
    user_id: str
    vector: bytes | None = None


class Documents:
    """Statements on an open write transaction; memory follows after the commit (``remember``, ``forget``)."""

    def __init__(self, vectors: VectorCache) -> None:
        self._vectors = vectors

    def upsert(self, connection: sqlite3.Connection, docs: Sequence[IndexDoc]) -> list[Placed]:
        """Write what is newer than what is there and than every deletion of it."""
        written = []
        for doc in docs:
            if doc.version <= _deleted_at(connection, doc):
                continue
            row = connection.execute(
                "SELECT number, version FROM docs WHERE tenant = ? AND kind = ? AND id = ?",
                (doc.ref.tenant, doc.ref.kind.value, doc.ref.id),
            ).fetchone()
            if row is not None and row[1] > doc.version:
                continue
            written.append(_write(connection, doc, None if row is None else row[0]))
        return written

    def delete(self, connection: sqlite3.Connection, refs: Sequence[tuple[DocRef, int]]) -> list[Placed]:
        """Remove documents at a version and remember it."""
        gone: list[Placed] = []
        for ref, version in refs:
            _remember_deletion(connection, ref.tenant, f"doc {ref.kind.value}", ref.id, version)
            gone += _remove(
                connection, "tenant = ? AND kind = ? AND id = ?", (ref.tenant, ref.kind.value, ref.id), version
            )
        return gone

    def delete_parent(
        self, connection: sqlite3.Connection, tenant: str, kind: DocKind, parent: str, version: int
    ) -> list[Placed]:
        """Remove a parent's documents at a version and remember it."""
        _remember_deletion(connection, tenant, f"parent {kind.value}", parent, version)
        return _remove(connection, "tenant = ? AND kind = ? AND parent = ?", (tenant, kind.value, parent), version)

    def delete_user(self, connection: sqlite3.Connection, tenant: str, user_id: str, version: int) -> list[Placed]:
        """Remove a user's documents at a version and remember it."""
        _remember_deletion(connection, tenant, "user", user_id, version)
        gone: list[Placed] = []
        for kind in DocKind:
            gone += _remove(
                connection, "tenant = ? AND kind = ? AND user_id = ?", (tenant, kind.value, user_id), version
            )
        return gone

    def remember(self, written: Iterable[Placed]) -> None:
        """Let loaded vectors follow a commit."""
        for placed in written:
            self._vectors.put(placed.tenant, placed.kind, placed.user_id, placed.number, placed.vector)

    def forget(self, gone: Iterable[Placed]) -> None:
        """Let loaded vectors follow a deletion."""
        for placed in gone:
            self._vectors.put(placed.tenant, placed.kind, placed.user_id, placed.number, None)


def read_document(row: tuple[object, ...]) -> IndexDoc:
    """A document from its columns, in the order of the table, without number and vector."""
    tenant, kind, name, parent, version, *rest = row
    fields, (tags, time, expires_at, text, payload) = rest[: len(FIELDS)], rest[len(FIELDS) :]
    return IndexDoc(
        ref=DocRef(str(tenant), DocKind(str(kind)), str(name)),
        version=int(str(version)),
        parent=str(parent),
        text=str(text),
        fields={field: str(value) for field, value in zip(FIELDS, fields, strict=True)},
        tags=tuple(json.loads(str(tags))),
        time=int(str(time)),
        expires_at=int(str(expires_at)),
        payload=json.loads(str(payload)),
    )


def _write(connection: sqlite3.Connection, doc: IndexDoc, number: int | None) -> Placed:
    text = doc.text[:INDEXED_CHARACTERS].replace("\0", " ").encode("utf-8", "replace").decode()
    vector = None if doc.vector is None else array("f", doc.vector).tobytes()
    tenant, kind = doc.ref.tenant, doc.ref.kind.value
    user_id = doc.fields.get("user_id", "")
    values = (
        tenant,
        kind,
        doc.ref.id,
        doc.parent,
        doc.version,
        *(doc.fields.get(field, "") for field in FIELDS),
        json.dumps(doc.tags),
        doc.time,
        doc.expires_at,
        text,
        json.dumps(doc.payload),
        vector,
    )
    columns = f"tenant, kind, id, parent, version, {', '.join(FIELDS)}, tags, time, expires_at, text, payload, vector"
    marks = ", ".join("?" * len(values))
    if number is None:
        cursor = connection.execute(f"INSERT INTO docs ({columns}) VALUES ({marks})", values)  # noqa: S608
        number = int(cursor.lastrowid or 0)
    else:
        connection.execute(f"UPDATE docs SET ({columns}) = ({marks}) WHERE number = ?", (*values, number))  # noqa: S608
        connection.execute("DELETE FROM doc_words WHERE rowid = ?", (number,))
    scope = f"{scope_word(tenant, kind)} {scope_word(tenant, kind, user_id)}"
    connection.execute("INSERT INTO doc_words (rowid, scope, words) VALUES (?, ?, ?)", (number, scope, indexed(text)))
    return Placed(number, tenant, kind, user_id, vector)


def _remove(connection: sqlite3.Connection, where: str, parameters: tuple[object, ...], version: int) -> list[Placed]:
    rows = connection.execute(
        f"SELECT number, tenant, kind, user_id FROM docs WHERE {where} AND version <= ?",  # noqa: S608 - our own text
        (*parameters, version),
    ).fetchall()
    for number, *_ in rows:
        connection.execute("DELETE FROM docs WHERE number = ?", (number,))
        connection.execute("DELETE FROM doc_words WHERE rowid = ?", (number,))
    return [Placed(*row) for row in rows]


def _remember_deletion(connection: sqlite3.Connection, tenant: str, scope: str, name: str, version: int) -> None:
    connection.execute(
        "INSERT INTO doc_deletions (tenant, scope, name, version) VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET version = max(version, excluded.version)",
        (tenant, scope, name, version),
    )


def _deleted_at(connection: sqlite3.Connection, doc: IndexDoc) -> int:
    """The latest version at which this document was deleted, by itself, with its parent or with its user."""
    kind = doc.ref.kind.value
    names = (
        (f"doc {kind}", doc.ref.id),
        (f"parent {kind}", doc.parent),
        ("user", doc.fields.get("user_id", "")),
    )
    latest = 0
    for scope, name in names:
        row = connection.execute(
            "SELECT version FROM doc_deletions WHERE tenant = ? AND scope = ? AND name = ?",
            (doc.ref.tenant, scope, name),
        ).fetchone()
        latest = max(latest, row[0] if row else 0)
    return latest
