"""Writing documents: versions decide, and a deletion outlasts the writes that were under way when it came."""

import json
import sqlite3
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reflexio_core.adapters.sqlite_index.filters import checked, storable
from reflexio_core.adapters.sqlite_index.schema import BURIED, last_seq, write_fact
from reflexio_core.adapters.sqlite_index.words import INDEXED_CHARACTERS, indexed, scope_number
from reflexio_core.ports.index import FILTER_FIELDS, DocKind, DocRef, IndexDoc

DOC_COLUMNS = (
    "tenant",
    "kind",
    "id",
    "version",
    "parent",
    *FILTER_FIELDS,
    "tags",
    "time",
    "expires_at",
    "text",
    "payload",
)
"""The columns of a document, in the order of ``Prepared.values`` and of ``read_document``."""

_INSERT = (
    f"INSERT INTO index_docs ({', '.join(DOC_COLUMNS)}, deleted, embedded, seq) "  # noqa: S608 - our own columns
    f"VALUES ({', '.join('?' * len(DOC_COLUMNS))}, 0, ?, ?)"
)
_UPDATE = (
    f"UPDATE index_docs SET ({', '.join(DOC_COLUMNS)}, deleted, embedded, seq) = "  # noqa: S608 - our own columns
    f"({', '.join('?' * len(DOC_COLUMNS))}, 0, ?, ?) WHERE doc = ?"
)
_FENCES = "SELECT max(version) FROM index_fences WHERE tenant = ? AND (scope, name) IN (VALUES (?, ?), ('user', ?))"

