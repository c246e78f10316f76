"""Commands and checks that other installed packages add, found by entry points.

The service brings ``services`` and ``model`` this way, and its part of ``doctor``. Where it is not installed, these
commands say how to get it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup
from typer.main import get_group

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
    """The groups of installed packages, and those of the service also where it is missing.

    Nothing is imported yet: the start of every other command would pay for it.
    """
    found = {point.name: point for point in entry_points(group=COMMANDS)}
    return [_group(name, found.get(name)) for name in {**_OF_THE_SERVICE, **found}]


def checks() -> list[Callable[[Path | None], Sequence[Check]]]:
    """Further checks for ``doctor``; each is called with the data folder that was named, None for the environment's."""
    return [point.load() for point in entry_points(group=CHECKS)]


def install_hint() -> str:
    """How to get the service."""
    return f"install it with: {_INSTALL}"


class _Deferred(TyperGroup):
    """A group that is imported when its commands are asked for."""

    point: ClassVar[EntryPoint | None] = None

    def list_commands(self, ctx: Any) -> list[str]:
        """Names of the commands."""
        self._load()
        return super().list_commands(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """One command."""
        self._load()
        return super().get_command(ctx, cmd_name)

    def _load(self) -> None:
        if self.commands:
            return
        if self.point is None:
            raise CommandFailed(
                f"`reflexio {self.name}` needs the service, and only its client is installed", install_hint()
            )
        self.commands = get_group(self.point.load()).commands


def _group(name: str, point: EntryPoint | None) -> typer.Typer:
    summary = _OF_THE_SERVICE.get(name) or f"From {point.dist.name if point and point.dist else 'another package'}."
    cls = type("_Deferred", (_Deferred,), {"point": point})
    return typer.Typer(
        name=name, cls=cls, help=summary, no_args_is_help=True, rich_markup_mode=None, add_completion=False
    )
