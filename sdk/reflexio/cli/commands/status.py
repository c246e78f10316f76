"""``reflexio status``: how far learning from one publication is."""

from typing import Annotated

import typer

from reflexio.cli.command import command
from reflexio.cli.session import Session


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "status")(status)


def status(
    session: Session, request_id: Annotated[str, typer.Argument(help="The id that publishing answered.")]
) -> None:
    """Show status, reason, and what learning cost."""
    answer = session.client.learning_status(request_id)
    lines = [f"{answer.status} ({answer.reason})" if answer.reason else answer.status]
    if answer.error:
        lines.append(f"last failure: {answer.error}")
    if answer.model:
        lines.append(f"model: {answer.model}")
    if answer.usage:
        lines.append("usage: " + ", ".join(f"{name} {value}" for name, value in answer.usage.items()))
    session.output.result(answer.model_dump(mode="json"), "\n".join(lines))
