"""Answers given a moment ago, given again while they are still exact.

Agents repeat themselves: a retry, two tools with one question, the same opening of a session. An answer stays exact
until a document is written or deleted, whichever process does it, or one of its rows expires.
"""

import json
import sqlite3
import threading
from collections import OrderedDict
from dataclasses import dataclass

from reflexio_core.ports.index import ArmQuery, ArmResult

MOST_ANSWERS = 64
"""Of some 50 rows each, so about 5 MB; repetitions come soon or not at all."""


@dataclass(frozen=True, slots=True)
class _Answer:
    query: ArmQuery  # keeps the vector alive, whose identity is part of the answer's name
    result: ArmResult
    expires_at: float


class RecentAnswers:
    """Answers by query, as of one state of the file. Any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: OrderedDict[object, _Answer] = OrderedDict()
        self._seq = 0

    def get(self, query: ArmQuery, seq: int) -> ArmResult | None:
        """The exact answer, if it is known. ``seq`` is the number of the latest change in the file."""
        with self._lock:
            if seq != self._seq:
                self._answers.clear()
                self._seq = seq
            found = self._answers.get(_name(query))
            if found is None or not found.query.where.now <= query.where.now < found.expires_at:
                return None
            self._answers.move_to_end(_name(query))
            return found.result

    def put(self, connection: sqlite3.Connection, query: ArmQuery, seq: int, result: ArmResult) -> None:
        """Remember an answer that was read after ``seq`` was."""
        ids = {hit.id for hits in (result.text, result.vector, result.newest) for hit in hits}
        [[expires_at]] = connection.execute(
            "SELECT min(expires_at) FROM index_docs "
            "WHERE tenant = ? AND kind = ? AND id IN (SELECT value FROM json_each(?))",
            (query.where.tenant, query.where.kind.value, json.dumps(list(ids))),
        )
        with self._lock:
            if seq == self._seq:
                self._answers[_name(query)] = _Answer(query, result, float("inf") if expires_at is None else expires_at)
                while len(self._answers) > MOST_ANSWERS:
                    self._answers.popitem(last=False)


def _name(query: ArmQuery) -> object:
    where = query.where
    return (
        where.tenant,
        where.kind,
        where.user_id,
        tuple(where.equals.items()),
        tuple(where.any_of.items()),
        tuple(where.contains.items()),
        where.tags,
        where.start,
        where.end,
        where.exclude_ids,
        query.text,
        None if query.vector is None else id(query.vector),
        query.floor,
        query.limit,
    )
