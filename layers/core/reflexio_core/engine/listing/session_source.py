"""Where the publications of a listing by session come from, newest first."""

from collections.abc import Iterator

from reflexio.models.interactions import GetRequestsRequest
from reflexio_core.domain.records import RequestPointer, RequestRecord
from reflexio_core.domain.views import interaction_view, request_view
from reflexio_core.engine.context import Engine
from reflexio_core.engine.listing.conditions import Between, equals
from reflexio_core.engine.listing.interactions import REQUESTS_PER_READ
from reflexio_core.engine.listing.learnings import tenant_items
from reflexio_core.engine.paging import Budget, View
from reflexio_core.engine.requests import load_request
from reflexio_core.errors import InvalidInput
from reflexio_core.ports.index import DocKind
from reflexio_core.ports.store import Item, SparseIndex

FIRST_LOOK = 3
"""Publications of a session that are read at first to see whether one is its newest: mostly the first one tells."""


class SessionSource:
    """The publications that one ``get_requests`` asks about.

    Positions are text that orders as the walk goes, the larger the newer: arrival numbers of one user, or places in
    the tenant's listing.
    """

    def __init__(self, engine: Engine, tenant: str, request: GetRequestsRequest) -> None:
        self._engine = engine
        self._tenant = tenant
        self._keys = engine.keys(tenant)
        self._request = request
        self._between = Between.of(request)

    def admits(self, record: RequestRecord) -> bool:
        """Whether the publication fits every condition."""
        request = self._request
        return (
            equals(request.user_id, record.user_id)
            and equals(request.request_id, record.request_id)
            and equals(request.session_id, record.session_id)
            and equals(request.source, record.source)
            and self._between.holds(record.created_at)
        )

    def view(self, item: Item) -> View:
        """The publication with its turns in the order of the conversation."""
        record = load_request(self._engine, item)
        turns = sorted(record.turns, key=lambda turn: turn.seq)
        return {"request": request_view(record), "interactions": [interaction_view(record, turn) for turn in turns]}

    def candidates(self, below: str | None, budget: Budget) -> Iterator[tuple[str, Item]]:
        """Publications under a position, newest first, among which the newest of every session is."""
        request = self._request
        if request.request_id is not None:
            return self._by_id(request.request_id, below)
        if request.session_id is not None:
            return self._newest_of_session(request.session_id, below, budget)
        if request.user_id is not None:
            return self._of_user(request.user_id, below)
        # Listed by the moment of admission, which ``created_at`` rounds down to seconds.
        end = None if self._between.end is None else self._between.end + 1
        between = Between(self._between.start, end)
        return tenant_items(self._engine, self._tenant, DocKind.INTERACTION, between, below, REQUESTS_PER_READ)

    def is_newest(self, record: RequestRecord, position: str, top: str, budget: Budget) -> bool:
        """Whether no publication of the session between ``position`` and ``top`` fits: then the session stands here."""
        newest = self._newest_by_user(record.session_id, top, budget)
        return all(self._position(item) <= position for item in newest)

    def of_session(self, session: str, below: str | None) -> Iterator[tuple[str, Item]]:
        """Publications of a session with their places in it, newest first within a user, as they are now."""
        while True:
            items, more = self._read_session(session, below, REQUESTS_PER_READ)
            for sort, item in items:
                below = sort
                if item is not None:
                    yield sort, item
            if not more:
                return

    def _by_id(self, request_id: str, below: str | None) -> Iterator[tuple[str, Item]]:
        pointer = self._engine.store.get(self._keys.request_pointer(request_id))
        if pointer is None or below is not None:
            return
        where = RequestPointer.of(pointer)
        item = self._engine.store.get(self._keys.request(where.user_id, where.first_seq))
        if item is not None:
            yield self._position(item), item

    def _newest_of_session(self, session: str, below: str | None, budget: Budget) -> Iterator[tuple[str, Item]]:
        if below is not None:
            return
        newest = max(self._newest_by_user(session, None, budget), key=self._position, default=None)
        if newest is not None:
            yield self._position(newest), newest

    def _newest_by_user(self, session: str, top: str | None, budget: Budget) -> Iterator[Item]:
        """For each user of a session the newest fitting publication up to ``top``."""
        below: str | None = None
        size = FIRST_LOOK
        while True:
            items, more = self._read_session(session, below, size)
            size = REQUESTS_PER_READ
            for sort, item in items:
                budget.look()
                below = sort
                if item is None or not self.admits(RequestRecord.of(item)):
                    continue
                if top is None or self._position(item) <= top:
                    yield item
                    below, more, size = self._keys.before_user(sort), self._request.user_id is None, FIRST_LOOK
                    break
            if not more:
                return

    def _read_session(self, session: str, below: str | None, size: int) -> tuple[list[tuple[str, Item | None]], bool]:
        """Some publications under a place with theirs, as they are now, None if gone; and whether there are more."""
        query = self._keys.session(session, size, user=self._request.user_id, below=below, reverse=True)
        page = self._engine.store.query_index(query)
        fresh = self._engine.store.batch_get([item.key for item in page.items])
        read = [(item.index[SparseIndex.SESSION].sort, fresh.get(item.key)) for item in page.items]
        return read, page.token is not None

    def _of_user(self, user: str, below: str | None) -> Iterator[tuple[str, Item]]:
        if below is not None and not below.isdecimal():
            raise InvalidInput("next_token", "the token belongs to another query; start again without it")
        before = None if below is None else int(below)
        while True:
            query = self._keys.requests(user, REQUESTS_PER_READ, before_seq=before, reverse=True)
            page = self._engine.store.query(query)
            for item in page.items:
                before = RequestRecord.of(item).first_seq
                yield self._position(item), item
            if page.token is None:
                return

    def _position(self, item: Item) -> str:
        if self._request.user_id is not None:
            return f"{RequestRecord.of(item).first_seq:016d}"
        return item.index[SparseIndex.LISTING].sort
