"""What is wired says what is missing, goes on after failures, and stops whoever still waits."""

import threading
import time
from pathlib import Path

import pytest

from reflexio_core.adapters.sqlite_index import SqliteIndex
from reflexio_core.embedded import EmbeddedSettings, Runtime, build_engine
from reflexio_core.embedded.clock import StoppableClock
from reflexio_core.embedded.data_folder import SERVICE, DataFolder
from reflexio_core.embedded.workers import AFTER_FAILURE_SECONDS
from reflexio_core.errors import IndexUnavailable, ModelMismatch, StoreUnavailable
from reflexio_core.ports.inference import ModelContract
from reflexio_core.ports.queue import Hint

SOON_SECONDS = 10.0
POLL_SECONDS = 0.01


def build(folder: Path, **environment: str) -> Runtime:
    settings = EmbeddedSettings.from_environment({}, data=folder)
    return build_engine(settings, SERVICE, environment)


def wait_for(event: threading.Event) -> None:
    assert event.wait(SOON_SECONDS)


@pytest.fixture
def without_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFLEXIO_MODEL_DIR", str(tmp_path / "no-model"))


@pytest.mark.usefixtures("without_model")
def test_what_is_missing_is_said_in_whole_sentences(tmp_path: Path) -> None:
    with build(tmp_path / "data") as runtime:
        learner, model = runtime.notices
    assert "offline learner" in learner
    assert "reflexio model prepare" in model
    assert runtime.learner == "offline-rules"


@pytest.mark.usefixtures("without_model")
def test_a_provider_key_takes_over_from_the_offline_learner(tmp_path: Path) -> None:
    with build(tmp_path / "data", OPENAI_API_KEY="sk-test") as runtime:
        assert runtime.learner.startswith("openai/") or "gpt" in runtime.learner
        assert not any("offline" in notice for notice in runtime.notices)


def test_vectors_of_another_model_are_named_at_start_and_the_folder_stays_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SqliteIndex, "prepare", refuse)
    with pytest.raises(ModelMismatch, match="built with another"):
        build(tmp_path / "data")
    assert DataFolder(tmp_path / "data").holder() is None


def refuse(_: SqliteIndex, __: ModelContract | None) -> None:
    raise ModelMismatch("built with another")


@pytest.mark.usefixtures("without_model")
def test_search_is_caught_up_again_after_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    caught_up = threading.Event()
    failures = iter([IndexUnavailable("locked"), RuntimeError("a fault of ours")])

    def follow(_: object) -> int:
        for failure in failures:
            raise failure
        caught_up.set()
        return 0

    monkeypatch.setattr("reflexio_core.embedded.workers.follow", follow)
    with build(tmp_path / "data"):
        wait_for(caught_up)


@pytest.mark.usefixtures("without_model")
def test_learning_that_fails_every_time_neither_ends_the_learner_nor_keeps_it_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[float] = []
    others = threading.Event()

    def run_user(_: object, __: str, user_id: str) -> None:
        if user_id == "other":
            others.set()
            return
        attempts.append(time.monotonic())
        runtime.engine.queue.send(Hint("learn", "t", "broken"))
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("reflexio_core.embedded.workers.run_user", run_user)
    with build(tmp_path / "data") as runtime:
        began = time.monotonic()
        runtime.engine.queue.send(Hint("learn", "t", "broken"))
        while not attempts:
            time.sleep(POLL_SECONDS)
        runtime.engine.queue.send(Hint("learn", "t", "other"))
        wait_for(others)
    most = (time.monotonic() - began) / AFTER_FAILURE_SECONDS + 1
    assert len(attempts) <= most * 4, "each of four learners pauses after a failure"


@pytest.mark.usefixtures("without_model")
def test_a_stop_ends_learning_that_does_not_end_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_work, release = threading.Event(), threading.Event()

    def run_user(*_: object) -> None:
        at_work.set()
        release.wait(SOON_SECONDS * 2)

    monkeypatch.setattr("reflexio_core.embedded.workers.run_user", run_user)
    try:
        with build(tmp_path / "data") as runtime:
            runtime.engine.queue.send(Hint("learn", "t", "u"))
            wait_for(at_work)
            began = time.monotonic()
        assert time.monotonic() - began < SOON_SECONDS
        assert DataFolder(tmp_path / "data").holder() is None
    finally:
        release.set()


def test_a_stopping_clock_wakes_every_sleeper_with_an_error_that_can_be_retried() -> None:
    clock = StoppableClock()
    threading.Timer(0.05, clock.stop).start()
    began = time.monotonic()
    with pytest.raises(StoreUnavailable, match="stopping"):
        clock.sleep(SOON_SECONDS)
    assert time.monotonic() - began < SOON_SECONDS
    with pytest.raises(StoreUnavailable):
        clock.sleep(0)
