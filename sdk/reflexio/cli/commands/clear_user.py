"""``reflexio clear-user``: erase a user."""

from typing import Annotated

import typer

from reflexio.cli.command import command
from reflexio.cli.confirm import confirmed
from reflexio.cli.failures import CommandFailed
from reflexio.cli.outcome import require_success
from reflexio.cli.session import Session


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "clear-user")(clear_user)


def clear_user(
    session: Session,
    user_id: Annotated[str, typer.Argument(help="Whom to erase.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Erase a user: every turn, profile and playbook, and what is being learned from them.

    Exit code 1 if nothing is stored of that user.
    """
    confirmed(f"Erase everything of user {user_id!r}?", yes)
    answer = session.client.clear_user_data(user_id)
    require_success(answer, answer.message)
    erased = [f"{count} {kind.replace('_', ' ')}" for kind, count in answer.deleted_counts.items() if count]
    if not erased:
        raise CommandFailed(f"nothing is stored of user {user_id!r}", "is the name spelled as it was when publishing?")
    session.output.result(answer.model_dump(mode="json"), f"erased user {user_id}: {', '.join(erased)}")
