"""The service as a process of its own: start it and wait until it is ready, look for it, stop it.

Who works on a data folder is told by its lock and never by a process id that a file remembers: what a crash left
behind misleads nobody, and no stranger is ever stopped.
"""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from reflexio_core.embedded.data_folder import IN_PROCESS, DataFolder, DataFolderInUse, Holder
from reflexio_core.embedded.settings import EmbeddedSettings
from reflexio_core.embedded.state import ServiceState
from reflexio_core.errors import ReflexioError

START_SECONDS = 60.0
"""A cold disk and a large index take seconds; who needs a minute has a problem to tell."""

STOP_SECONDS = 15.0
"""Longer than a stop lets calls in hand finish; after it the process is killed, which loses nothing."""

HEALTH_SECONDS = 5.0
LARGEST_LOG_BYTES = 10_000_000
_TAIL_LINES = 15
_POLL_SECONDS = 0.02

# A process is reaped by whoever started it: a program that starts services and stops them leaves no zombies.
_children: dict[int, "subprocess.Popen[bytes]"] = {}


class StartFailed(ReflexioError):
    """The service ended, or did not get ready in time; the message has what it said."""

    code = "start_failed"


class StopFailed(ReflexioError):
    """The service cannot be told to stop, or does not even end when it is killed."""

    code = "stop_failed"


class NotAService(ReflexioError):
    """The data folder is held by a program that runs the engine in itself; only its user may end that."""

    code = "not_a_service"


@dataclass(frozen=True, slots=True)
class Started:
    """A service that is ready, whether it was there before, and what it printed if it was not."""

    state: ServiceState
    already: bool
    said: str = ""


def running(folder: DataFolder) -> ServiceState | None:
    """The service that is ready on this folder, or None."""
    holder = folder.holder()
    state = ServiceState.read(folder.state)
    return state if holder and state and state.pid == holder.pid else None


def health(state: ServiceState) -> str:
    """How a service answers: ``healthy``, or another word with the parts that are not in order; never raises."""
    address = urlsplit(state.url)
    # Straight to this machine: a proxy of the environment knows nothing of it.
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=HEALTH_SECONDS)
    try:
        connection.request("GET", "/health/ready")
        body = json.loads(connection.getresponse().read())
        broken = [f"{part}: {outcome}" for part, outcome in body.get("checks", {}).items() if outcome != "ok"]
        return str(body["status"]) + (f" ({', '.join(broken)})" if broken else "")
    except (OSError, http.client.HTTPException, ValueError, KeyError, AttributeError):
        return "silent"
    finally:
        connection.close()


def start(settings: EmbeddedSettings) -> Started:
    """Start the service in the background and wait until it is ready; one that runs or starts already is left alone.

    Raises ``StartFailed``, or ``DataFolderInUse`` if a program has the engine in itself there.
    """
    _forget_ended()
    folder = DataFolder(settings.data)
    folder.make()
    deadline = time.monotonic() + START_SECONDS
    other = _other(folder, deadline)
    if other:
        return Started(other, already=True)
    begin = _keep_log_small(folder.log)
    with folder.log.open("ab") as log:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            command(settings), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    _children[process.pid] = process
    try:
        state = _ready(process, folder, deadline)
    except BaseException:
        _reap(process.pid)
        raise
    if state:
        return Started(state, already=False, said=_said(folder.log, begin))
    exit_code = _reap(process.pid)
    # Two starts at once: the folder went to the other one, whose service is as good.
    other = _other(folder, deadline)
    if other:
        return Started(other, already=True)
    raise StartFailed(_said(folder.log, begin) or f"the service ended with exit code {exit_code}")


def command(settings: EmbeddedSettings) -> list[str]:
    """The command line of the service."""
    flags = ["--port", str(settings.port), "--host", settings.host, "--data", str(settings.data)]
    # -P: a file of the current folder that is named like a module is not imported in its place.
    return [sys.executable, "-P", "-m", "reflexio_core.embedded.server", *flags]


def stop(folder: DataFolder) -> Holder | None:
    """Stop the service of this folder; returns the process that was stopped, or None if there was none.

    It is killed if it does not end in time: nothing that was answered is lost by that.

    Raises ``NotAService`` if a program that is no service holds the folder, ``StopFailed``.
    """
    holder = folder.holder()
    if holder is None:
        _forget_ended()
        if folder.root.is_dir():
            folder.state.unlink(missing_ok=True)
        return None
    if holder.kind == IN_PROCESS:
        raise NotAService(f"process {holder.pid} runs the engine on {folder.root} in itself: end that program instead")
    # The lock is held, so the process lives and its id cannot have passed to another.
    for number in (signal.SIGTERM, signal.SIGKILL):
        _signal(holder, number)
        if _ended(folder, holder, STOP_SECONDS):
            _reap(holder.pid)
            return holder
    raise StopFailed(f"process {holder.pid} does not end")


def last_lines(log: Path, count: int) -> list[str]:
    """The end of a log, empty if there is none."""
    try:
        return log.read_text(errors="replace").splitlines()[-count:]
    except FileNotFoundError:
        return []


def _other(folder: DataFolder, deadline: float) -> ServiceState | None:
    """The service of another start, once it is ready; None if there is none."""
    while holder := folder.holder():
        if holder.kind == IN_PROCESS:
            raise DataFolderInUse(folder.root, holder)
        state = running(folder)
        if state:
            return state
        _pause(folder, deadline)
    return None


def _ready(process: "subprocess.Popen[bytes]", folder: DataFolder, deadline: float) -> ServiceState | None:
    """The state of our own service, which it writes when it is ready; None if it ended."""
    while process.poll() is None:
        state = ServiceState.read(folder.state)
        if state and state.pid == process.pid:
            return state
        _pause(folder, deadline)
    return None


def _pause(folder: DataFolder, deadline: float) -> None:
    if time.monotonic() > deadline:
        end = "\n".join(last_lines(folder.log, _TAIL_LINES))
        raise StartFailed(f"the service is not ready after {START_SECONDS:.0f} s:\n{end}")
    time.sleep(_POLL_SECONDS)


def _forget_ended() -> None:
    for pid, process in list(_children.items()):
        if process.poll() is not None:
            del _children[pid]


def _reap(pid: int) -> int | None:
    """End a process that we started, if it has not ended yet; its exit code."""
    process = _children.pop(pid, None)
    if process is None:
        return None
    process.terminate()
    try:
        return process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def _said(log: Path, begin: int) -> str:
    """The last lines that a service said since byte ``begin``."""
    with log.open("rb") as file:
        file.seek(begin)
        lines = file.read().decode(errors="replace").strip().splitlines()
    return "\n".join(lines[-_TAIL_LINES:])


def _keep_log_small(log: Path) -> int:
    """Set a log aside that grew large; the size of what is there now."""
    size = log.stat().st_size if log.exists() else 0
    if size <= LARGEST_LOG_BYTES:
        return size
    log.replace(log.with_suffix(".log.1"))
    return 0


def _signal(holder: Holder, number: signal.Signals) -> None:
    try:
        os.kill(holder.pid, number)
    except ProcessLookupError:
        return  # it ended by itself in this moment
    except PermissionError:
        raise StopFailed(f"process {holder.pid} belongs to another user, who must stop it") from None


def _ended(folder: DataFolder, holder: Holder, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if folder.holder() != holder:
            return True
        time.sleep(_POLL_SECONDS)
    return False
