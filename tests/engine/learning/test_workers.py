"""Any number of workers, alive or dead, learn each window once; the store alone says what is due."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reflexio_core.adapters.sqlite import SqliteStore
from reflexio_core.engine.context import Engine, EngineSettings
from reflexio_core.engine.learn import run_user
from reflexio_core.engine.sweep import recover, sweep
from reflexio_core.errors import LlmUnavailable
from tests.doubles.echo_llm import EchoLlm
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.ports import FixedClock
from tests.doubles.scripted_llm import ScriptedLlm
from tests.doubles.stepping_store import Crash, SteppingStore, crash
from tests.engine.learning.conversations import (
    USER,
    configure,
    cursor,
    fact,
    facts,
    learn,
    learn_what_is_due,
    lessons,
    say,
    status,
    windows,
)

EVERY_FACT = [f"fact: turn {number}" for number in range(6)]


def shared(owner: str) -> EngineSettings:
    """Settings of one of several processes on a store."""
    return EngineSettings(
        owner=owner, exclusive=False, storage_type="memory", storage_label="test", lease_seconds=300.0
    )


def two_workers() -> tuple[Engine, Engine]:
    """Two processes on one store, with three windows of two turns to learn."""
    first = make_engine(llm=EchoLlm(), settings=shared("first"))
    configure(first, window_size=2, stride_size=2)
    say(first, "r1", *(f"turn {number}" for number in range(6)))
    return first, replace(first, llm=EchoLlm(), settings=shared("second"))


def settle(engine: Engine) -> None:
    for _ in range(4):
        engine.clock.sleep(301)
        learn_what_is_due(engine)


def assert_learned_once(engine: Engine, where: str) -> None:
    assert facts(engine) == EVERY_FACT, where
    assert len(lessons(engine)) == len(EVERY_FACT), where
    assert [window.window.end_seq for window in windows(engine)] == [2, 4, 6], where
    assert status(engine, "r1") == ("done", "covered"), where


def test_a_second_worker_between_any_two_steps_doubles_nothing() -> None:
    first, _ = two_workers()
    counting = SteppingStore(first.store)
    learn(replace(first, store=counting))
    for at in range(1, counting.calls + 1):
        first, second = two_workers()
        learn(replace(first, store=SteppingStore(first.store, at, lambda other=second: learn(other))))
        settle(first)
        assert_learned_once(first, f"before step {at}")


def test_a_worker_that_takes_over_between_any_two_steps_wins_and_the_late_one_changes_nothing() -> None:
    """The first stalls until its lease is over; what it computed is then thrown away."""
    first, _ = two_workers()
    counting = SteppingStore(first.store)
    learn(replace(first, store=counting))
    for at in range(1, counting.calls + 1):
        first, second = two_workers()

        def take_over(other: Engine = second) -> None:
            other.clock.sleep(301)
            learn(other)

        learn(replace(first, store=SteppingStore(first.store, at, take_over)))
        settle(first)
        assert_learned_once(first, f"before step {at}")


def test_a_lease_that_is_lost_while_the_model_thinks_rolls_everything_back() -> None:
    first, second = two_workers()
    configure(first, window_size=10, stride_size=10)

    def stalled(inputs: Any) -> dict[str, Any]:
        first.clock.sleep(301)
        learn(second)
        return {"profiles": [fact("Too late", "T1", "turn 0")]}

    learn(replace(first, llm=ScriptedLlm(extract=stalled)))
    settle(first)
    assert_learned_once(first, "after the take-over")


def test_a_death_at_any_step_is_taken_over_when_the_lease_is_over() -> None:
    first, _ = two_workers()
    counting = SteppingStore(first.store)
    learn(replace(first, store=counting))
    for at in range(1, counting.calls + 1):
        first, second = two_workers()
        with pytest.raises(Crash):
            run_user(replace(first, store=SteppingStore(_DeadAfter(first.store, at), at, crash)), TENANT, USER)
        settle(second)
        assert_learned_once(second, f"before step {at}")


class _DeadAfter:
    """A store that a dead process can no longer reach: also not while its stack unwinds."""

    def __init__(self, inner: Any, at: int) -> None:
        self._inner = inner
        self._left = at - 1

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._inner, name)

        def call(*args: Any) -> Any:
            self._left -= 1
            if self._left < 0:
                raise Crash
            return method(*args)

        return call


def test_a_process_alone_on_its_store_takes_over_the_dead_one_s_work_at_once() -> None:
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", "one")
    with pytest.raises(Crash):
        run_user(replace(engine, store=SteppingStore(_DeadAfter(engine.store, 8), 8, crash)), TENANT, USER)
    alone = replace(engine.settings, owner="restarted")
    restarted = replace(engine, settings=alone)
    assert sweep(restarted) == 0
    assert recover(restarted) == 1
    learn(restarted)
    assert facts(restarted) == ["fact: one"]


def test_threads_on_one_sqlite_file_learn_each_window_once(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "record.db")
    engine = make_engine(llm=EchoLlm(), store=store, settings=shared("threads"))
    users = [f"user-{number}" for number in range(3)]
    for user in users:
        say(engine, f"r-{user}", "one", "two", user=user)
    threads = [threading.Thread(target=run_user, args=(engine, TENANT, user)) for user in users * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    for user in users:
        learn(engine, user)
        assert facts(engine, user) == ["fact: one", "fact: two"]
        assert len(windows(engine, user=user)) == 1
    assert len(engine.llm.asked) == len(users)
    store.close()


def test_the_sweep_finds_by_the_store_alone_what_is_finished_failed_or_dead() -> None:
    """Every hint is lost, and no publish comes any more."""
    clock = FixedClock()
    engine = make_engine(llm=ScriptedLlm(extract=[LlmUnavailable("down"), {}]), clock=clock, settings=shared("a"))
    say(engine, "r1", "one", user="finished")
    assert learn_what_is_due(engine) == 1
    assert status(engine, "r1") == ("pending", "retrying")
    clock.sleep(1)
    assert learn_what_is_due(engine) == 1
    assert status(engine, "r1") == ("done", "covered")
    say(engine, "r2", "one", user="dead")
    with pytest.raises(Crash):
        run_user(replace(engine, store=SteppingStore(_DeadAfter(engine.store, 6), 6, crash)), TENANT, "dead")
    assert learn_what_is_due(engine) == 0
    clock.sleep(301)
    assert learn_what_is_due(engine) == 1
    assert status(engine, "r2") == ("done", "covered")


def test_work_of_many_users_and_tenants_is_found_once_each() -> None:
    engine = make_engine(llm=EchoLlm())
    for number in range(30):
        say(engine, f"r{number}", "one", user=f"user-{number}", tenant=f"tenant-{number % 3}")
    engine.queue.sent.clear()
    assert sweep(engine) == 30
    assert len({(hint.tenant, hint.user_id) for hint, _ in engine.queue.sent}) == 30


def test_a_long_backlog_gives_way_to_others_and_is_finished_all_the_same() -> None:
    engine = make_engine(llm=EchoLlm())
    configure(engine, window_size=1, stride_size=1, user_playbook_extractor_config=None)
    say(engine, "r1", *(f"turn {number}" for number in range(45)))
    engine.queue.sent.clear()
    learn(engine)
    assert cursor(engine).completed_seq == 20
    assert [hint.user_id for hint, _ in engine.queue.sent] == [USER]
    learn(engine)
    learn(engine)
    assert cursor(engine).completed_seq == 45
