"""What fails is said, waits longer each time, and is done once in the end."""

import contextlib
import logging
from collections.abc import Sequence
from typing import Any

import pytest

from reflexio_core.engine.context import Engine
from reflexio_core.engine.learn.failure import retry_delay
from reflexio_core.engine.status import learning_status
from reflexio_core.errors import (
    LlmError,
    LlmInvalidOutput,
    LlmRejected,
    LlmUnavailable,
    LlmUsage,
    StoreUnavailable,
)
from reflexio_core.ports.store import Operation
from tests.doubles.echo_llm import EchoLlm
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.memory_store import MemoryStore
from tests.doubles.scripted_llm import ScriptedLlm
from tests.engine.learning.conversations import (
    cursor,
    fact,
    facts,
    learn,
    learn_what_is_due,
    lesson,
    lessons,
    say,
    status,
    windows,
)

GOOD = {"profiles": [fact("A fact", "T1", "one")], "playbooks": [lesson("Always", "Do it", "T1", "one")]}
COST = LlmUsage(3, 900, 30)


@pytest.mark.parametrize("failure", [LlmUnavailable, LlmRejected, LlmInvalidOutput])
def test_a_failing_model_is_named_waited_for_and_done_once_later(failure: type[LlmError]) -> None:
    errors = [failure("secret text of a provider", COST) for _ in range(10)]
    engine = make_engine(llm=ScriptedLlm(extract=[*errors, GOOD]))
    say(engine, "r1", "one")
    prepared = []
    for attempt, delay in enumerate([1, 2, 4, 8, 16, 32, 64, 128, 256, 300], start=1):
        assert learn_what_is_due(engine) == 1
        answer = learning_status(engine, TENANT, "r1")
        assert (answer["status"], answer["reason"], answer["error"]) == ("pending", "retrying", failure.code)
        assert "secret" not in str(answer)
        waiting = cursor(engine)
        assert (waiting.attempts, waiting.retry_at, waiting.completed_seq) == (attempt, engine.clock.now() + delay, 0)
        prepared.append(waiting.window)
        engine.clock.sleep(delay - 0.5)
        assert learn_what_is_due(engine) == 0
        engine.clock.sleep(0.5)
        assert status(engine, "r1") == ("pending", "queued")
    learn_what_is_due(engine)
    assert len({window.window_id for window in prepared}) == 1
    assert (facts(engine), lessons(engine)) == (["A fact"], ["Do it"])
    answer = learning_status(engine, TENANT, "r1")
    assert (answer["status"], answer["reason"], "error" in answer) == ("done", "covered", False)
    assert answer["usage"] == {"calls": 31, "prompt_tokens": 9_100, "completion_tokens": 310}
    assert (cursor(engine).attempts, cursor(engine).spent) == (0, {})
    assert learn_what_is_due(engine) == 0


def test_the_wait_grows_from_one_second_to_five_minutes() -> None:
    assert [retry_delay(attempts) for attempts in (1, 2, 3, 9, 10, 500)] == [1, 2, 4, 256, 300, 300]


def test_a_failure_while_consolidating_keeps_the_window_and_the_cost_of_both_calls() -> None:
    extract = [{"profiles": [fact("Red car", "T1", "one")]}, {"profiles": [fact("Blue car", "T2", "two")]}]
    keep = {"decisions": [{"new": "NEW-1", "action": "independent"}]}
    engine = make_engine(llm=ScriptedLlm(extract=extract, consolidate=[LlmUnavailable("down", COST), keep]))
    say(engine, "r1", "one")
    learn(engine)
    say(engine, "r2", "two")
    learn(engine)
    assert cursor(engine).spent == {"calls": 4, "prompt_tokens": 1_000, "completion_tokens": 40}
    assert facts(engine) == ["Red car"]
    engine.clock.sleep(1)
    learn_what_is_due(engine)
    assert sorted(facts(engine)) == ["Blue car", "Red car"]
    assert learning_status(engine, TENANT, "r2")["usage"]["calls"] == 6


def test_a_new_publication_waits_behind_the_window_that_fails() -> None:
    engine = make_engine(llm=ScriptedLlm(extract=[LlmUnavailable("down"), GOOD, {}]))
    say(engine, "r1", "one")
    learn(engine)
    say(engine, "r2", "two")
    learn(engine)
    assert status(engine, "r2") == ("pending", "retrying")
    assert len(engine.llm.asked) == 1
    engine.clock.sleep(1)
    learn_what_is_due(engine)
    assert (status(engine, "r1"), status(engine, "r2")) == (("done", "covered"), ("done", "covered"))


