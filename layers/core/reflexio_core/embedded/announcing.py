"""A store that says when it changed, so that search catches up at once instead of by the clock."""

from collections.abc import Callable, Sequence

from reflexio_core.ports.store import (
    ChangePage,
    IndexQuery,
    Item,
    Key,
    Operation,
    Page,
    PartitionQuery,
    Store,
)


class AnnouncingStore:
    """The Store port over another store; calls ``announce`` after every commit."""

    def __init__(self, inner: Store) -> None:
        self._inner = inner
        self.announce: Callable[[], None] = lambda: None

    def get(self, key: Key) -> Item | None:
        """See ``Store.get``."""
        return self._inner.get(key)

    def batch_get(self, keys: Sequence[Key]) -> dict[Key, Item]:
        """See ``Store.batch_get``."""
        return self._inner.batch_get(keys)

    def query(self, query: PartitionQuery) -> Page:
        """See ``Store.query``."""
        return self._inner.query(query)

    def query_index(self, query: IndexQuery) -> Page:
        """See ``Store.query_index``."""
        return self._inner.query_index(query)

    def commit(self, operations: Sequence[Operation]) -> None:
        """See ``Store.commit``."""
        self._inner.commit(operations)
        self.announce()

    def changes(self, position: str | None, limit: int) -> ChangePage:
        """See ``Store.changes``."""
        return self._inner.changes(position, limit)

    def close(self) -> None:
        """See ``Store.close``."""
        self._inner.close()
