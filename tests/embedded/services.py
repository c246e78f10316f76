"""Runs the real service as a child process on a folder of the test."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from reflexio import ReflexioClient
from reflexio_core.adapters.onnx import default_model_dir
from reflexio_core.embedded.data_folder import DataFolder
from reflexio_core.embedded.state import ServiceState

START_SECONDS = 60.0
STOP_SECONDS = 20.0
POLL_SECONDS = 0.01


def clean_environment(home: Path, **extra: str) -> dict[str, str]:
    """An environment without providers, keys and settings, whose home has no settings either."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.endswith(("_API_KEY", "_API_BASE", "_BASE_URL")) and not name.startswith("REFLEXIO_")
    }
    model = {"REFLEXIO_MODEL_DIR": str(default_model_dir().absolute())}
    return {**kept, **model, "HOME": str(home), **extra}


@dataclass
class Service:
    """A service on ``folder``; as a context manager it is ready inside the block and stopped after it."""

    folder: Path
    arguments: Sequence[str] = ("--port", "0")
    extra: Mapping[str, str] = field(default_factory=dict)
    process: "subprocess.Popen[str] | None" = None
    clients: list[ReflexioClient] = field(default_factory=list)

    def launch(self) -> "subprocess.Popen[str]":
        """Start the process and do not wait for it."""
        home = next(place for place in self.folder.parents if place.is_dir())
        self.process = subprocess.Popen(
            [sys.executable, "-m", "reflexio_core.embedded.server", "--data", str(self.folder), *self.arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=home,
            env=clean_environment(home, **self.extra),
        )
        return self.process

    def refusal(self) -> tuple[int, str]:
        """Exit code and message of a service that does not start."""
        process = self.launch()
        _, said = process.communicate(timeout=START_SECONDS)
        return process.returncode, said

    def start(self) -> Self:
        """Start, and wait until it is ready."""
        process = self.launch()
        deadline = time.monotonic() + START_SECONDS
        while self.state_or_none() is None:
            if process.poll() is not None:
                raise AssertionError(f"the service ended: {process.communicate()}")
            assert time.monotonic() < deadline, "the service does not get ready"
            time.sleep(POLL_SECONDS)
        return self

    def state_or_none(self) -> ServiceState | None:
        """The state of this process, once it is ready."""
        assert self.process is not None
        state = ServiceState.read(DataFolder(self.folder).state)
        return state if state and state.pid == self.process.pid else None

    @property
    def state(self) -> ServiceState:
        """The state of this process."""
        state = self.state_or_none()
        assert state is not None
        return state

    def client(self, api_key: str = "") -> ReflexioClient:
        """A client of it, closed with the block."""
        client = ReflexioClient(url_endpoint=self.state.url, api_key=api_key, timeout=30)
        self.clients.append(client)
        return client

    def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str, str]:
        """Signal it; exit code, standard output and standard error once it ended."""
        assert self.process is not None
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=STOP_SECONDS)
        return self.process.returncode, out, err

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        for client in self.clients:
            client.close()
        if self.process is not None and self.process.returncode is None:
            self.stop()
