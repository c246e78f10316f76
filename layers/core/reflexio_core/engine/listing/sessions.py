"""Publications grouped by session, newest session first: a session stands where its newest publication does."""

from dataclasses import dataclass, field

from reflexio.models.base import LARGEST_COUNT
from reflexio.models.interactions import GetRequestsRequest
from reflexio_core.domain.records import RequestRecord
from reflexio_core.engine.context import Engine
from reflexio_core.engine.listing.session_source import SessionSource
from reflexio_core.engine.paging import Budget, Place, Spot, Tokens, View, found
from reflexio_core.ports.store import SparseIndex


class SessionPlace(Place):
    """How far a walk over sessions has come.

    ``top`` is where it began: what is published later belongs to no place of this walk. ``below`` is the publication
    at whose place it stands. While ``session`` is open, its publications under ``inner`` are still to come; ``head``
    was the first of them. ``skip`` sessions are still to be passed over.
    """

    top: Spot
    below: Spot
    session: str = ""
    head: Spot = ""
    inner: Spot | None = None
    skip: int = 0

    def closed(self) -> "SessionPlace":
        """The place behind the open session."""
        return SessionPlace(top=self.top, below=self.below, skip=self.skip)


@dataclass(slots=True)
class _Page:
    """The answer so far."""

    budget: Budget
    sessions: list[View] = field(default_factory=list)
    requests: int = 0

    def add(self, session: str, view: View) -> bool:
        """Add a publication, to the last session if it is the same. False if it does not fit any more."""
        fresh = not self.sessions or self.sessions[-1]["session_id"] != session
        if not self.budget.grant(view, rows=1 if fresh else 0):
            return False
        if fresh:
            self.sessions.append({"session_id": session, "requests": []})
        self.sessions[-1]["requests"].append(view)
        self.requests += 1
        return True


def get_requests(engine: Engine, tenant: str, request: GetRequestsRequest) -> View:
    """Publications with their turns, by session; ``top_k`` and ``offset`` count sessions.

    A session too large for one answer goes on under the same ``session_id`` on the next page. Raises
    ``InvalidInput`` for a foreign ``next_token``.
    """
    conditions = request.model_dump(mode="json", exclude={"next_token", "top_k"})
    tokens = Tokens.of(tenant, "get_requests", conditions, SessionPlace)
    page = _Page(Budget(request.top_k or LARGEST_COUNT))
    source = SessionSource(engine, tenant, request)
    token = tokens.make(_fill(page, source, tokens.read(request.next_token), request.offset or 0))
    what = f"{page.requests} request(s) in {len(page.sessions)} session(s)"
    answer: View = {
        "success": True,
        "sessions": page.sessions,
        "has_more": token is not None,
        "msg": found(what, token),
    }
    return answer if token is None else {**answer, "next_token": token}


def _fill(page: _Page, source: SessionSource, place: SessionPlace | None, offset: int) -> SessionPlace | None:
    """Fill the page from the place on; where the next page begins, or None at the end."""
    if place is not None and place.session:
        stopped = _rest_of_session(page, source, place)
        if stopped is not None:
            return stopped
        place = place.closed()
    skip = offset if place is None else place.skip
    seen: set[str] = set()
    for position, item in source.candidates(None if place is None else place.below, page.budget):
        page.budget.look()
        top = position if place is None else place.top
        record = RequestRecord.of(item)
        if source.admits(record) and record.session_id not in seen:
            # The newest publication of a session is met before its others: one look at a session tells.
            seen.add(record.session_id)
            if source.is_newest(record, position, top, page.budget):
                if skip > 0:
                    skip -= 1
                elif not page.add(record.session_id, source.view(item)):
                    return place
                else:
                    head = item.index[SparseIndex.SESSION].sort
                    opened = SessionPlace(top=top, below=position, session=record.session_id, head=head)
                    stopped = _rest_of_session(page, source, opened)
                    if stopped is not None:
                        return stopped
        place = SessionPlace(top=top, below=position, skip=skip)
        if page.budget.spent:
            return place
    return None


def _rest_of_session(page: _Page, source: SessionSource, place: SessionPlace) -> SessionPlace | None:
    """Add what follows in an open session; the place where that had to stop, or None when it is complete."""
    for sort, item in source.of_session(place.session, place.inner):
        page.budget.look()
        fits = sort != place.head and source.admits(RequestRecord.of(item))
        if fits and not page.add(place.session, source.view(item)):
            return place
        place = place.model_copy(update={"inner": sort})
        if page.budget.spent:
            return place
    return None
