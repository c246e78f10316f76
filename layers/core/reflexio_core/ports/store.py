"""The record: items under (partition key, sort key), changed only by all-or-nothing commits.

The item model is small on purpose, so that SQLite and DynamoDB do the same thing: a key, a version, up to three
sparse index keys, small scalar attributes that conditions may compare, an optional expiry and a JSON body.
Keys and queries are made by ``reflexio_core.keys`` and nowhere else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

JsonObject = dict[str, Any]
Scalar = str | int | bool

MAX_ITEMS_PER_COMMIT = 100
MAX_BYTES_PER_COMMIT = 4_000_000
MAX_ITEM_BYTES = 390_000
"""Below DynamoDB's 400 KB by room for keys and attribute names."""


class SparseIndex(StrEnum):
    """The sparse indexes. An item appears in one only if it carries a key for it."""

    DUE = "due"  # work to do, by shard and time
    LISTING = "listing"  # a tenant's rows of one kind, by time
    SESSION = "session"  # a tenant's requests of one session, by time


@dataclass(frozen=True, slots=True)
class Key:
    """Address of an item: partition key and sort key, both non-empty, at most 1,024 bytes in UTF-8."""

    pk: str
    sk: str


@dataclass(frozen=True, slots=True)
class IndexKey:
    """Address of an item inside a sparse index; ``sort`` orders as text."""

    hash: str
    sort: str


@dataclass(frozen=True, slots=True)
class Item:
    """One stored item.

    ``version`` is chosen by the writer and must grow with every change of the same key, also across a delete.
    ``attrs`` are the scalars that an ``AttributeIs`` condition can see: any name, and text without lone surrogates.
    ``expires_at`` is in epoch seconds; a read may still return an expired item (deletion is late by design), so
    readers filter.
    """

    key: Key
    body: JsonObject
    version: int = 1
    attrs: Mapping[str, Scalar] = field(default_factory=dict)
    index: Mapping[SparseIndex, IndexKey] = field(default_factory=dict)
    expires_at: int | None = None


@dataclass(frozen=True, slots=True)
class Absent:
    """Holds when no item has the key."""


@dataclass(frozen=True, slots=True)
class VersionIs:
    """Holds when the item exists with exactly this version."""

    version: int


@dataclass(frozen=True, slots=True)
class AttributeIs:
    """Holds when the item exists and its attribute equals ``value`` in type and value: true is not 1."""

    name: str
    value: Scalar


Condition = Absent | VersionIs | AttributeIs


@dataclass(frozen=True, slots=True)
class Put:
    """Write the whole item, replacing what is there."""

    item: Item
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove the item; removing what is not there is no error unless ``when`` says so."""

    key: Key
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """Write nothing; the commit fails unless ``when`` holds."""

    key: Key
    when: Condition


Operation = Put | Delete | Check


@dataclass(frozen=True, slots=True)
class PartitionQuery:
    """Items of one partition with ``after <= sk < before`` in order of sk (UTF-8 bytes).

    ``token`` continues a former page of the same query, perhaps with another limit; any other token is refused with
    ``InvalidInput`` for ``next_token``. ``limit`` is at least 1, and a bound has at most 1,024 bytes.
    """

    pk: str
    after: str
    before: str
    limit: int
    reverse: bool = False
    token: str | None = None


@dataclass(frozen=True, slots=True)
class IndexQuery:
    """Items of one sparse index with ``hash`` and ``after <= sort < before``, ordered by sort.

    Items of equal sort come in an order of the store's own, the same on each page. A sparse index may lag behind
    commits by moments, and a page may then be short: use it to find candidates, then re-read what matters.
    """

    index: SparseIndex
    hash: str
    after: str
    before: str
    limit: int
    reverse: bool = False
    token: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Up to ``limit`` items, and the token that continues, or None when there is no more."""

    items: tuple[Item, ...]
    token: str | None


@dataclass(frozen=True, slots=True)
class Change:
    """A key that some commit touched. What is true now must be re-read."""

    key: Key


@dataclass(frozen=True, slots=True)
class ChangePage:
    """Changes after a position, in commit order for each key, and the position to continue from."""

    changes: tuple[Change, ...]
    position: str


class Store(Protocol):
    """The record. Every method may raise ``StoreUnavailable``."""

    def get(self, key: Key) -> Item | None:
        """The item, read after every finished commit, or None."""
        ...

    def batch_get(self, keys: Sequence[Key]) -> dict[Key, Item]:
        """Those of the keys that exist. Any number of keys; the read is consistent per item."""
        ...

    def query(self, query: PartitionQuery) -> Page:
        """One page of a partition, read after every finished commit."""
        ...

    def query_index(self, query: IndexQuery) -> Page:
        """One page of a sparse index."""
        ...

    def commit(self, operations: Sequence[Operation]) -> None:
        """Apply all operations or none, durably, before returning.

        At most one operation a key. Raises ``ConditionFailed`` with the positions whose condition did not hold,
        ``ItemTooLarge`` beyond the limits above, ``InvalidInput`` for what no store can hold, and
        ``StoreUnavailable`` when it was throttled or lost against other transactions after its own retries. After
        ``StoreUnavailable`` alone the commit may have happened all the same: its answer can be what was lost.
        """
        ...

    def changes(self, position: str | None, limit: int) -> ChangePage:
        """Keys touched since ``position`` (None: from the oldest kept), oldest first for each key.

        Never waits. An empty page means that nothing is known to be new; its position is still the one to keep.
        Raises ``InvalidInput`` for a position that this store did not give.
        """
        ...

    def close(self) -> None:
        """Release connections and threads. Finished commits stay."""
        ...
