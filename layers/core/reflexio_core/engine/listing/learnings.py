"""Pages of learnings, newest first: of one user by the partition, of the tenant by the sparse index."""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Generic, TypeVar

from reflexio.models.base import LARGEST_COUNT
from reflexio_core.domain.records import AgentPlaybookRecord, ProfileRecord, UserPlaybookRecord
from reflexio_core.engine.context import Engine
from reflexio_core.engine.listing.conditions import ALWAYS, Between
from reflexio_core.engine.paging import Budget, Place, Row, Spot, Tokens, View, collect
from reflexio_core.engine.requests import pages
from reflexio_core.ports.index import DocKind
from reflexio_core.ports.store import Item, Key, PartitionQuery, SparseIndex

RecordT = TypeVar("RecordT", ProfileRecord, UserPlaybookRecord, AgentPlaybookRecord)

PAGE_ITEMS = 200
"""Items of one read. Learnings are small: a read stays far below DynamoDB's 1 MB."""


class LearningPlace(Place):
    """Behind the row at this place of the tenant's listing."""

    sort: Spot


@dataclass(frozen=True, slots=True)
class Selection(Generic[RecordT]):
    """Which learnings to list.

    ``conditions`` name the query for its tokens. One of three sources: ``keys`` reads single rows; ``partition`` one
    user's; neither of them the tenant's rows of the kind, with times in ``between``.
    """

    listing: str
    conditions: dict[str, Any]
    kind: DocKind
    record: type[RecordT]
    admits: Callable[[RecordT], bool]
    view: Callable[[RecordT], View]
    keys: Sequence[Key] | None = None
    partition: PartitionQuery | None = None
    between: Between = ALWAYS


def list_learnings(
    engine: Engine, tenant: str, selection: Selection[RecordT], limit: int | None, next_token: str | None
) -> tuple[list[View], str | None]:
    """One page, newest first, and the token of the next. Raises ``InvalidInput`` for a foreign token."""
    tokens = Tokens.of(tenant, selection.listing, selection.conditions, LearningPlace)
    begin = tokens.read(next_token)
    below = begin.sort if begin else None
    limit = limit or LARGEST_COUNT
    if selection.keys is not None:
        rows = _newest(selection, engine.store.batch_get(selection.keys).values(), below, limit)
    elif selection.partition is not None:
        rows = _newest(selection, pages(engine, selection.partition), below, limit)
    else:
        rows = _as_listed(selection, tenant_items(engine, tenant, selection.kind, selection.between, below))
    views, behind = collect(rows, Budget(limit))
    return views, tokens.make(behind)


def tenant_items(
    engine: Engine, tenant: str, kind: DocKind, between: Between, below: str | None, page_items: int = PAGE_ITEMS
) -> Iterator[tuple[str, Item]]:
    """The tenant's items of a kind with their places, newest first, as they are now.

    The sparse index may lag, so it only names them: each is read again, and one that is gone is left out.
    """
    keys = engine.keys(tenant)
    while True:
        query = keys.listing(kind, page_items, start=between.start, end=between.end, below=below)
        page = engine.store.query_index(query)
        fresh = engine.store.batch_get([item.key for item in page.items])
        for item in page.items:
            below = item.index[SparseIndex.LISTING].sort
            if item.key in fresh:
                yield below, fresh[item.key]
        if page.token is None:
            return


def _as_listed(selection: Selection[RecordT], items: Iterable[tuple[str, Item]]) -> Iterator[Row[LearningPlace]]:
    for sort, item in items:
        record = selection.record.of(item)
        yield Row(LearningPlace(sort=sort), selection.view(record) if selection.admits(record) else None)


def _newest(
    selection: Selection[RecordT], items: Iterable[Item], below: str | None, limit: int
) -> Iterator[Row[LearningPlace]]:
    """The newest fitting rows under a place, one more than a page takes.

    A partition is not ordered by date, so all of one user's rows are looked at; only a page of them is held.
    """
    placed = ((item.index[SparseIndex.LISTING].sort, selection.record.of(item)) for item in items)
    fitting = (row for row in placed if (below is None or row[0] < below) and selection.admits(row[1]))
    for sort, record in heapq.nlargest(limit + 1, fitting, key=itemgetter(0)):
        yield Row(LearningPlace(sort=sort), selection.view(record))
