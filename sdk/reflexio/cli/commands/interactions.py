"""``reflexio interactions``: stored turns."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reflexio.cli.command import command, new_group
from reflexio.cli.listing import in_words, page_size, show_rows
from reflexio.cli.outcome import require_success
from reflexio.cli.session import Session, user_or_default

if TYPE_CHECKING:
    from reflexio import InteractionView

app = new_group("interactions", "Stored turns of conversations.")

_COLUMNS = {
    "interaction_id": "id",
    "time": "time",
    "user_id": "user",
    "session_id": "session",
    "request_id": "request",
    "role": "role",
    "content": "content",
}


@command(app, "list")
def list_interactions(
    session: Session,
    user_id: Annotated[str | None, typer.Option(help="Whose; every user's unless given.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 20,
) -> None:
    """List turns, newest first: publications by their arrival, inside one the last turn first."""
    if user_id is None:
        rows = session.client.iter_all_interactions(limit=page_size(limit))
    else:
        rows = session.client.iter_interactions(user_id=user_id, top_k=page_size(limit))
    found = list(islice(rows, page_size(limit)))
    sessions = _sessions(session, found[:limit])
    show_rows(session, [_listed(row, sessions) for row in found], limit, _COLUMNS)


def _listed(turn: "InteractionView", sessions: Mapping[str, str]) -> dict[str, Any]:
    """A turn as it is listed: with its time in words, and its session as far as that is still there."""
    shown = {"time": in_words(turn.created_at), "session_id": sessions.get(turn.request_id)}
    return {**turn.model_dump(mode="json"), **shown}


def _sessions(session: Session, turns: Sequence["InteractionView"]) -> dict[str, str]:
    """Session ids of the turns' publications, which a turn itself does not carry."""
    found: dict[str, str] = {}
    for turn in turns:
        if turn.request_id not in found:
            answer = session.client.get_requests(user_id=turn.user_id, request_id=turn.request_id, top_k=1)
            for conversation in answer.sessions:
                found[turn.request_id] = conversation.session_id
    return found


@command(app, "delete")
def delete_interaction(
    session: Session,
    interaction_id: Annotated[int, typer.Argument(help="Which one.")],
    user_id: Annotated[str | None, typer.Option(help="Whose; else REFLEXIO_USER_ID.")] = None,
) -> None:
    """Delete a turn, and what was learned from it alone."""
    answer = session.client.delete_interaction(user_or_default(user_id), interaction_id)
    require_success(answer, answer.message)
    session.output.result({"interaction_id": interaction_id}, f"deleted interaction {interaction_id}")
