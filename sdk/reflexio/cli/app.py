"""The whole command line, put together, and how one run of it ends."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from reflexio._version import __version__
from reflexio.cli import plugins
from reflexio.cli.command import Common, JsonOption, KeyOption, UrlOption
from reflexio.cli.commands import (
    clear_user,
    config,
    context,
    doctor,
    interactions,
    playbooks,
    profiles,
    publish,
    search,
    status,
)
from reflexio.cli.env_files import load_env_files
from reflexio.cli.failures import ExitCode, Failure, failure_of
from reflexio.cli.output import Output

# Typer carries a copy of click of its own in newer releases; this is the class that both raise for bad arguments.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]


class _VersionAsked(Exception):
    """The version is all that is asked for. Whether as JSON is known once every option is read."""


def build_app() -> typer.Typer:
    """A new application with every command, also those that installed packages add."""
    app = typer.Typer(
        name="reflexio",
        help="Publish conversations, search what was learned from them, and run the service.\n\n"
        "Exit codes: 0 done, 1 refused or failed, 2 bad input, 3 no access, 4 no connection.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_root)
    for module in (publish, search, context, status, clear_user, doctor):
        module.add_to(app)
    for group in (profiles.app, playbooks.app, interactions.app, config.app, *plugins.groups()):
        app.add_typer(group)
    return app


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code. Never prints a traceback unless ``REFLEXIO_DEBUG`` asks for it."""
    load_env_files()
    output = Output(as_json="--json" in arguments)
    try:
        result = build_app()(args=list(arguments), standalone_mode=False)
    except _VersionAsked:
        output.result({"version": __version__}, f"reflexio {__version__}")
        return ExitCode.DONE
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; the interpreter must not try to flush it again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.DONE
    except typer.Abort:
        output.failure(Failure("aborted", "nothing was changed", "", ExitCode.FAILED))
        return ExitCode.FAILED
    except _UsageError as error:
        return _report_usage(output, error)
    except Exception as error:
        if os.environ.get("REFLEXIO_DEBUG"):
            raise
        failure = failure_of(error)
        output.failure(failure)
        return failure.exit_code
    return result if isinstance(result, int) else ExitCode.DONE


def _report_usage(output: Output, error: Exception) -> int:
    context_of_error = getattr(error, "ctx", None)
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    if context_of_error is not None and message == context_of_error.get_help():
        # A group that was called without a command: what it raises is its help.
        sys.stdout.write(message + "\n")
        return ExitCode.DONE
    path = context_of_error.command_path if context_of_error is not None else "reflexio"
    output.failure(Failure("bad_input", message, f"see `{path} --help`", ExitCode.BAD_INPUT))
    return ExitCode.BAD_INPUT


def _print_version(asked: bool) -> None:
    if asked:
        raise _VersionAsked


def _root(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback acts
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and exit.")
    ] = False,
    as_json: JsonOption = False,
    url: UrlOption = "",
    api_key: KeyOption = "",
) -> None:
    context.obj = Common(as_json, url, api_key)
