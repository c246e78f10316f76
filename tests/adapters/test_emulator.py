"""The launcher of the emulator: loopback only, never beside real credentials, gone with its starter."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from localstack.emulator import Emulator, is_healthy, refuse_real_credentials
from localstack.installation import REPOSITORY, REQUIREMENTS, EmulatorError

STARTER = """
import sys, time
from localstack.emulator import Emulator
emulator = Emulator()
emulator.start()
print(emulator.url, emulator.folder, flush=True)
time.sleep(60)
"""

COMMAND = """
import sys
from pathlib import Path
from localstack import emulator
emulator._STATE = Path({state!r})
sys.exit(emulator.main([{word!r}]))
"""


def _until(condition: Callable[[], bool]) -> bool:
    for _ in range(400):
        if condition():
            return True
        threading.Event().wait(0.05)
    return False


def test_it_answers_while_the_block_runs_and_leaves_nothing_behind() -> None:
    with Emulator() as emulator:
        assert is_healthy(emulator.url)
        assert emulator.url.startswith("http://127.0.0.1:")
        assert emulator.folder.is_dir()
        assert emulator.environment["AWS_ENDPOINT_URL"] == emulator.url
    assert not is_healthy(emulator.url)
    assert not emulator.folder.exists()


def test_it_ends_with_a_starter_that_is_killed() -> None:
    starter = subprocess.Popen([sys.executable, "-c", STARTER], stdout=subprocess.PIPE, text=True, cwd=REPOSITORY)
    assert starter.stdout is not None
    url, folder = starter.stdout.readline().split()
    assert is_healthy(url)
    os.kill(starter.pid, signal.SIGKILL)
    starter.wait(30)
    starter.stdout.close()
    assert _until(lambda: not is_healthy(url) and not Path(folder).exists())


def test_the_command_line_starts_one_and_stops_it(tmp_path: Path) -> None:
    def run(word: str) -> subprocess.CompletedProcess[str]:
        code = COMMAND.format(state=str(tmp_path / "running.json"), word=word)
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=REPOSITORY, check=False)

    first = run("start")
    assert first.returncode == 0
    url = first.stdout.split("AWS_ENDPOINT_URL=")[1].split()[0]
    assert is_healthy(url)
    assert run("start").stdout == first.stdout
    assert run("stop").returncode == 0
    assert not is_healthy(url)
    assert "no emulator" in run("stop").stderr
    assert run("restart").returncode == 2


@pytest.mark.parametrize(
    "environment",
    [
        {"AWS_ACCESS_KEY_ID": "AKIAEXAMPLE"},
        {"AWS_PROFILE": "production"},
        {"AWS_ACCESS_KEY_ID": "test", "AWS_SESSION_TOKEN": "real"},
        {"AWS_ROLE_ARN": "arn:aws:iam::1:role/x"},
        {"AWS_WEB_IDENTITY_TOKEN_FILE": "/token"},
        {"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/creds"},
    ],
)
def test_real_credentials_are_refused(environment: dict[str, str]) -> None:
    with pytest.raises(EmulatorError, match="real AWS credentials"):
        refuse_real_credentials(environment)


@pytest.mark.parametrize("environment", [{}, {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}])
def test_no_credentials_or_test_credentials_are_accepted(environment: dict[str, str]) -> None:
    refuse_real_credentials(environment)


def test_the_emulator_is_pinned_with_hashes_and_names_no_host() -> None:
    text = REQUIREMENTS.read_text()
    assert "ministack==1.5.33" in text.replace("[full]", "")
    assert "://" not in text
    pins = [line for line in text.splitlines() if "==" in line]
    assert len(pins) > 10
    assert all(line.rstrip().endswith("\\") for line in pins)
