"""``reflexio context``: what a search finds as text to put before a model."""

from typing import Annotated

import typer

from reflexio.cli.command import command
from reflexio.cli.commands.search import warn_if_degraded
from reflexio.cli.session import Session, nothing_of_user, user_or_default


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "context")(context)


def context(
    session: Session,
    query: Annotated[str, typer.Argument(help="The task at hand, or the user's message.")],
    user_id: Annotated[str | None, typer.Option(help="Whose learnings; else REFLEXIO_USER_ID.")] = None,
    top_k: Annotated[int, typer.Option("--top-k", "-k", min=1, max=100, help="How many of each kind.")] = 5,
    agent_version: Annotated[str | None, typer.Option(help="Only lessons for this version of the agent.")] = None,
    session_id: Annotated[str | None, typer.Option(help="Leave out what this session was given before.")] = None,
) -> None:
    """Print what a search finds as text for a prompt. Stored text in it is escaped and marked as data."""
    from reflexio.context import render

    found = session.client.search(
        query=query,
        user_id=user_or_default(user_id),
        top_k=top_k,
        agent_version=agent_version,
        session_id=session_id,
    )
    warn_if_degraded(session, found)
    text = render(found)
    if not text:
        nothing_of_user(session.output, user_id)
    session.output.result({"context": text}, text)
