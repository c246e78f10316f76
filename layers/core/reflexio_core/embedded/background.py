"""The service as a process of its own: start it and wait until it is ready, look for it, stop it."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from reflexio_core.embedded.data_folder import IN_PROCESS, DataFolder, DataFolderInUse, Holder
from reflexio_core.embedded.settings import EmbeddedSettings
from reflexio_core.embedded.state import ServiceState
from reflexio_core.errors import ReflexioError

START_SECONDS = 60.0
STOP_SECONDS = 15.0
"""Longer than a stop lets calls in hand finish; after it the process is killed, which loses nothing."""

LARGEST_LOG_BYTES = 10_000_000
_POLL_SECONDS = 0.02


class StartFailed(ReflexioError):
    """The service ended, or did not get ready in time; the message has what it said."""

    code = "start_failed"


class NotAService(ReflexioError):
    """The data folder is held by a program that runs the engine in itself; only its user may end that."""

    code = "not_a_service"


@dataclass(frozen=True, slots=True)
class Started:
    """A service that is ready, and whether it was there before."""

    state: ServiceState
    already: bool


def running(folder: DataFolder) -> ServiceState | None:
    """The service that is ready on this folder, or None."""
    holder = folder.holder()
    state = ServiceState.read(folder.state)
    return state if holder and state and state.pid == holder.pid else None


def start(settings: EmbeddedSettings) -> Started:
    """Start the service in the background and wait until it is ready; one that runs already is left alone.

    Raises ``StartFailed``, or ``DataFolderInUse`` if something else works on the folder.
    """
    folder = DataFolder(settings.data)
    folder.make()
    state = running(folder)
    if state:
        return Started(state, already=True)
    holder = folder.holder()
    if holder and holder.kind == IN_PROCESS:
        raise DataFolderInUse(folder.root, holder)
    _keep_log_small(folder.log)
    begin = folder.log.stat().st_size if folder.log.exists() else 0
    with folder.log.open("ab") as log:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            command(settings), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    return Started(_wait_until_ready(process, folder, begin), already=False)


def command(settings: EmbeddedSettings) -> list[str]:
    """The command line of the service."""
    flags = ["--port", str(settings.port), "--host", settings.host, "--data", str(settings.data)]
    return [sys.executable, "-m", "reflexio_core.embedded.server", *flags]


def stop(folder: DataFolder) -> Holder | None:
    """Stop the service of this folder; returns the process that was stopped, or None if there was none.

    Raises ``NotAService`` if a program that is no service holds the folder.
    """
    holder = folder.holder()
    if holder is None:
        folder.state.unlink(missing_ok=True)
        return None
    if holder.kind == IN_PROCESS:
        raise NotAService(f"process {holder.pid} runs the engine on {folder.root} in itself: end that program instead")
    # The lock is held, so the process lives and its id cannot have passed to another.
    _signal(holder, signal.SIGTERM)
    if not _ended(folder, holder, STOP_SECONDS):
        _signal(holder, signal.SIGKILL)
        _ended(folder, holder, STOP_SECONDS)
    folder.state.unlink(missing_ok=True)
    return holder


def last_lines(log: Path, count: int) -> list[str]:
    """The end of a log, empty if there is none."""
    try:
        return log.read_text(errors="replace").splitlines()[-count:]
    except FileNotFoundError:
        return []


def _wait_until_ready(process: "subprocess.Popen[bytes]", folder: DataFolder, begin: int) -> ServiceState:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        state = ServiceState.read(folder.state)
        if state and state.pid == process.pid:
            return state
        if process.poll() is not None:
            raise StartFailed(_said(folder.log, begin) or f"the service ended with exit code {process.returncode}")
        time.sleep(_POLL_SECONDS)
    process.terminate()
    raise StartFailed(f"the service was not ready after {START_SECONDS:.0f} s: {_said(folder.log, begin)}")


def _said(log: Path, begin: int) -> str:
    """The last thing a service said since ``begin``."""
    with log.open("rb") as file:
        file.seek(begin)
        lines = file.read().decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""


def _keep_log_small(log: Path) -> None:
    if log.exists() and log.stat().st_size > LARGEST_LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))


def _signal(holder: Holder, number: signal.Signals) -> None:
    try:
        os.kill(holder.pid, number)
    except ProcessLookupError:
        return  # it ended by itself in this moment


def _ended(folder: DataFolder, holder: Holder, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if folder.holder() != holder:
            return True
        time.sleep(_POLL_SECONDS)
    return False
