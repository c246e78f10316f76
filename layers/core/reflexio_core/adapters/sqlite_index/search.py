"""Reading the index: words ranked by BM25, vectors by cosine, both filtered where they are found."""

import json
import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reflexio_core.adapters.sqlite_index.filters import scope, where
from reflexio_core.adapters.sqlite_index.payload import StoredPayload
from reflexio_core.adapters.sqlite_index.words import match, scope_number
from reflexio_core.ports.index import ArmQuery, Hit
from reflexio_core.ports.inference import Vector

if TYPE_CHECKING:
    from reflexio_core.adapters.sqlite_index.scopes import Scopes

LARGEST_LIMIT = 2**31
"""More rows than a file holds; SQLite takes no larger number than 2^63 - 1."""

_DOCS_PER_SELECT = 250
_USERS_PER_MATCH = 20
_CANDIDATES = 2
"""Rows ranked for each one wanted, at first: most filters leave out few."""


def newest(connection: sqlite3.Connection, query: ArmQuery) -> tuple[Hit, ...]:
    """Rows by time, latest first."""
    condition, parameters = where(query.where)
    rows = connection.execute(
        f"SELECT d.id, 0.0, d.payload, d.time FROM index_docs d WHERE {condition} "  # noqa: S608 - values are parameters
        "ORDER BY d.time DESC, d.id LIMIT ?",
        (*parameters, min(query.limit, LARGEST_LIMIT)),
    )
    return tuple(_hit(*row) for row in rows)


def by_words(connection: sqlite3.Connection, query: ArmQuery, text: str) -> tuple[Hit, ...]:
    """Rows that share a telling word with the text, by BM25.

    Over all of a tenant's users it costs a look-up for each user and word.
    """
    users = [query.where.user_id] if query.where.user_id is not None else _users(connection, query)
    hits: list[Hit] = []
    for start in range(0, len(users), _USERS_PER_MATCH):
        hits += _matching(connection, query, text, users[start : start + _USERS_PER_MATCH])
    hits.sort(key=lambda hit: (-hit.score, -hit.time, hit.id))
    return tuple(hits[: query.limit])


def _matching(connection: sqlite3.Connection, query: ArmQuery, text: str, users: Sequence[str]) -> list[Hit]:
    """As many hits as wanted, or all: candidates by rank alone are fetched until enough of them pass the filter."""
    expression = match([scope_number(query.where.tenant, query.where.kind.value, user) for user in users], text)
    if expression is None:
        return []
    limit = min(query.limit, LARGEST_LIMIT)
    fetched = limit * _CANDIDATES
    while True:
        # Not by the column "rank": FTS5 would compile a query of its own for it at every search.
        candidates = connection.execute(
            "SELECT rowid, -bm25(index_words) AS score FROM index_words WHERE index_words MATCH ? "
            "ORDER BY score DESC LIMIT ?",
            (expression, fetched),
        ).fetchall()
        hits = _passing(connection, query, candidates, limit)
        if len(hits) >= limit or len(candidates) < fetched:
            return hits
        fetched *= 8


def _users(connection: sqlite3.Connection, query: ArmQuery) -> list[str]:
    """The users who have documents of the kind, by one look-up each; most kinds without a filter on users have none
    but the empty one."""
    rows = connection.execute(
        """
        WITH RECURSIVE users (name) AS (
            SELECT min(user_id) FROM index_docs WHERE deleted = 0 AND tenant = :tenant AND kind = :kind
            UNION ALL
            SELECT (
                SELECT min(user_id) FROM index_docs
                WHERE deleted = 0 AND tenant = :tenant AND kind = :kind AND user_id > name
            ) FROM users WHERE name IS NOT NULL
        ) SELECT name FROM users WHERE name IS NOT NULL
        """,
        {"tenant": query.where.tenant, "kind": query.where.kind.value},
    )
    return [name for (name,) in rows]


def by_vector(connection: sqlite3.Connection, scopes: "Scopes", query: ArmQuery, vector: Vector) -> tuple[Hit, ...]:
    """Rows above the floor by cosine, exactly."""
    import numpy as np

    wanted = np.asarray(vector, dtype=np.float32)
    matrix = scopes.matrix(connection, query.where, len(wanted))
    nearest = matrix.nearest(
        wanted,
        query.where,
        query.floor,
        query.limit,
        only=_with_parts(connection, query) if query.where.contains else None,
        without=_excluded(connection, query) if query.where.exclude_ids else (),
    )
    return tuple(_passing(connection, query, nearest, query.limit))


def _with_parts(connection: sqlite3.Connection, query: ArmQuery) -> list[int]:
    """Documents whose fields contain what they must."""
    condition, parameters = where(query.where)
    rows = connection.execute(f"SELECT d.doc FROM index_docs d WHERE {condition}", parameters)  # noqa: S608
    return [doc for (doc,) in rows]


def _excluded(connection: sqlite3.Connection, query: ArmQuery) -> list[int]:
    condition, parameters = scope(query.where)
    rows = connection.execute(
        f"SELECT d.doc FROM index_docs d WHERE {condition} AND d.id IN (SELECT value FROM json_each(?))",  # noqa: S608
        (*parameters, json.dumps(query.where.exclude_ids)),
    )
    return [doc for (doc,) in rows]


def _passing(
    connection: sqlite3.Connection, query: ArmQuery, candidates: Sequence[tuple[int, float]], limit: int
) -> list[Hit]:
    """The first ``limit`` of the candidates that exist and pass the filter at this moment."""
    condition, parameters = where(query.where)
    hits: list[Hit] = []
    at_once = min(limit, _DOCS_PER_SELECT)
    for start in range(0, len(candidates), at_once):
        some = candidates[start : start + at_once]
        # NOT INDEXED leaves the row number, which no index on the filters' columns can beat.
        rows = connection.execute(
            "SELECT d.doc, d.id, d.payload, d.time FROM index_docs d NOT INDEXED "  # noqa: S608 - values are parameters
            f"WHERE d.doc IN ({', '.join('?' * len(some))}) AND {condition}",
            (*(doc for doc, _ in some), *parameters),
        )
        found = {doc: rest for doc, *rest in rows}
        hits += [_hit(found[doc][0], score, *found[doc][1:]) for doc, score in some if doc in found]
        if len(hits) >= limit:
            break
    return hits[:limit]


def _hit(name: str, score: float, payload: str, time: int) -> Hit:
    return Hit(name, score, StoredPayload(payload), time)
