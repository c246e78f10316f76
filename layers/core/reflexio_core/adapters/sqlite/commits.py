"""A commit as statements on the writer's connection: conditions first, then writes, then the change feed."""

import sqlite3
from collections.abc import Callable, Sequence

from reflexio_core.adapters.commit_rules import encode_commit
from reflexio_core.adapters.sqlite.rows import UPSERT, Row, decode_attrs, to_row
from reflexio_core.errors import ConditionFailed
from reflexio_core.ports.store import Absent, Check, Condition, Delete, Key, Operation, Put, VersionIs

_SELECT_STATE = "SELECT version, attrs FROM items WHERE pk = ? AND sk = ?"
_DELETE = "DELETE FROM items WHERE pk = ? AND sk = ?"
_RECORD_CHANGE = "INSERT INTO changes (pk, sk) VALUES (?, ?)"


def prepare_commit(operations: Sequence[Operation]) -> Callable[[sqlite3.Connection], None]:
    """Encode and check a commit in the caller's thread; the result applies it in the writer's.

    Raises:
        InvalidInput, ItemTooLarge: As ``encode_commit``. Applying raises ``ConditionFailed``.
    """
    bodies = encode_commit(operations)
    conditions: list[tuple[int, Key, Condition]] = []
    puts: list[Row] = []
    deletes: list[Key] = []
    for position, (operation, body) in enumerate(zip(operations, bodies, strict=True)):
        key = operation.item.key if isinstance(operation, Put) else operation.key
        if operation.when is not None:
            conditions.append((position, key, operation.when))
        match operation:
            case Put(item):
                puts.append(to_row(item, body))
            case Delete():
                deletes.append(key)
            case Check():
                pass

    def apply(connection: sqlite3.Connection) -> None:
        failed = tuple(position for position, key, when in conditions if not _holds(connection, key, when))
        if failed:
            raise ConditionFailed(failed)
        connection.executemany(UPSERT, puts)
        gone = [key for key in deletes if connection.execute(_DELETE, (key.pk, key.sk)).rowcount]
        changed = [(row[0], row[1]) for row in puts] + [(key.pk, key.sk) for key in gone]
        connection.executemany(_RECORD_CHANGE, changed)

    return apply


def _holds(connection: sqlite3.Connection, key: Key, condition: Condition) -> bool:
    row = connection.execute(_SELECT_STATE, (key.pk, key.sk)).fetchone()
    if isinstance(condition, Absent):
        return row is None
    if row is None:
        return False
    if isinstance(condition, VersionIs):
        return bool(row[0] == condition.version)
    found = decode_attrs(row[1]).get(condition.name)
    # DynamoDB tells true from 1, Python does not.
    return type(found) is type(condition.value) and found == condition.value
