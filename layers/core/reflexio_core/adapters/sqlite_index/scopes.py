"""Which scopes' vectors are in memory, kept in line with the file.

A scope is one user's documents of a kind, or all of a tenant's. It is read at its first search and catches up with
the file at every later one, so that it does not matter which process wrote. Memory: 4 bytes x dimension a row and
about 200 for the rest (1.7 KB at 384 dimensions: 170 MB for 100,000 rows, half as much again after growth), at most
``BUDGET_BYTES`` over all scopes; the one searched longest ago is dropped first and read again when needed. A single
larger scope is held all the same, since an exact answer needs it.
"""

import json
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence

from reflexio_core.adapters.sqlite_index.filters import scope
from reflexio_core.adapters.sqlite_index.matrix import Matrix, Row
from reflexio_core.adapters.sqlite_index.schema import last_seq
from reflexio_core.ports.index import FILTER_FIELDS, IndexFilter

ScopeName = tuple[str, str, str | None]
"""Tenant, kind, user (None: all of the tenant's)."""

_FILTERED = tuple(name for name in FILTER_FIELDS if name not in ("user_id", "custom_features"))
"""What a matrix compares: the user is its scope, and parts of texts are looked for by SQL."""

_COLUMNS = f"d.doc, v.vector, {', '.join(f'd.{name}' for name in _FILTERED)}, d.tags, d.time, d.expires_at"
_DOCS_PER_SELECT = 500


class Scopes:
    """The loaded scopes, least recently searched first."""

    def __init__(self, budget_bytes: int) -> None:
        self._budget = budget_bytes
        self._lock = threading.Lock()
        self._loaded: OrderedDict[ScopeName, Matrix] = OrderedDict()
        self._seen = 0

    def matrix(self, connection: sqlite3.Connection, where: IndexFilter, dimension: int) -> Matrix:
        """The filter's scope as the file has it now. A first search of a scope holds up others while it loads."""
        name = (where.tenant, where.kind.value, where.user_id)
        with self._lock:
            self._catch_up(connection)
            found = self._loaded.get(name)
            if found is None or found.worth_packing:
                found = self._loaded[name] = _load(connection, where, dimension)
            self._loaded.move_to_end(name)
            while len(self._loaded) > 1 and sum(held.size_bytes for held in self._loaded.values()) > self._budget:
                self._loaded.popitem(last=False)
            return found

    def clear(self) -> None:
        """Forget everything; the next searches read the file."""
        with self._lock:
            self._loaded.clear()

    def _catch_up(self, connection: sqlite3.Connection) -> None:
        newest = last_seq(connection)
        if newest == self._seen:
            return
        if self._loaded:
            changed = connection.execute(
                "SELECT doc, tenant, kind, user_id FROM index_docs WHERE seq > ? AND seq <= ?", (self._seen, newest)
            ).fetchall()
            for name, matrix in self._loaded.items():
                _update(connection, matrix, [doc for doc, *place in changed if _lies_in(place, name)])
        self._seen = newest


def _lies_in(place: Sequence[str], name: ScopeName) -> bool:
    tenant, kind, user = name
    return place[0] == tenant and place[1] == kind and user in (None, place[2])


def _update(connection: sqlite3.Connection, matrix: Matrix, docs: Sequence[int]) -> None:
    for start in range(0, len(docs), _DOCS_PER_SELECT):
        some = docs[start : start + _DOCS_PER_SELECT]
        found = connection.execute(
            f"SELECT {_COLUMNS} FROM index_docs d JOIN index_vectors v USING (doc) "  # noqa: S608 - our own columns
            "WHERE d.deleted = 0 AND d.doc IN (SELECT value FROM json_each(?))",
            (json.dumps(some),),
        )
        rows = {row.doc: row for row in _rows(found)}
        for doc in some:
            if doc in rows:
                matrix.put(rows[doc])
            else:
                matrix.drop(doc)


def _load(connection: sqlite3.Connection, where: IndexFilter, dimension: int) -> Matrix:
    condition, parameters = scope(where)
    count = connection.execute(f"SELECT count(*) FROM index_docs d WHERE {condition}", parameters).fetchone()[0]  # noqa: S608
    matrix = Matrix(dimension, max(64, count + count // 8))
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM index_docs d JOIN index_vectors v USING (doc) WHERE {condition}",  # noqa: S608
        parameters,
    )
    for row in _rows(found):
        matrix.put(row)
    return matrix


def _rows(found: Iterable[tuple[object, ...]]) -> Iterator[Row]:
    for doc, vector, *values, tags, time, expires_at in found:
        assert isinstance(doc, int)
        assert isinstance(vector, bytes)
        assert isinstance(time, int)
        assert isinstance(expires_at, int)
        fields = {name: str(value) for name, value in zip(_FILTERED, values, strict=True)}
        yield Row(doc, vector, fields, () if tags == "[]" else json.loads(str(tags)), time, expires_at)
