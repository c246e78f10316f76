"""The store port in memory: same conditions, same limits, same paging as the durable ones."""

import copy
import threading
from collections.abc import Callable, Sequence

from reflexio_core.adapters.commit_rules import encode_commit
from reflexio_core.adapters.page_token import make_token, read_token
from reflexio_core.errors import ConditionFailed, InvalidInput
from reflexio_core.ports.store import (
    Absent,
    Change,
    ChangePage,
    Check,
    Condition,
    Delete,
    IndexQuery,
    Item,
    Key,
    Operation,
    Page,
    PartitionQuery,
    Put,
    VersionIs,
)

Place = tuple[str, ...]


class MemoryStore:
    """Items in a dictionary behind one lock.

    ``before_commit`` is called with the operations before each commit, outside the lock, so that a test can let
    another writer win a race or raise a store's error. ``commits`` and ``reads`` record the traffic.
    """

    def __init__(self) -> None:
        self._items: dict[Key, Item] = {}
        self._changes: list[Change] = []
        self._lock = threading.RLock()
        self.before_commit: Callable[[Sequence[Operation]], None] | None = None
        self.commits: list[tuple[Operation, ...]] = []
        self.reads = 0

    def get(self, key: Key) -> Item | None:
        """See ``Store.get``."""
        with self._lock:
            self.reads += 1
            return copy.deepcopy(self._items.get(key))

    def batch_get(self, keys: Sequence[Key]) -> dict[Key, Item]:
        """See ``Store.batch_get``."""
        with self._lock:
            self.reads += len(keys)
            return {key: copy.deepcopy(self._items[key]) for key in keys if key in self._items}

    def query(self, query: PartitionQuery) -> Page:
        """See ``Store.query``."""
        with self._lock:
            rows: list[tuple[Place, Item]] = [
                ((key.sk,), item)
                for key, item in self._items.items()
                if key.pk == query.pk and _between(query.after, key.sk, query.before)
            ]
            return self._page(query, rows)

    def query_index(self, query: IndexQuery) -> Page:
        """See ``Store.query_index``."""
        with self._lock:
            rows: list[tuple[Place, Item]] = []
            for key, item in self._items.items():
                place = item.index.get(query.index)
                if place and place.hash == query.hash and _between(query.after, place.sort, query.before):
                    rows.append(((place.sort, key.pk, key.sk), item))
            return self._page(query, rows)

    def _page(self, query: PartitionQuery | IndexQuery, rows: list[tuple[Place, Item]]) -> Page:
        if query.limit < 1:
            raise InvalidInput("limit", f"a page holds at least one row, not {query.limit}")
        behind = read_token(query)
        rows.sort(key=lambda row: _order(row[0]), reverse=query.reverse)
        if behind is not None:
            rows = [row for row in rows if _is_behind(row[0], behind, query.reverse)]
        taken = rows[: query.limit]
        self.reads += len(taken)
        token = make_token(query, taken[-1][0]) if len(rows) > len(taken) else None
        return Page(tuple(copy.deepcopy(item) for _, item in taken), token)

    def commit(self, operations: Sequence[Operation]) -> None:
        """See ``Store.commit``."""
        if self.before_commit is not None:
            self.before_commit(operations)
        encode_commit(operations)
        with self._lock:
            failed = tuple(position for position, operation in enumerate(operations) if not self._holds(operation))
            if failed:
                raise ConditionFailed(failed)
            self.commits.append(tuple(operations))
            for operation in operations:
                self._apply(operation)

    def _holds(self, operation: Operation) -> bool:
        if operation.when is None:
            return True
        key = operation.item.key if isinstance(operation, Put) else operation.key
        return _condition_holds(operation.when, self._items.get(key))

    def _apply(self, operation: Operation) -> None:
        if isinstance(operation, Check):
            return
        if isinstance(operation, Delete):
            if self._items.pop(operation.key, None) is not None:
                self._changes.append(Change(operation.key))
            return
        self._items[operation.item.key] = copy.deepcopy(operation.item)
        self._changes.append(Change(operation.item.key))

    def changes(self, position: str | None, limit: int) -> ChangePage:
        """See ``Store.changes``."""
        if limit < 1:
            raise InvalidInput("limit", f"a page holds at least one change, not {limit}")
        with self._lock:
            start = self._read_position(position)
            found = tuple(self._changes[start : start + limit])
            return ChangePage(found, str(start + len(found)))

    def _read_position(self, position: str | None) -> int:
        if position is None:
            return 0
        if not position.isascii() or not position.isdigit() or int(position) > len(self._changes):
            raise InvalidInput("position", "this is not a position that the change feed returned")
        return int(position)

    def close(self) -> None:
        """See ``Store.close``."""

    def all_items(self) -> dict[Key, Item]:
        """A copy of everything, for assertions."""
        with self._lock:
            return copy.deepcopy(self._items)


def _condition_holds(when: Condition, item: Item | None) -> bool:
    if isinstance(when, Absent):
        return item is None
    if item is None:
        return False
    if isinstance(when, VersionIs):
        return item.version == when.version
    value = item.attrs.get(when.name)
    return type(value) is type(when.value) and value == when.value


def _between(after: str, text: str, before: str) -> bool:
    return after.encode() <= text.encode() < before.encode()


def _order(place: Place) -> tuple[bytes, ...]:
    return tuple(part.encode() for part in place)


def _is_behind(place: Place, mark: Place, reverse: bool) -> bool:
    return _order(place) < _order(mark) if reverse else _order(place) > _order(mark)