def test_one_user_s_failure_is_no_other_user_s() -> None:
    def fail_for_ana(inputs: Any) -> dict[str, Any]:
        if inputs.turns[0].text == "poison":
            raise LlmInvalidOutput("no")
        return GOOD

    engine = make_engine(llm=ScriptedLlm(extract=fail_for_ana))
    say(engine, "r1", "poison", user="ana")
    say(engine, "r2", "one", user="bob")
    learn_what_is_due(engine)
    assert (status(engine, "r1"), status(engine, "r2")) == (("pending", "retrying"), ("done", "covered"))


class Surprise(Exception):
    """Something that no port may raise."""


def test_an_unforeseen_error_is_reported_without_content_and_waits_like_any_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    engine = make_engine(llm=ScriptedLlm(extract=[Surprise("the vault code is heron"), GOOD]))
    say(engine, "r1", "one")
    with caplog.at_level(logging.INFO):
        learn(engine)
    assert "Surprise" in caplog.text
    assert "heron" not in caplog.text
    assert learning_status(engine, TENANT, "r1")["error"] == "internal_error"
    assert learn_what_is_due(engine) == 0
    engine.clock.sleep(1)
    learn_what_is_due(engine)
    assert facts(engine) == ["A fact"]


class FailingStore(MemoryStore):
    """Cannot be reached at its n-th use by the learner; with ``happened`` a commit was done all the same."""

    def __init__(self) -> None:
        super().__init__()
        self.uses = 0
        self.fails_at = 0
        self.happened = False

    def _use(self) -> bool:
        self.uses += 1
        return self.uses == self.fails_at

    def get(self, key: Any) -> Any:
        """See ``Store.get``."""
        if self._use():
            raise StoreUnavailable("the store is away")
        return super().get(key)

    def batch_get(self, keys: Any) -> Any:
        """See ``Store.batch_get``."""
        if self._use():
            raise StoreUnavailable("the store is away")
        return super().batch_get(keys)

    def query(self, query: Any) -> Any:
        """See ``Store.query``."""
        if self._use():
            raise StoreUnavailable("the store is away")
        return super().query(query)

    def commit(self, operations: Sequence[Operation]) -> None:
        """See ``Store.commit``."""
        fails = self._use()
        if not fails or self.happened:
            super().commit(operations)
        if fails:
            raise StoreUnavailable("the store is away")


def lived_through(fails_at: int, happened: bool) -> Engine:
    engine = make_engine(llm=EchoLlm(), store=FailingStore())
    say(engine, "r1", "one", "two")
    engine.store.uses, engine.store.fails_at, engine.store.happened = 0, fails_at, happened
    with contextlib.suppress(StoreUnavailable):
        learn(engine)
    engine.store.fails_at = 0
    for _ in range(4):
        engine.clock.sleep(301)
        learn_what_is_due(engine)
    return engine


@pytest.mark.parametrize("happened", [False, True])
def test_a_store_that_is_away_at_any_step_loses_and_doubles_nothing(happened: bool) -> None:
    steps = lived_through(0, happened).store.uses
    for step in range(1, steps):
        engine = lived_through(step, happened)
        assert facts(engine) == ["fact: one", "fact: two"], f"step {step}"
        assert lessons(engine) == ["lesson: one", "lesson: two"], f"step {step}"
        assert len(windows(engine)) == len(windows(engine, "playbook")) == 1, f"step {step}"
        assert status(engine, "r1") == ("done", "covered"), f"step {step}"
        assert learn_what_is_due(engine) == 0, f"step {step}"


def test_what_a_call_cost_is_counted_also_when_the_store_fails_after_it() -> None:
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", "one")

    def refuse_learnings(operations: Sequence[Operation]) -> None:
        if any(
            getattr(operation, "item", None) and operation.item.key.sk.startswith("PRO#") for operation in operations
        ):
            engine.store.before_commit = None
            raise StoreUnavailable("the store is away")

    engine.store.before_commit = refuse_learnings
    learn(engine)
    assert learning_status(engine, TENANT, "r1")["error"] == "store_unavailable"
    engine.clock.sleep(1)
    learn_what_is_due(engine)
    assert learning_status(engine, TENANT, "r1")["usage"]["calls"] == 2
