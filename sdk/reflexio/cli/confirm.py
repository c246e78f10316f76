"""Asking before something is lost."""

import sys

import typer

from reflexio.cli.failures import BadInput


def confirmed(question: str, yes: bool) -> None:
    """Return if the answer is yes. Raises ``typer.Abort`` for a no, ``BadInput`` where nobody can be asked."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise BadInput("this cannot be undone and there is no terminal to ask on", "pass --yes to do it")
    typer.confirm(question, abort=True, err=True)
