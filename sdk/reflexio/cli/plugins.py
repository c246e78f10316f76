"""Commands and checks that other installed packages add, found by entry points.

The service brings ``services`` and ``model`` this way, and its part of ``doctor``. Where it is not installed, these
commands say how to get it.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

import typer

from reflexio.cli.failures import CommandFailed

COMMANDS = "reflexio.cli"
CHECKS = "reflexio.doctor"

_OF_THE_SERVICE = {"services": "Run the service on this machine.", "model": "The embedding model of the service."}
_INSTALL = 'pip install "reflexio-serverless[embedded]"'


@dataclass(frozen=True, slots=True)
class Check:
    """One line of ``doctor``: what was looked at, what was found, and how to mend it if it is not in order."""

    name: str
    ok: bool
    found: str
    mend: str = ""


def groups() -> list[typer.Typer]:
    """The groups of installed packages, and stand-ins for those of the service if it is missing."""
    found = {point.name: point for point in entry_points(group=COMMANDS)}
    # Only the group that was asked for is imported: the others would cost their start-up time.
    asked = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    loaded: list[typer.Typer] = []
    for name in {**_OF_THE_SERVICE, **found}:
        summary = _OF_THE_SERVICE.get(name, "")
        if name in found and (name == asked or name not in _OF_THE_SERVICE):
            loaded.append(found[name].load())
        elif name in found:
            loaded.append(_later(name, summary, found[name].load))
        else:
            loaded.append(_missing(name, summary))
    return loaded


def checks() -> list[Callable[[], Sequence[Check]]]:
    """Further checks for ``doctor``."""
    return [point.load() for point in entry_points(group=CHECKS)]


def install_hint() -> str:
    """How to get the service."""
    return f"install it with: {_INSTALL}"


def _missing(name: str, summary: str) -> typer.Typer:
    def refuse() -> None:
        raise CommandFailed(f"`reflexio {name}` needs the service, and only its client is installed", install_hint())

    return _stand_in(name, summary, refuse)


def _later(name: str, summary: str, load: Callable[[], Any]) -> typer.Typer:
    def run(context: typer.Context) -> None:
        load()(args=list(context.args), prog_name=context.command_path, standalone_mode=False)

    return _stand_in(name, summary, run)


def _stand_in(name: str, summary: str, run: Callable[..., None]) -> typer.Typer:
    app = typer.Typer(name=name, help=summary, rich_markup_mode=None, add_completion=False)
    anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    app.callback(invoke_without_command=True, context_settings=anything)(run)
    return app