# The user stays, which tells what scope in memory the document has to leave.
_EMPTIED = ", ".join(f"{name} = ''" for name in FILTER_FIELDS if name != "user_id")
_BURY = (
    f"UPDATE index_docs SET version = ?, deleted = 1, embedded = 0, seq = ?, {_EMPTIED}, "  # noqa: S608 - our own columns
    "parent = '', tags = '[]', time = 0, expires_at = 0, text = '', payload = '{}' WHERE doc = ?"
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document ready to be written, so that the write transaction is short."""

    ref: DocRef
    version: int
    parent: str
    user_id: str
    values: tuple[Any, ...]
    words: str
    vector: bytes | None


def prepare(doc: IndexDoc) -> Prepared:
    """Everything about a document that can be worked out beforehand."""
    for name in doc.fields:
        checked(name)
    tenant, kind = doc.ref.tenant, doc.ref.kind.value
    user_id = storable(doc.fields.get("user_id", ""))
    text = storable(doc.text[:INDEXED_CHARACTERS])
    values = (
        tenant,
        kind,
        doc.ref.id,
        doc.version,
        doc.parent,
        *(storable(doc.fields.get(name, "")) for name in FILTER_FIELDS),
        json.dumps([storable(tag) for tag in doc.tags]),
        doc.time,
        doc.expires_at,
        text,
        json.dumps(doc.payload),
    )
    return Prepared(
        ref=doc.ref,
        version=doc.version,
        parent=doc.parent,
        user_id=user_id,
        values=values,
        words=indexed(scope_number(tenant, kind, user_id), text),
        vector=None if doc.vector is None else array("f", doc.vector).tobytes(),
    )


def upsert(connection: sqlite3.Connection, docs: Sequence[Prepared]) -> None:
    """Write what is newer than every deletion of it and not older than what is there."""
    seq = last_seq(connection)
    for doc in docs:
        tenant, kind = doc.ref.tenant, doc.ref.kind.value
        fence = connection.execute(_FENCES, (tenant, _parents(doc.ref.kind), doc.parent, doc.user_id)).fetchone()[0]
        if doc.version <= (fence or 0):
            continue
        there = connection.execute(
            "SELECT doc, version, deleted, embedded FROM index_docs WHERE tenant = ? AND kind = ? AND id = ?",
            (tenant, kind, doc.ref.id),
        ).fetchone()
        seq += 1
        if there is None:
            cursor = connection.execute(_INSERT, (*doc.values, doc.vector is not None, seq))
            _write_content(connection, int(cursor.lastrowid or 0), doc, replaces=False)
            continue
        number, version, deleted, embedded = there
        if doc.version < version or (deleted and doc.version == version):
            continue
        keeps_vector = doc.vector is None and embedded and doc.version == version
        connection.execute(_UPDATE, (*doc.values, doc.vector is not None or keeps_vector, seq, number))
        if not keeps_vector:
            connection.execute("DELETE FROM index_vectors WHERE doc = ?", (number,))
        _write_content(connection, number, doc, replaces=not deleted)


def delete(connection: sqlite3.Connection, refs: Sequence[tuple[DocRef, int]]) -> None:
    """Remove documents at a version and remember it, also for those that were never there."""
    for ref, version in refs:
        there = connection.execute(
            "SELECT doc, version FROM index_docs WHERE tenant = ? AND kind = ? AND id = ?",
            (ref.tenant, ref.kind.value, ref.id),
        ).fetchone()
        if there is None:
            connection.execute(
                "INSERT INTO index_docs (tenant, kind, id, version, deleted, embedded, seq) "
                "VALUES (?, ?, ?, ?, 1, 0, ?)",
                (ref.tenant, ref.kind.value, ref.id, version, last_seq(connection) + 1),
            )
        elif there[1] <= version:
            _bury(connection, [there[0]], version)


def delete_parent(connection: sqlite3.Connection, tenant: str, kind: DocKind, parent: str, version: int) -> None:
    """Remove a parent's documents at a version and remember it."""
    _fence(connection, tenant, _parents(kind), parent, version)
    rows = connection.execute(
        "SELECT doc FROM index_docs WHERE deleted = 0 AND tenant = ? AND kind = ? AND parent = ? AND version <= ?",
        (tenant, kind.value, parent, version),
    ).fetchall()
    _bury(connection, [doc for (doc,) in rows], version)


def delete_user(connection: sqlite3.Connection, tenant: str, user_id: str, version: int) -> None:
    """Remove a user's documents at a version and remember it."""
    _fence(connection, tenant, "user", user_id, version)
    for kind in DocKind:
        rows = connection.execute(
            "SELECT doc FROM index_docs WHERE deleted = 0 AND tenant = ? AND kind = ? AND user_id = ? AND version <= ?",
            (tenant, kind.value, user_id, version),
        ).fetchall()
        _bury(connection, [doc for (doc,) in rows], version)


def read_document(row: Sequence[Any]) -> IndexDoc:
    """A document from its ``DOC_COLUMNS``, without vector."""
    tenant, kind, name, version, parent, *fields, tags, time, expires_at, text, payload = row
    return IndexDoc(
        ref=DocRef(tenant, DocKind(kind), name),
        version=version,
        parent=parent,
        text=text,
        fields=dict(zip(FILTER_FIELDS, fields, strict=True)),
        tags=tuple(json.loads(tags)),
        time=time,
        expires_at=expires_at,
        payload=json.loads(payload),
    )


def _write_content(connection: sqlite3.Connection, number: int, doc: Prepared, *, replaces: bool) -> None:
    if replaces:
        connection.execute("DELETE FROM index_words WHERE rowid = ?", (number,))
    connection.execute("INSERT INTO index_words (rowid, words) VALUES (?, ?)", (number, doc.words))
    if doc.vector is not None:
        connection.execute("INSERT OR REPLACE INTO index_vectors (doc, vector) VALUES (?, ?)", (number, doc.vector))


def _bury(connection: sqlite3.Connection, docs: Sequence[int], version: int) -> None:
    """Leave of each document only that it was deleted, and when."""
    seq = last_seq(connection)
    for number in docs:
        seq += 1
        connection.execute(_BURY, (version, seq, number))
        connection.execute("DELETE FROM index_words WHERE rowid = ?", (number,))
        connection.execute("DELETE FROM index_vectors WHERE doc = ?", (number,))
    if docs:
        write_fact(connection, BURIED, str(seq))


def _fence(connection: sqlite3.Connection, tenant: str, scope: str, name: str, version: int) -> None:
    connection.execute(
        "INSERT INTO index_fences (tenant, scope, name, version) VALUES (?, ?, ?, ?) "
        "ON CONFLICT DO UPDATE SET version = max(version, excluded.version)",
        (tenant, scope, name, version),
    )


def _parents(kind: DocKind) -> str:
    return f"parent {kind.value}"
