"""``reflexio interactions``: stored turns."""

from typing import Annotated

import typer

from reflexio.cli.command import command, new_group
from reflexio.cli.listing import page_size, show_first
from reflexio.cli.outcome import require_success
from reflexio.cli.session import Session, user_or_default

app = new_group("interactions", "Stored turns of conversations.")

_COLUMNS = {
    "interaction_id": "id",
    "user_id": "user",
    "role": "role",
    "content": "content",
}


@command(app, "list")
def list_interactions(
    session: Session,
    user_id: Annotated[str | None, typer.Option(help="Whose; every user's unless given.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 20,
) -> None:
    """List turns, newest first."""
    if user_id is None:
        rows = session.client.iter_all_interactions(limit=page_size(limit))
    else:
        rows = session.client.iter_interactions(user_id=user_id, top_k=page_size(limit))
    show_first(session, rows, limit, _COLUMNS)


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
