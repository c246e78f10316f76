"""How a command fails: a type to branch on, a message, a hint at what to do next, and an exit code."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any


class ExitCode(IntEnum):
    """Exit codes of every command."""

    DONE = 0
    FAILED = 1  # the service refused, or something went wrong
    BAD_INPUT = 2  # what was typed or read cannot be used
    NO_ACCESS = 3  # no key, a wrong key, or one that may not do this
    NO_CONNECTION = 4  # the service cannot be reached, or not in time
    INTERRUPTED = 130  # as shells report Ctrl-C


class CommandFailed(Exception):
    """A command cannot do what it was asked for. ``hint`` says what to do next."""

    kind = "failed"
    exit_code = ExitCode.FAILED

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class BadInput(CommandFailed):
    """Arguments or a file that cannot be used."""

    kind = "bad_input"
    exit_code = ExitCode.BAD_INPUT


@dataclass(frozen=True, slots=True)
class Failure:
    """What is shown of an exception."""

    kind: str
    message: str
    hint: str
    exit_code: ExitCode

    def as_dict(self) -> dict[str, Any]:
        """The ``error`` of a JSON answer."""
        shown = {"type": self.kind, "message": self.message}
        return {**shown, "hint": self.hint} if self.hint else shown


def failure_of(error: Exception) -> Failure:
    """How an exception is shown. One that nobody foresaw is a fault of ours, and says so."""
    if isinstance(error, CommandFailed):
        return Failure(error.kind, str(error), error.hint, error.exit_code)
    return _of_call(error) or _of_value(error) or _unforeseen(error)


def _of_call(error: Exception) -> Failure | None:
    """What the client raises about a call."""
    from reflexio import _exceptions as api

    if not isinstance(error, api.ReflexioError):
        return None
    message = str(error)
    if isinstance(error, api.AuthenticationError):
        hint = "set REFLEXIO_API_KEY, or pass --api-key, to a key of this service"
        return Failure(error.code, message, hint, ExitCode.NO_ACCESS)
    if isinstance(error, api.ReflexioConnectionError):
        hint = "start it with `reflexio services start`, or name another with --url or REFLEXIO_URL"
        return Failure("no_connection", message, hint, ExitCode.NO_CONNECTION)
    if isinstance(error, api.ReflexioTimeoutError):
        return Failure("timeout", message, "see `reflexio services status`, then try again", ExitCode.NO_CONNECTION)
    if isinstance(error, api.ValidationError):
        return Failure(error.code, message, "", ExitCode.BAD_INPUT)
    if isinstance(error, api.RateLimitError):
        after = f"in {error.retry_after:.0f} s" if error.retry_after else "later"
        return Failure(error.code, message, f"try again {after}", ExitCode.FAILED)
    if isinstance(error, api.InvalidArgument):
        return Failure("bad_input", message, "", ExitCode.BAD_INPUT)
    if isinstance(error, api.ApiError):
        return Failure(error.code, message, "", ExitCode.FAILED)
    return Failure("unexpected_answer", message, "does --url lead to a Reflexio service?", ExitCode.FAILED)


def _of_value(error: Exception) -> Failure | None:
    """A value that a request cannot hold, found before anything was sent."""
    from pydantic import ValidationError

    if isinstance(error, ValidationError):
        # What a validator of ours raised is a sentence already; the library puts the error's kind before it.
        problems = (
            f"{_path(problem['loc'])}: {problem['msg'].removeprefix('Value error, ')}"
            for problem in error.errors(include_url=False)
        )
        return Failure("bad_input", "; ".join(problems), "", ExitCode.BAD_INPUT)
    if isinstance(error, ValueError):
        return Failure("bad_input", str(error), "", ExitCode.BAD_INPUT)
    return None


def _path(steps: tuple[int | str, ...]) -> str:
    """``("turns", 0, "role")`` as ``turns[0].role``."""
    path = ""
    for step in steps:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    return path or "the input"


def _unforeseen(error: Exception) -> Failure:
    hint = "this is a fault of the program; REFLEXIO_DEBUG=1 shows where it happened"
    return Failure("internal_error", f"{type(error).__name__}: {error}", hint, ExitCode.FAILED)
