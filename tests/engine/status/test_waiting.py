"""A caller that waits is answered as soon as waiting longer cannot help."""

from collections.abc import Callable
from typing import Any

from reflexio.models.interactions import DeleteRequestRequest
from reflexio_core.engine.context import Engine
from reflexio_core.engine.erase import delete_request
from reflexio_core.engine.status import wait_for_learning
from reflexio_core.errors import LlmUnavailable
from reflexio_core.ports.index import DocKind
from tests.doubles.echo_llm import EchoLlm
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.ports import START, FixedClock
from tests.doubles.scripted_llm import ScriptedLlm
from tests.engine.learning.conversations import learn, learn_what_is_due, say


class BusyClock(FixedClock):
    """While somebody sleeps, something else happens."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[], object] = lambda: None

    def sleep(self, seconds: float) -> None:
        """See ``Clock.sleep``."""
        super().sleep(seconds)
        self.meanwhile()


def waiting(llm: Any, meanwhile: Callable[[Engine], object]) -> tuple[Engine, BusyClock]:
    clock = BusyClock()
    engine = make_engine(llm=llm, clock=clock)

    def once() -> None:
        clock.meanwhile = lambda: None
        meanwhile(engine)
        clock.meanwhile = once

    clock.meanwhile = once
    return engine, clock


def outcome(answer: dict[str, Any]) -> tuple[str, str, int, int]:
    names = ("learning_status", "learning_reason", "profiles_added", "playbooks_added")
    return tuple(answer[name] for name in names)  # type: ignore[return-value]


def test_a_covered_publication_is_answered_with_its_counts_and_can_be_searched() -> None:
    engine, _ = waiting(EchoLlm(), learn)
    answer = wait_for_learning(engine, TENANT, say(engine, "r1", "one", "two"))
    assert outcome(answer) == ("done", "covered", 2, 2)
    assert {kind: engine.index.count(TENANT, kind) for kind in (DocKind.PROFILE, DocKind.USER_PLAYBOOK)} == {
        DocKind.PROFILE: 2,
        DocKind.USER_PLAYBOOK: 2,
    }
    assert engine.clock.now() - START < 1


def test_counts_are_those_of_the_windows_that_took_it_in() -> None:
    engine, _ = waiting(EchoLlm(), learn)
    first = say(engine, "r1", "one", session_finished=False)
    second = say(engine, "r2", "two")
    assert outcome(wait_for_learning(engine, TENANT, second))[2:] == (2, 2)
    assert outcome(wait_for_learning(engine, TENANT, first))[2:] == (2, 2)
    third = say(engine, "r3", "three")
    assert outcome(wait_for_learning(engine, TENANT, third))[2:] == (1, 1)


def test_nothing_to_wait_for_is_answered_at_once() -> None:
    engine, clock = waiting(EchoLlm(), learn)
    answer = say(engine, "r1", "one", session_finished=False)
    assert outcome(wait_for_learning(engine, TENANT, answer)) == ("deferred", "waiting_for_window", 0, 0)
    assert clock.now() == START


def test_learning_that_takes_too_long_is_a_wait_timeout_and_goes_on() -> None:
    engine, clock = waiting(EchoLlm(), lambda engine: None)
    answer = wait_for_learning(engine, TENANT, say(engine, "r1", "one"))
    assert outcome(answer) == ("deferred", "wait_timeout", 0, 0)
    assert engine.settings.wait_seconds <= clock.now() - START <= engine.settings.wait_seconds + 1


def test_a_retry_that_succeeds_in_time_is_waited_for() -> None:
    engine, _ = waiting(ScriptedLlm(extract=[LlmUnavailable("down"), {}]), learn_what_is_due)
    answer = wait_for_learning(engine, TENANT, say(engine, "r1", "one"))
    assert outcome(answer) == ("done", "covered", 0, 0)


def test_a_publication_that_is_deleted_meanwhile_is_erased_and_not_an_error() -> None:
    engine, _ = waiting(EchoLlm(), lambda engine: delete_request(engine, TENANT, DeleteRequestRequest(request_id="r1")))
    answer = wait_for_learning(engine, TENANT, say(engine, "r1", "one"))
    assert outcome(answer) == ("done", "inputs_erased", 0, 0)


def test_a_refused_publication_is_not_waited_for() -> None:
    engine, clock = waiting(EchoLlm(), learn)
    refused = {"success": False, "request_id": "r1"}
    assert wait_for_learning(engine, TENANT, refused) == refused
    assert clock.now() == START


def test_what_was_covered_can_be_searched_also_in_the_moment_before_the_learner_projects() -> None:
    engine, _ = waiting(EchoLlm(), learn)
    answer = say(engine, "r1", "one")
    engine.index.down = True
    learn(engine)
    engine.index.down = False
    assert engine.index.count(TENANT, DocKind.PROFILE) == 0
    wait_for_learning(engine, TENANT, answer)
    assert engine.index.count(TENANT, DocKind.PROFILE) == 1
