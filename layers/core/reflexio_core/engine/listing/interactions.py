"""Turns, newest first: publications by their arrival, and inside one its last turn first."""

from collections.abc import Iterator
from operator import attrgetter

from reflexio.models.base import LARGEST_COUNT
from reflexio.models.interactions import GetInteractionsRequest
from reflexio_core.domain.records import RequestRecord
from reflexio_core.domain.views import interaction_view
from reflexio_core.engine.context import Engine
from reflexio_core.engine.listing.conditions import ALWAYS, Between
from reflexio_core.engine.listing.learnings import tenant_items
from reflexio_core.engine.paging import Budget, Place, Row, Spot, Tokens, View, collect, listing_answer
from reflexio_core.engine.requests import load_request
from reflexio_core.errors import InvalidInput
from reflexio_core.ports.index import DocKind
from reflexio_core.ports.store import Item

REQUESTS_PER_READ = 25
"""A request's item has up to 390 KB, so one read has up to 10 MB."""


class TurnPlace(Place):
    """Behind a turn, by its sequence number, of the request that ``first_seq`` (one user) or ``sort`` (the tenant)
    names, or behind all of its turns."""

    first_seq: int = 0
    sort: Spot = ""
    turn: int | None = None


def get_interactions(engine: Engine, tenant: str, request: GetInteractionsRequest) -> View:
    """One user's turns. Raises ``InvalidInput`` for a foreign ``next_token``."""
    conditions = request.model_dump(mode="json", exclude={"next_token", "top_k"})
    tokens = Tokens.of(tenant, "get_interactions", conditions, TurnPlace)
    begin = tokens.read(request.next_token)
    budget = Budget(request.top_k or LARGEST_COUNT)
    rows = _rows(engine, _of_user(engine, tenant, request.user_id, begin), begin, Between.of(request))
    views, behind = collect(rows, budget)
    return listing_answer("interactions", views, "interaction", tokens.make(behind))


def get_all_interactions(engine: Engine, tenant: str, limit: int = 100, next_token: str | None = None) -> View:
    """Turns of every user of the tenant. Raises ``InvalidInput`` for ``limit`` or a foreign ``next_token``."""
    if limit < 1:
        raise InvalidInput("limit", f"a page holds at least one row, not {limit}")
    tokens = Tokens.of(tenant, "get_all_interactions", {}, TurnPlace)
    begin = tokens.read(next_token)
    budget = Budget(limit)
    rows = _rows(engine, _of_tenant(engine, tenant, begin), begin, ALWAYS)
    views, behind = collect(rows, budget)
    return listing_answer("interactions", views, "interaction", tokens.make(behind))


def _of_user(engine: Engine, tenant: str, user: str, begin: TurnPlace | None) -> Iterator[tuple[TurnPlace, Item]]:
    keys = engine.keys(tenant)
    before = None if begin is None else begin.first_seq + (1 if begin.turn else 0)
    while True:
        page = engine.store.query(keys.requests(user, REQUESTS_PER_READ, before_seq=before, reverse=True))
        for item in page.items:
            before = RequestRecord.of(item).first_seq
            yield TurnPlace(first_seq=before), item
        if page.token is None:
            return


def _of_tenant(engine: Engine, tenant: str, begin: TurnPlace | None) -> Iterator[tuple[TurnPlace, Item]]:
    below = None
    if begin is not None:
        # "!" sorts before whatever can follow a place, so the request itself is in again while turns of it are left.
        below = begin.sort + "!" if begin.turn else begin.sort
    items = tenant_items(engine, tenant, DocKind.INTERACTION, ALWAYS, below, REQUESTS_PER_READ)
    return ((TurnPlace(sort=sort), item) for sort, item in items)


def _rows(
    engine: Engine,
    items: Iterator[tuple[TurnPlace, Item]],
    begin: TurnPlace | None,
    between: Between,
) -> Iterator[Row[TurnPlace]]:
    for place, item in items:
        resumed = begin is not None and begin.model_copy(update={"turn": None}) == place
        record = load_request(engine, item)
        for turn in sorted(record.turns, key=attrgetter("seq"), reverse=True):
            behind = place.model_copy(update={"turn": turn.seq})
            if resumed and begin is not None and begin.turn is not None and turn.seq >= begin.turn:
                continue
            fits = between.holds(turn.data.created_at)
            yield Row(behind, interaction_view(record, turn) if fits else None)
        yield Row(place, None)
