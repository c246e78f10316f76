"""Adding many learnings: as few commits as their sizes allow, and one bad row takes no other with it."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from reflexio_core.domain.records import StreamHead
from reflexio_core.engine.context import Engine
from reflexio_core.engine.projection import project
from reflexio_core.engine.retrying import until_committed
from reflexio_core.engine.rows import Learning, learning_key, new_learning
from reflexio_core.errors import ConditionFailed, ItemTooLarge, StoreUnavailable
from reflexio_core.ports.store import (
    MAX_BYTES_PER_COMMIT,
    MAX_ITEM_BYTES,
    Absent,
    AttributeIs,
    Check,
    Item,
    Key,
    Operation,
)

JsonAnswer = dict[str, Any]

ROWS_PER_COMMIT = 30
"""A row is at most two writes and a check of its user's head: 90 of the 100 operations of a commit."""

ROOM_PER_ROW = 6_000
"""Bytes of keys, index places and pointer that can come on top of a row's body."""

MOST_SALTS = 8
"""Ids of one millisecond collide once in 4,096; eight in a row do not happen."""

FAILURES_NAMED = 20


@dataclass(slots=True)
class NewRow:
    """A learning to add.

    ``make`` gives its record from the generation of the user's stream and a salt. ``salted`` says whether another
    salt gives another id; without it a taken id is a failure. ``name`` names the row in messages.
    """

    name: str
    user: str | None
    make: Callable[[int, int], Learning]
    salted: bool
    salt: int = 0


@dataclass(slots=True)
class Outcome:
    """What became of the rows: keys of those that are stored, and why each of the others is not."""

    stored: list[Key] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    error: str = ""

    def fail(self, name: str, why: str, error: str) -> None:
        """Record a row that was not stored; the code of the first one is the answer's."""
        self.failures.append(f"{name}: {why}")
        self.error = self.error or error

    def answer(self, noun: str) -> JsonAnswer:
        """The wire's answer: true counts, and every row that is missing from them named, up to a bound."""
        added = len(self.stored)
        if not self.failures:
            return {"success": True, "added_count": added, "message": f"Added {added} {noun}(s)"}
        rest = len(self.failures) - FAILURES_NAMED
        named = "; ".join(self.failures[:FAILURES_NAMED]) + (f"; and {rest} more" if rest > 0 else "")
        message = f"Added {added} of {added + len(self.failures)} {noun}(s). Not added: {named}"
        return {"success": False, "added_count": added, "error": self.error, "message": message}


def add_rows(engine: Engine, tenant: str, rows: Sequence[NewRow], outcome: Outcome) -> None:
    """Store the rows, each whole or not at all, and project them.

    A store that stops answering half-way fails the rows that were still to come; if nothing is stored yet, it raises
    ``StoreUnavailable``.
    """
    down: StoreUnavailable | None = None
    for batch in _batches(rows, outcome):
        if down is None:
            try:
                _store(engine, tenant, batch, outcome)
                continue
            except StoreUnavailable as error:
                down = error
        for row in batch:
            outcome.fail(row.name, "the store stopped answering; add it again", down.code)
    if down is not None and not outcome.stored:
        raise down
    project(engine, outcome.stored)


def _batches(rows: Sequence[NewRow], outcome: Outcome) -> Iterator[list[NewRow]]:
    batch: list[NewRow] = []
    total = 0
    for row in rows:
        body = json.dumps(row.make(0, 0).body(), ensure_ascii=False, separators=(",", ":"))
        size = len(body.encode()) + ROOM_PER_ROW
        if size > MAX_ITEM_BYTES:
            outcome.fail(row.name, f"it is larger than {MAX_ITEM_BYTES - ROOM_PER_ROW} bytes", ItemTooLarge.code)
            continue
        if len(batch) == ROWS_PER_COMMIT or total + size > MAX_BYTES_PER_COMMIT:
            yield batch
            batch, total = [], 0
        batch.append(row)
        total += size
    if batch:
        yield batch


def _store(engine: Engine, tenant: str, batch: list[NewRow], outcome: Outcome) -> None:
    waiting = list(batch)

    def attempt() -> None:
        checks, generations = _heads(engine, tenant, [row.user for row in waiting if row.user is not None])
        operations: list[Operation] = list(checks)
        owners: dict[int, NewRow] = {}
        records: list[Learning] = []
        for row in waiting:
            record = row.make(generations.get(row.user or "", 0), row.salt)
            puts = new_learning(engine.keys(tenant), record, engine.clock.now())
            owners.update(dict.fromkeys(range(len(operations), len(operations) + len(puts)), row))
            operations += puts
            records.append(record)
        try:
            engine.store.commit(operations)
        except ConditionFailed as failed:
            _sort_out(waiting, [owners[at] for at in failed.positions if at in owners], outcome)
            if waiting:
                raise
            return
        outcome.stored += [learning_key(engine.keys(tenant), record) for record in records]

    until_committed(engine, attempt, "the rows to add")


def _heads(engine: Engine, tenant: str, users: Sequence[str]) -> tuple[list[Check], dict[str, int]]:
    """Checks that no erasure comes between reading the generations of the users' streams and the commit."""
    keys = engine.keys(tenant)
    heads = {user: keys.head(user) for user in users}
    found = engine.store.batch_get(list(heads.values()))
    generations = {user: _generation(found.get(key)) for user, key in heads.items()}
    checks = [
        Check(key, AttributeIs("generation", generations[user]) if key in found else Absent())
        for user, key in heads.items()
    ]
    return checks, generations


def _generation(head: Item | None) -> int:
    return 0 if head is None else StreamHead.of(head).generation


def _sort_out(waiting: list[NewRow], taken: list[NewRow], outcome: Outcome) -> None:
    """Give rows whose id is taken another one, or give them up."""
    for row in {id(row): row for row in taken}.values():
        if row.salted and row.salt < MOST_SALTS:
            row.salt += 1
        else:
            waiting.remove(row)
            outcome.fail(row.name, "its id is already used in this project", "already_exists")
