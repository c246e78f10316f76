"""SIGKILL before and after every commit of publish and learn; a restart ends where the uncrashed run ends."""

import json
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def child(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.crash.child", str(data), *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def uncrashed(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict[str, object]]:
    """Commits and final state of a run that nothing disturbs."""
    run = child(folder(tmp_path_factory.mktemp("uncrashed")))
    assert run.returncode == 0, run.stderr
    ready, state = run.stdout.splitlines()
    return int(ready.split()[1]), json.loads(state)


def folder(path: Path) -> Path:
    path.mkdir(exist_ok=True)
    return path


def test_the_uncrashed_run_learns_everything(uncrashed: tuple[int, dict[str, object]]) -> None:
    commits, state = uncrashed
    assert commits >= 10
    assert sum(" PRO#" in key for key in state) == 6
    assert sum(" UPB#" in key for key in state) == 6


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_at_any_commit_and_restarted_nothing_is_lost_or_doubled(
    when: str, uncrashed: tuple[int, dict[str, object]], tmp_path: Path
) -> None:
    commits, expected = uncrashed

    def crash_and_restart(at: int) -> None:
        data = folder(tmp_path / str(at))
        crashed = child(data, str(at), when)
        assert crashed.returncode == -signal.SIGKILL, (at, crashed.stderr)
        log = data / "acknowledged"
        acknowledged = log.read_text().split() if log.exists() else []
        restarted = child(data)
        assert restarted.returncode == 0, (at, restarted.stderr)
        state = json.loads(restarted.stdout.splitlines()[1])
        for request_id in acknowledged:
            assert any(f"REQ#{request_id} POINTER" in key for key in state), (at, request_id)
        assert state == expected, at

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(crash_and_restart, range(1, commits + 1)))
