"""Registers a function as a command, with the options that every command has, before its name or after it.

@command(app, "search")
def search(session: Session, query: Annotated[str, typer.Argument(help="...")]) -> None:
    ...
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Concatenate, ParamSpec

import typer

from reflexio.cli.output import Output
from reflexio.cli.session import Session

P = ParamSpec("P")

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
UrlOption = Annotated[
    str, typer.Option("--url", help="Address of the service; else REFLEXIO_URL, else where it runs here.")
]
KeyOption = Annotated[str, typer.Option("--api-key", help="Key to send; else REFLEXIO_API_KEY.")]

_CONTEXT = "typer_context"


@dataclass(frozen=True, slots=True)
class Common:
    """The common options as given before the command's name."""

    as_json: bool = False
    url: str = ""
    api_key: str = ""


def command(
    app: typer.Typer, name: str, *, remote: bool = True
) -> Callable[[Callable[Concatenate[Session, P], None]], Callable[Concatenate[Session, P], None]]:
    """Add a function to ``app``; it gets a ``Session`` as its first argument, made from the common options.

    Without ``remote`` the command talks to no service and has no options for one.
    """

    def register(function: Callable[Concatenate[Session, P], None]) -> Callable[Concatenate[Session, P], None]:
        app.command(name)(_with_common_options(function, remote))
        return function

    return register


def new_group(name: str, summary: str) -> typer.Typer:
    """A group of commands; called without one it shows its help."""
    return typer.Typer(name=name, help=summary, no_args_is_help=True, rich_markup_mode=None, add_completion=False)


def _with_common_options(function: Callable[Concatenate[Session, P], None], remote: bool) -> Callable[..., None]:
    common: dict[str, Any] = {"as_json": JsonOption}
    if remote:
        common |= {"url": UrlOption, "api_key": KeyOption}

    def run(**given: Any) -> None:
        before = given.pop(_CONTEXT).obj
        before = before if isinstance(before, Common) else Common()
        output = Output(given.pop("as_json") or before.as_json)
        session = Session(output, given.pop("url", "") or before.url, given.pop("api_key", "") or before.api_key)
        try:
            function(session, **given)  # type: ignore[call-arg]  # names are those of the signature below
        finally:
            session.close()

    # Typer reads parameters from signature and annotations: the function's own, without the session.
    own = inspect.signature(function, eval_str=True)
    parameters = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in list(own.parameters.values())[1:]
    ]
    for name, annotation in common.items():
        default: object = False if name == "as_json" else ""
        parameters.append(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
        )
    parameters.append(inspect.Parameter(_CONTEXT, inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context))
    run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__doc__ = function.__doc__
    run.__name__ = getattr(function, "__name__", "run")
    return run
