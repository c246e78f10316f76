"""Starts and stops an AWS emulator on this machine: loopback only, a free port, nothing kept.

with Emulator() as emulator:
    os.environ.update(emulator.environment)   # boto3 finds it by AWS_ENDPOINT_URL
    ...

python -m localstack.emulator start           # prints the variables to export
python -m localstack.emulator stop
"""

import atexit
import functools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from localstack.installation import CACHE, EmulatorError, emulator_python

_ATTACHED = Path(__file__).resolve().parent / "attached.py"
_STATE = CACHE / "running.json"
_START_SECONDS = 60.0
_STOP_SECONDS = 20.0
_POLL_SECONDS = 0.05
_PORT_ATTEMPTS = 3

_TEST_KEYS = frozenset({"test", "testing", "local", "dummy"})
_REAL_CREDENTIALS = (
    "AWS_PROFILE",
    "AWS_SESSION_TOKEN",
    "AWS_ROLE_ARN",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
)


class Emulator:
    """A running emulator as a context manager; it ends with the process that started it, however that ends.

    ``detached`` lets it outlive its starter, for the command line. ``environment`` has the variables that lead boto3
    to it.

    Raises:
        EmulatorError: Real credentials are set, the installation failed, or it does not answer in time.
    """

    def __init__(self, *, detached: bool = False) -> None:
        self._detached = detached
        self._process: subprocess.Popen[bytes] | None = None
        self.url = ""
        self.folder = Path()

    @property
    def environment(self) -> dict[str, str]:
        """Variables for boto3: the endpoint, test credentials and a region."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": "us-east-1",
        }

    @property
    def pid(self) -> int:
        """The process id, while it runs."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start and wait until it answers."""
        refuse_real_credentials(os.environ)
        python = emulator_python()
        for attempt in range(1, _PORT_ATTEMPTS + 1):
            self.folder = Path(tempfile.mkdtemp(prefix="reflexio-emulator-"))
            self._launch(python, _free_port())
            if self._wait_for_health():
                return
            log = (self.folder / "log").read_text(errors="replace")
            self.stop()
            # Between finding a free port and using it another process may take it.
            if "already in use" not in log or attempt == _PORT_ATTEMPTS:
                raise EmulatorError(f"the emulator did not start:\n{log[-2000:]}")

    def stop(self) -> None:
        """Stop it and remove its folder. Stopping again does nothing."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            if self._process.stdin:
                self._process.stdin.close()
            self._process = None
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _launch(self, python: Path, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.folder),
            "TMPDIR": str(self.folder),  # unpacked layers stay behind there, hundreds of megabytes
            "STATE_DIR": str(self.folder / "state"),
            "BIND_HOST": "127.0.0.1",
            "GATEWAY_PORT": str(port),
            "IOT_MTLS_ENABLED": "0",  # would listen on all interfaces
        }
        program = ["-m", "ministack"] if self._detached else [str(_ATTACHED)]
        with (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and file
                [str(python), *program],
                env=environment,
                cwd=self.folder,
                stdin=subprocess.DEVNULL if self._detached else subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=self._detached,
            )

    def _wait_for_health(self) -> bool:
        assert self._process is not None
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            if is_healthy(self.url):
                return True
            time.sleep(_POLL_SECONDS)
        return False


@functools.cache
def shared_emulator() -> Emulator:
    """One emulator for this whole process, started at the first call and stopped at exit; for test fixtures."""
    emulator = Emulator()
    emulator.start()
    atexit.register(emulator.stop)
    return emulator


def refuse_real_credentials(environment: Mapping[str, str]) -> None:
    """Raise ``EmulatorError`` if the environment could reach a real account: a slip must not cost data there."""
    found = [name for name in _REAL_CREDENTIALS if environment.get(name, "") not in {"", *_TEST_KEYS}]
    if environment.get("AWS_ACCESS_KEY_ID", "test") not in _TEST_KEYS:
        found.append("AWS_ACCESS_KEY_ID")
    if found:
        raise EmulatorError(f"real AWS credentials are set ({', '.join(found)}): unset them to use the emulator")


def is_healthy(url: str) -> bool:
    """Whether an emulator answers there."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{url}/_ministack/health", timeout=1.0) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def start_detached() -> dict[str, str]:
    """Start one that outlives this process, or find the one that runs; its variables for boto3."""
    if _STATE.exists():
        state = json.loads(_STATE.read_text())
        if is_healthy(state["environment"]["AWS_ENDPOINT_URL"]):
            return dict(state["environment"])
        _STATE.unlink()
    emulator = Emulator(detached=True)
    emulator.start()
    state = {"pid": emulator.pid, "folder": str(emulator.folder), "environment": emulator.environment}
    _STATE.write_text(json.dumps(state))
    return emulator.environment


def stop_detached() -> bool:
    """Stop the one that ``start_detached`` left running; False if there is none."""
    if not _STATE.exists():
        return False
    state = json.loads(_STATE.read_text())
    url = state["environment"]["AWS_ENDPOINT_URL"]
    running = is_healthy(url)
    # A process id alone may belong to someone else by now; one whose emulator answers does not.
    if running:
        os.kill(state["pid"], signal.SIGTERM)
        deadline = time.monotonic() + _STOP_SECONDS
        while is_healthy(url):
            if time.monotonic() > deadline:
                raise EmulatorError(f"the emulator (process {state['pid']}) does not stop")
            time.sleep(_POLL_SECONDS)
    shutil.rmtree(state["folder"], ignore_errors=True)
    _STATE.unlink()
    return running


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main(arguments: list[str]) -> int:
    """``start`` or ``stop``; 0 on success, 1 when it failed, 2 for another word."""
    try:
        match arguments:
            case ["start"]:
                for name, value in start_detached().items():
                    sys.stdout.write(f"export {name}={value}\n")
            case ["stop"]:
                sys.stderr.write("stopped\n" if stop_detached() else "no emulator was running\n")
            case _:
                sys.stderr.write("usage: python -m localstack.emulator start|stop\n")
                return 2
    except EmulatorError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
