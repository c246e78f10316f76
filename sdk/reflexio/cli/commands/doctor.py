"""``reflexio doctor``: what is missing here, and how to mend it."""

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import typer

from reflexio._exceptions import ReflexioError
from reflexio._version import __version__
from reflexio.cli import plugins
from reflexio.cli.command import command
from reflexio.cli.failures import CommandFailed, ExitCode, failure_of
from reflexio.cli.plugins import Check
from reflexio.cli.session import Session

OLDEST_PYTHON = (3, 11)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "doctor")(doctor)


def doctor(session: Session) -> None:
    """Check this installation and the service. Exit code 1 if anything needs mending."""
    checks = list(_checks(session))
    problems = [check for check in checks if not check.ok]
    rows = [{"name": check.name, "ok": check.ok, "found": check.found, "mend": check.mend} for check in checks]
    session.output.result(rows, "\n".join(_line(check) for check in checks), problems=len(problems))
    if problems:
        names = ", ".join(check.name for check in problems)
        session.output.notice(f"{len(problems)} of {len(checks)} checks found a problem: {names}")
        raise typer.Exit(ExitCode.FAILED)


def _line(check: Check) -> str:
    if check.ok:
        return f"ok       {check.name}: {check.found}"
    return f"problem  {check.name}: {check.found}" + (f"\n         mend: {check.mend}" if check.mend else "")


def _checks(session: Session) -> Iterator[Check]:
    yield _python()
    found: list[Callable[[], Sequence[Check]]] = plugins.checks()
    if not found:
        yield Check("service package", True, "not installed; this machine uses a service elsewhere")
    for check in found:
        yield from check()
    yield from _service(session)


def _python() -> Check:
    version = ".".join(str(part) for part in sys.version_info[:3])
    return Check("python", sys.version_info >= OLDEST_PYTHON, version, "install Python 3.11 or newer")


def _service(session: Session) -> Iterator[Check]:
    """Whether the service answers, is ready, and speaks our version."""
    try:
        client = session.client
        theirs = client.version()
    except (ReflexioError, CommandFailed) as error:
        failure = failure_of(error)
        yield Check("service reachable", False, failure.message, failure.hint)
        return
    yield Check("service reachable", True, client.url_endpoint)
    yield _same_version(theirs)
    try:
        health = client.health()
        learner = client.whoami().learner
    except (ReflexioError, CommandFailed) as error:
        failure = failure_of(error)
        yield Check("service ready", False, failure.message, failure.hint)
        return
    state = str(health.get("status", "unknown"))
    broken = [f"{part}: {outcome}" for part, outcome in health.get("checks", {}).items() if outcome != "ok"]
    shown = state + (f" ({', '.join(broken)})" if broken else "")
    yield Check("service ready", state == "healthy", shown, "see the service's log: `reflexio services logs`")
    yield Check("service learner", True, str(learner))


def _same_version(theirs: dict[str, Any]) -> Check:
    server, oldest = str(theirs.get("server_version", "?")), str(theirs.get("min_client_version", "0"))
    ok = _numbers(__version__) >= _numbers(oldest)
    return Check(
        "version match",
        ok,
        f"service {server}, client {__version__}, oldest client served {oldest}",
        "pip install --upgrade reflexio-serverless-sdk",
    )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
