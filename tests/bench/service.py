"""A service of the benchmark's own, as a process beside it, and a bare HTTP connection to it."""

import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCRATCH = Path(__file__).parents[2] / ".cache" / "bench"
"""Where data folders are made: on the file system of the repository, so that all that is compared uses one disk."""

_READY_SECONDS = 60.0
_POLL_SECONDS = 0.005


@dataclass(frozen=True)
class Service:
    """Where it listens, its process, and the seconds from its start to its first good ``/health/ready``."""

    port: int
    pid: int
    seconds_to_ready: float

    def resident_megabytes(self) -> float:
        """Memory that the process holds now."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise RuntimeError("the system does not tell a process's memory")


@contextmanager
def scratch() -> Iterator[Path]:
    """A new folder in ``SCRATCH``, removed on leaving."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        yield Path(folder)


@contextmanager
def service(data: Path, environment: Mapping[str, str] | None = None) -> Iterator[Service]:
    """Start on a free port over a data folder; stopped on leaving."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "reflexio_core.embedded.server", "--port", "0", "--data", str(data)],
        env={**os.environ, **(environment or {"REFLEXIO_MODEL": "offline-rules"})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        port = _wait(process, data, started)
        yield Service(port, process.pid, time.perf_counter() - started)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


class Connection:
    """One kept-alive connection; raises on any status but 200."""

    def __init__(self, port: int) -> None:
        self._http = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def get(self, path: str) -> Any:
        """Answer of a GET."""
        return self._call("GET", path, None)

    def post(self, path: str, body: object) -> Any:
        """Answer of a POST."""
        return self._call("POST", path, json.dumps(body).encode())

    def close(self) -> None:
        """Hang up."""
        self._http.close()

    def _call(self, method: str, path: str, body: bytes | None) -> Any:
        self._http.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        answer = self._http.getresponse()
        data = answer.read()
        if answer.status != http.client.OK:
            raise RuntimeError(f"{method} {path}: {answer.status} {data[:300]!r}")
        return json.loads(data)


def _wait(process: subprocess.Popen[bytes], data: Path, started: float) -> int:
    state = data / "service.json"
    while time.perf_counter() - started < _READY_SECONDS:
        if process.poll() is not None:
            raise RuntimeError(f"the service ended with {process.returncode} before it was ready")
        try:
            port = int(json.loads(state.read_text())["url"].rsplit(":", 1)[1])
            connection = Connection(port)
            connection.get("/health/ready")
            connection.close()
        except (OSError, ValueError, KeyError, RuntimeError):
            time.sleep(_POLL_SECONDS)
        else:
            return port
    raise RuntimeError(f"the service was not ready within {_READY_SECONDS:.0f} s")
