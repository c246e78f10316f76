"""Reading the index: words ranked by BM25, vectors by cosine, both filtered where they are found."""

import json
import sqlite3
from collections.abc import Sequence

from reflexio_core.adapters.sqlite_index.connections import Connections
from reflexio_core.adapters.sqlite_index.filters import where
from reflexio_core.adapters.sqlite_index.vectors import Scope, VectorCache
from reflexio_core.adapters.sqlite_index.words import match, scope_word
from reflexio_core.ports.index import ArmQuery, ArmResult, Hit, IndexFilter
from reflexio_core.ports.inference import Vector

_FIRST_CANDIDATES = 64
_NUMBERS_PER_SELECT = 500


class Searcher:
    """Answers arm queries, each read from one consistent state of the file."""

    def __init__(self, connections: Connections, vectors: VectorCache) -> None:
        self._connections = connections
        self._vectors = vectors

    def search(self, queries: Sequence[ArmQuery]) -> list[ArmResult]:
        """Answers in order. Raises ``IndexUnavailable``."""
        with self._connections.reading() as connection:
            return [self._arm(connection, query) for query in queries]

    def _arm(self, connection: sqlite3.Connection, query: ArmQuery) -> ArmResult:
        if query.text is None and query.vector is None:
            return ArmResult(newest=_newest(connection, query))
        text = _by_words(connection, query) if query.text is not None else ()
        vector = self._by_vector(connection, query, query.vector) if query.vector is not None else ()
        return ArmResult(text=text, vector=vector)

    def _by_vector(self, connection: sqlite3.Connection, query: ArmQuery, vector: Vector) -> tuple[Hit, ...]:
        """Exact: candidates come best first until enough of them pass the filter, or none is left above the floor."""
        import numpy as np

        wanted = np.asarray(vector, dtype=np.float32)
        name = (query.where.tenant, query.where.kind.value, query.where.user_id)
        with self._vectors.lock:
            scope = self._vectors.scope(name, lambda: _load(connection, query.where, len(wanted)))
            hits: list[Hit] = []
            for candidates in scope.nearest(wanted, query.floor, max(query.limit, _FIRST_CANDIDATES)):
                hits += _passing(connection, query.where, candidates)
                if len(hits) >= query.limit:
                    break
        return tuple(hits[: query.limit])


def _newest(connection: sqlite3.Connection, query: ArmQuery) -> tuple[Hit, ...]:
    condition, parameters = where(query.where)
    rows = connection.execute(
        f"SELECT d.id, 0.0, d.payload, d.time FROM docs d WHERE {condition} ORDER BY d.time DESC, d.id LIMIT ?",  # noqa: S608
        (*parameters, query.limit),
    )
    return tuple(_hit(row) for row in rows)


def _by_words(connection: sqlite3.Connection, query: ArmQuery) -> tuple[Hit, ...]:
    kind = query.where.kind.value
    owner = () if query.where.user_id is None else (query.where.user_id,)
    expression = match(scope_word(query.where.tenant, kind, *owner), query.text or "")
    if expression is None:
        return ()
    condition, parameters = where(query.where)
    rows = connection.execute(
        "SELECT d.id, -bm25(doc_words, 0.0, 1.0) AS score, d.payload, d.time"  # noqa: S608 - values are parameters
        " FROM doc_words JOIN docs d ON d.number = doc_words.rowid"
        f" WHERE doc_words MATCH ? AND {condition} ORDER BY score DESC, d.time DESC, d.id LIMIT ?",
        (expression, *parameters, query.limit),
    )
    return tuple(_hit(row) for row in rows)


def _load(connection: sqlite3.Connection, condition: IndexFilter, dimension: int) -> Scope:
    owner = "" if condition.user_id is None else " AND user_id = ?"
    parameters = (condition.tenant, condition.kind.value, *(() if condition.user_id is None else (condition.user_id,)))
    rows = connection.execute(
        f"SELECT number, vector FROM docs WHERE tenant = ? AND kind = ?{owner} AND vector IS NOT NULL",  # noqa: S608
        parameters,
    )
    return Scope(dimension, rows)


def _passing(
    connection: sqlite3.Connection, condition: IndexFilter, candidates: Sequence[tuple[int, float]]
) -> list[Hit]:
    """Those of the candidates that exist now and pass the filter, in their order."""
    clause, parameters = where(condition)
    found: dict[int, tuple[str, str, int]] = {}
    for start in range(0, len(candidates), _NUMBERS_PER_SELECT):
        numbers = [number for number, _ in candidates[start : start + _NUMBERS_PER_SELECT]]
        marks = ", ".join("?" * len(numbers))
        rows = connection.execute(
            f"SELECT d.number, d.id, d.payload, d.time FROM docs d WHERE d.number IN ({marks}) AND {clause}",  # noqa: S608
            (*numbers, *parameters),
        )
        found.update({number: (name, payload, time) for number, name, payload, time in rows})
    return [
        _hit((found[number][0], score, found[number][1], found[number][2]))
        for number, score in candidates
        if number in found
    ]


def _hit(row: tuple[str, float, str, int]) -> Hit:
    name, score, payload, time = row
    return Hit(name, float(score), json.loads(payload), int(time))
