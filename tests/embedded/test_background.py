"""A service in the background: one to a folder, ready when the start returns, gone when the stop does."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reflexio_core.embedded import background
from reflexio_core.embedded.data_folder import SERVICE, DataFolder, DataFolderUnusable, FolderLock
from reflexio_core.embedded.settings import EmbeddedSettings
from reflexio_core.embedded.state import ServiceState
from tests.embedded.services import clean_environment

Settings = Callable[..., EmbeddedSettings]


@pytest.fixture(autouse=True)
def clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Services inherit the environment; without a model they are ready sooner."""
    wanted = clean_environment(tmp_path, REFLEXIO_MODEL_DIR=str(tmp_path / "no-model"))
    for name in set(os.environ) - set(wanted):
        monkeypatch.delenv(name)
    for name, value in wanted.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    """Makes settings on a folder of the test; whatever was started there is stopped."""
    made: list[Path] = []

    def make(name: str = "data", **given: int) -> EmbeddedSettings:
        made.append(tmp_path / name)
        return EmbeddedSettings(data=tmp_path / name, **{"port": 0, **given})

    yield make
    for folder in made:
        background.stop(DataFolder(folder))


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_start_returns_when_the_service_answers_and_a_stop_when_it_is_gone(settings: Settings) -> None:
    chosen = settings()
    folder = DataFolder(chosen.data)
    assert background.running(folder) is None
    started = background.start(chosen)
    assert not started.already
    assert background.health(started.state).startswith("degraded (inference: ")
    assert background.running(folder) == started.state
    stopped = background.stop(folder)
    assert stopped is not None
    assert stopped.pid == started.state.pid
    assert not _is_alive(stopped.pid)
    assert not folder.state.exists()
    assert background.running(folder) is None
    assert background.stop(folder) is None
    assert background.health(started.state) == "silent"


def test_a_second_start_finds_the_first_service(settings: Settings) -> None:
    first = background.start(settings())
    second = background.start(settings(port=1))
    assert second.already
    assert second.state == first.state


def test_starts_at_the_same_moment_share_one_service(settings: Settings) -> None:
    chosen = settings()
    started: list[background.Started] = []
    threads = [threading.Thread(target=lambda: started.append(background.start(chosen))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({one.state.pid for one in started}) == 1
    assert [one.already for one in started].count(False) == 1


def test_services_on_two_folders_run_beside_each_other(settings: Settings) -> None:
    one, other = background.start(settings("one")), background.start(settings("other"))
    assert one.state.url != other.state.url
    background.stop(DataFolder(settings("one").data))
    assert background.running(DataFolder(settings("other").data)) == other.state


def test_what_a_killed_service_left_behind_misleads_nobody(settings: Settings) -> None:
    chosen = settings()
    folder = DataFolder(chosen.data)
    killed = background.start(chosen).state.pid
    os.kill(killed, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while folder.holder() is not None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert folder.state.exists()
    assert background.running(folder) is None
    started = background.start(chosen)
    assert not started.already
    assert started.state.pid != killed


def test_a_strangers_process_id_in_the_state_file_is_never_stopped(settings: Settings) -> None:
    folder = DataFolder(settings().data)
    folder.make()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as stranger:
        state = ServiceState(
            pid=stranger.pid, url="http://127.0.0.1:1", data="", learner="", model=None, version="", started_at=0
        )
        state.write(folder.state)
        assert background.stop(folder) is None
        assert stranger.poll() is None
        assert not folder.state.exists()


def test_a_service_that_cannot_start_tells_its_reason_and_leaves_nothing(settings: Settings) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        chosen = settings(port=holder.getsockname()[1])
        with pytest.raises(background.StartFailed, match="is in use"):
            background.start(chosen)
    folder = DataFolder(chosen.data)
    assert folder.holder() is None
    assert not background._children


def test_the_reason_is_of_this_start_and_not_of_an_earlier_one(settings: Settings) -> None:
    chosen = settings()
    folder = DataFolder(chosen.data)
    folder.make()
    folder.log.write_text("an earlier failure\n")
    started = background.start(chosen)
    assert "an earlier failure" not in started.said
    assert started.said.splitlines()[-1].startswith("reflexio listens on ")


def test_a_start_that_takes_too_long_is_ended_and_says_so(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "START_SECONDS", 0.0)
    chosen = settings()
    with pytest.raises(background.StartFailed, match="not ready after 0 s"):
        background.start(chosen)
    assert DataFolder(chosen.data).holder() is None
    assert not background._children


def test_an_interrupted_start_leaves_nothing_running(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(background, "_ready", interrupt)
    chosen = settings()
    with pytest.raises(KeyboardInterrupt):
        background.start(chosen)
    assert DataFolder(chosen.data).holder() is None
    assert not background._children


def test_a_service_that_does_not_listen_to_a_stop_is_killed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "STOP_SECONDS", 0.5)
    chosen = settings()
    started = background.start(chosen)
    os.kill(started.state.pid, signal.SIGSTOP)
    stopped = background.stop(DataFolder(chosen.data))
    assert stopped is not None
    assert not _is_alive(stopped.pid)


def test_files_of_the_current_folder_are_not_imported(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "uvicorn.py").write_text("raise SystemExit('imported from the current folder')")
    assert not background.start(settings()).already


def test_a_log_that_grew_large_is_set_aside(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "LARGEST_LOG_BYTES", 10)
    folder = DataFolder(settings().data)
    folder.make()
    folder.log.write_text("a log of more than ten bytes")
    background.start(settings())
    assert folder.log.with_suffix(".log.1").read_text() == "a log of more than ten bytes"
    assert "more than ten" not in folder.log.read_text()


def test_a_folder_below_a_file_is_refused(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataFolderUnusable):
        background.start(settings("file/data"))


def test_a_start_waits_for_a_service_that_is_starting_and_notices_its_end(settings: Settings, tmp_path: Path) -> None:
    """The other start is played by a lock without a state; when it goes, this start has a service of its own."""
    chosen = settings()
    lock = FolderLock(DataFolder(chosen.data), SERVICE)
    lock.acquire()
    threading.Timer(0.2, lock.release).start()
    started = background.start(chosen)
    assert not started.already
