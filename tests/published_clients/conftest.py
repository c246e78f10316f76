"""A running service for the published clients: one that is there already, or one of its own."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from reflexio_core.adapters.onnx import default_model_dir

URL_VARIABLE = "REFLEXIO_TEST_URL"
START_SECONDS = 60.0
STOP_SECONDS = 10.0


@pytest.fixture(scope="session")
def service_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a service without a key, learning offline. ``REFLEXIO_TEST_URL`` names one that runs already."""
    if given := os.environ.get(URL_VARIABLE):
        yield given
        return
    folder = tmp_path_factory.mktemp("service")
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    process = _start(port, folder)
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_until_ready(process, url, folder / "log")
        yield url
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(STOP_SECONDS)


def _start(port: int, folder: Path) -> subprocess.Popen[bytes]:
    # Keys of a developer, in the environment or in .env files, would turn the offline learner into paid calls.
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.endswith("_API_KEY") and not name.startswith(("OPENAI_", "REFLEXIO_"))
    }
    environment |= {"HOME": str(folder), "REFLEXIO_MODEL_DIR": str(default_model_dir())}
    arguments = ["--port", str(port), "--data", str(folder / "data")]
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "reflexio_core.embedded.server", *arguments],
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )


def _wait_until_ready(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        if process.poll() is not None or time.monotonic() > deadline:
            pytest.fail(f"the service did not start:\n{log.read_text(errors='replace')[-3000:]}")
        try:
            with urllib.request.urlopen(f"{url}/health/ready", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
