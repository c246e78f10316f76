"""``reflexio doctor``: what is missing here, and how to mend it."""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from reflexio._exceptions import ReflexioError
from reflexio._version import __version__
from reflexio.cli import plugins
from reflexio.cli.command import command
from reflexio.cli.failures import CommandFailed, ExitCode, failure_of
from reflexio.cli.local_service import is_same_place, running_url
from reflexio.cli.plugins import Check
from reflexio.cli.session import Session

OLDEST_PYTHON = (3, 11)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "doctor")(doctor)


def doctor(
    session: Session,
    data: Annotated[Path | None, typer.Option(help="Data folder; else REFLEXIO_DATA, else ~/.reflexio.")] = None,
) -> None:
    """Check this installation, the provider that learns and the service. Exit code 1 if anything needs mending.

    Of a provider at an address of your own it asks which models there are; of others it looks at the key alone.
    """
    session.data = data
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
    found: list[Callable[[Path | None], Sequence[Check]]] = plugins.checks()
    if not found:
        yield Check("service package", True, "not installed; this machine uses a service elsewhere")
    for check in found:
        yield from check(session.data)
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
    yield from _other_service(client.url_endpoint, session.data)
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


def _other_service(called: str, data: Path | None) -> Iterator[Check]:
    """A service that runs on the data folder while the commands call another one."""
    here = running_url(data=data)
    if here is not None and not is_same_place(here, called):
        found = f"commands call {called}, and the service of the data folder listens on {here}"
        yield Check("service called", False, found, "unset REFLEXIO_URL and leave out --url, or stop one of the two")


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
