"""Short constructors for the items and queries of the suite."""

import base64
import random
from dataclasses import replace
from typing import Any

from reflexio_core.ports.store import (
    IndexKey,
    IndexQuery,
    Item,
    Key,
    Page,
    PartitionQuery,
    Put,
    SparseIndex,
    Store,
)

LAST = "\U0010ffff"
"""Sorts behind every key of the suite."""


def item(pk: str, sk: str, version: int = 1, **fields: Any) -> Item:
    """An item with a small body, unless the fields say otherwise."""
    return Item(Key(pk, sk), fields.pop("body", {"at": sk}), version, **fields)


def put_all(store: Store, *items: Item) -> None:
    """One commit a hundred items, without conditions."""
    for start in range(0, len(items), 100):
        store.commit([Put(one) for one in items[start : start + 100]])


def due(sort: str, shard: str = "shard") -> dict[SparseIndex, IndexKey]:
    """An address in the sparse index of due work."""
    return {SparseIndex.DUE: IndexKey(shard, sort)}


def partition(pk: str, **fields: Any) -> PartitionQuery:
    """A query of the whole partition, unless the fields say otherwise."""
    return PartitionQuery(pk, **{"after": "", "before": LAST, "limit": 1000, **fields})


def due_query(shard: str = "shard", /, **fields: Any) -> IndexQuery:
    """A query of the whole shard of due work, unless the fields say otherwise."""
    return IndexQuery(SparseIndex.DUE, shard, **{"after": "", "before": LAST, "limit": 1000, **fields})


def sks(page: Page) -> list[str]:
    """The sort keys of a page."""
    return [one.key.sk for one in page.items]


def pages(store: Store, query: PartitionQuery | IndexQuery) -> list[list[str]]:
    """The sort keys of every page, following the tokens."""
    found = []
    while True:
        page = store.query(query) if isinstance(query, PartitionQuery) else store.query_index(query)
        found.append(sks(page))
        if page.token is None:
            return found
        query = replace(query, token=page.token)


def noise(length: int, seed: int = 0) -> str:
    """Text that compresses by no more than a fifth."""
    return base64.b85encode(random.Random(seed).randbytes(length)).decode()[:length]
