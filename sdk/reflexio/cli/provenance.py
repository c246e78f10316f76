"""Where a learning comes from, for people: the turns that it rests on, their publication, and who learned it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from reflexio.cli.listing import in_words

if TYPE_CHECKING:
    from reflexio import InteractionView, ProfileView, ReflexioClient, UserPlaybookView

_TURNS_LOOKED_AT = 5000
"""Of the turns of other publications: a learning cites what was said shortly before it."""


@dataclass(frozen=True, slots=True)
class Origin:
    """``turns`` are the cited ones that are still stored; the rest is None where the service does not know it."""

    request_id: str
    session_id: str | None
    model: str | None
    turns: Sequence["InteractionView"]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        turns = [turn.model_dump(mode="json") for turn in self.turns]
        return {"request_id": self.request_id, "session_id": self.session_id, "model": self.model, "turns": turns}

    def as_lines(self, source: str | None, quote: str | None) -> Iterator[str]:
        """For people."""
        parts = {"source": source, "request": self.request_id, "session": self.session_id, "model": self.model}
        yield from (f"  {label}: {text}" for label, text in parts.items() if text)
        if quote:
            yield f"  quote: {quote}"
        if self.turns:
            yield "  said in:"
        for turn in self.turns:
            yield f"    {turn.role} ({in_words(turn.created_at)}, interaction {turn.interaction_id}): {turn.content}"


def origin_of(client: "ReflexioClient", row: "ProfileView | UserPlaybookView", request_id: str) -> Origin:
    """Read a learning's origin from the service; ``request_id`` is the publication that it came from."""
    from reflexio import NotFoundError

    wanted = set(row.source_interaction_ids)
    found: dict[int, InteractionView] = {}
    session_id = model = None
    for session in client.get_requests(request_id=request_id).sessions if request_id else ():
        session_id = session.session_id
        for publication in session.requests:
            found |= {turn.interaction_id: turn for turn in publication.interactions if turn.interaction_id in wanted}
    if session_id is not None:
        try:
            model = client.learning_status(request_id).model
        except NotFoundError:
            model = None  # it was deleted in this moment
    if row.user_id and wanted - found.keys():
        for turn in islice(client.iter_interactions(user_id=row.user_id, top_k=100), _TURNS_LOOKED_AT):
            if turn.interaction_id in wanted:
                found[turn.interaction_id] = turn
            if not wanted - found.keys():
                break
    return Origin(request_id, session_id, model, [found[number] for number in sorted(found)])
