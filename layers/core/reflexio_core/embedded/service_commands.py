"""``reflexio services``: run the service on this machine."""

import os
import time
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from reflexio.cli.command import command, new_group
from reflexio.cli.failures import CommandFailed
from reflexio.cli.local_service import is_same_place, service_url
from reflexio.cli.session import Session
from reflexio_core.embedded import background
from reflexio_core.embedded.data_folder import DataFolder
from reflexio_core.embedded.provider import learner_of, provider_check
from reflexio_core.embedded.reporting import reported
from reflexio_core.embedded.settings import EmbeddedSettings
from reflexio_core.embedded.state import ServiceState

app = new_group("services", "Run the service on this machine.")

_Data = Annotated[Path | None, typer.Option(help="Data folder; else REFLEXIO_DATA, else ~/.reflexio.")]


@command(app, "start", remote=False)
def start(
    session: Session,
    port: Annotated[int | None, typer.Option(min=0, max=65_535, help="Port, 0 for a free one; else 8061.")] = None,
    host: Annotated[str | None, typer.Option(help="Address; beyond 127.0.0.1 REFLEXIO_API_KEY must be set.")] = None,
    data: _Data = None,
    foreground: Annotated[bool, typer.Option("--foreground", help="Stay until Ctrl-C.")] = False,
) -> None:
    """Start the service and return when it is ready. One that runs already is left alone."""
    with reported():
        settings = EmbeddedSettings.from_environment(os.environ, port=port, host=host, data=data)
        if foreground:
            # Loaded here alone: the other commands start no server and need none of its imports.
            from reflexio_core.embedded.server import serve_in_foreground

            serve_in_foreground(settings)
            return
        started = background.start(settings)
    if started.already:
        _require_port(started.state, port)
        session.output.notice("it runs already")
    else:
        # The last line says that it listens, as the result does.
        for line in started.said.splitlines()[:-1]:
            session.output.notice(line)
    session.output.result(_data(started.state), _text(started.state), already_running=started.already)
    _warn_of_provider(session, started.state)
    if not is_same_place(service_url(), started.state.url):
        session.output.notice(f"for the other commands: export REFLEXIO_URL={started.state.url}")


@command(app, "stop", remote=False)
def stop(session: Session, data: _Data = None) -> None:
    """Stop the service of a data folder. Calls in hand finish first."""
    folder = _folder(data)
    with reported():
        stopped = background.stop(folder)
    if stopped is None:
        session.output.result({"stopped": None}, f"no service runs on {folder.root}")
        return
    session.output.result({"stopped": stopped.pid}, f"stopped the service on {folder.root} (process {stopped.pid})")


@command(app, "status", remote=False)
def status(session: Session, data: _Data = None) -> None:
    """Show the service of a data folder and its health. Exit code 1 if none is running."""
    folder = _folder(data)
    state = background.running(folder)
    if state is None:
        holder = folder.holder()
        if holder is not None:
            raise CommandFailed(f"process {holder.pid} ({holder.kind}) works on {folder.root}, no service is ready")
        raise CommandFailed(f"no service runs on {folder.root}", "start one with `reflexio services start`")
    uptime = round(time.time() - state.started_at)
    health = background.health(state)
    text = f"{_text(state)}\nhealth:  {health}\nup for:  {uptime} s"
    session.output.result({**_data(state), "health": health, "uptime_seconds": uptime}, text)
    _warn_of_provider(session, state)


@command(app, "logs", remote=False)
def logs(
    session: Session,
    data: _Data = None,
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many of the last lines.")] = 50,
) -> None:
    """Print the end of the log of a service in the background."""
    log = _folder(data).log
    found = background.last_lines(log, lines)
    if not found:
        session.output.notice(f"{log} is empty")
    session.output.result({"file": str(log), "lines": found}, "\n".join(found))


def _require_port(state: ServiceState, port: int | None) -> None:
    """Raise ``CommandFailed`` if a port was asked for and the service listens on another."""
    if port not in (None, 0) and urlsplit(state.url).port != port:
        raise CommandFailed(
            f"the service of {state.data} runs already, at {state.url} and not on port {port}",
            "stop it first with `reflexio services stop`, or name another folder with --data",
        )


def _warn_of_provider(session: Session, state: ServiceState) -> None:
    """Say so if the service learns with a provider that cannot answer, as far as this environment is the service's."""
    check = provider_check(os.environ)
    if not check.ok and learner_of(os.environ) == state.learner:
        session.output.notice(f"warning: {check.name}: {check.found}; mend: {check.mend}")


def _folder(data: Path | None) -> DataFolder:
    with reported():
        return DataFolder(EmbeddedSettings.from_environment(os.environ, data=data).data)


def _data(state: ServiceState) -> dict[str, object]:
    return state.model_dump(exclude={"started_at"})


def _text(state: ServiceState) -> str:
    model = state.model or "none; run `reflexio model prepare`"
    return "\n".join(
        (
            f"running at {state.url} (process {state.pid})",
            f"data:    {state.data}",
            f"learner: {state.learner}",
            f"model:   {model}",
            f"access:  {state.access or 'unknown'}",
        )
    )
