"""What ``learning_status`` says: each status with its reason, what it cost and who learned."""

from dataclasses import replace
from typing import Any

import pytest

from reflexio.models.interactions import DeleteRequestRequest, DeleteUserInteractionRequest, LearningStatusResponse
from reflexio_core.domain.records import Cursor, Window
from reflexio_core.engine.context import Engine
from reflexio_core.engine.erase import delete_interaction, delete_request
from reflexio_core.engine.status import learning_status
from reflexio_core.errors import LlmUnavailable, NotFound
from reflexio_core.ports.store import Item, Put
from tests.doubles.echo_llm import EchoLlm
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.scripted_llm import MODEL, ScriptedLlm
from tests.engine.learning.conversations import USER, configure, learn, say, status, stored_request

OPEN = {"session_finished": False}


def test_only_more_turns_a_hint_or_time_can_bring_on_an_open_session() -> None:
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", "one", **OPEN)
    assert learning_status(engine, TENANT, "r1") == {"status": "pending", "reason": "waiting_for_window"}


def test_a_selectable_window_is_queued_before_anyone_works_on_it() -> None:
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", "one")
    assert status(engine, "r1") == ("pending", "queued")


def test_a_window_in_work_is_extracting() -> None:
    seen: list[tuple[str, str]] = []

    def look(inputs: Any) -> dict[str, Any]:
        seen.append(status(engine, "r1"))
        return {}

    engine = make_engine(llm=ScriptedLlm(extract=look))
    say(engine, "r1", "one")
    learn(engine)
    assert seen == [("processing", "extracting")]


def test_a_prepared_window_of_a_dead_worker_is_queued() -> None:
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", "one")
    window = Window(
        window_id="w",
        kind="profile",
        generation=0,
        manifest=(1,),
        new_from=1,
        end_seq=1,
        prepared_at=engine.clock.now(),
    )
    key = engine.keys(TENANT).cursor(USER, "profile")
    engine.store.commit([Put(Item(key, Cursor(window=window).body()))])
    assert status(engine, "r1") == ("pending", "queued")


def test_a_failed_window_is_retrying_and_names_the_error() -> None:
    engine = make_engine(llm=ScriptedLlm(extract=[LlmUnavailable("down"), {}]))
    say(engine, "r1", "one")
    learn(engine)
    answer = learning_status(engine, TENANT, "r1")
    assert answer == {"status": "pending", "reason": "retrying", "error": "llm_unavailable"}
    assert set(answer) <= set(LearningStatusResponse.model_fields), "a client reads all of it"


def test_the_error_stays_while_the_failed_window_waits_for_its_turn_again() -> None:
    engine = make_engine(llm=ScriptedLlm(extract=[LlmUnavailable("down"), {}]))
    say(engine, "r1", "one")
    learn(engine)
    engine.clock.advance(2)
    answer = learning_status(engine, TENANT, "r1")
    assert answer == {"status": "pending", "reason": "queued", "error": "llm_unavailable"}
    learn(engine)
    assert "error" not in learning_status(engine, TENANT, "r1")


def test_a_covered_publication_says_what_it_cost_and_who_learned() -> None:
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", "one")
    learn(engine)
    assert learning_status(engine, TENANT, "r1") == {
        "status": "done",
        "reason": "covered",
        "model": "echo",
        "usage": {"calls": 1, "prompt_tokens": 100, "completion_tokens": 10},
    }


def test_the_cost_of_a_gate_that_stayed_closed_is_told_too() -> None:
    engine = make_engine(llm=ScriptedLlm())
    configure(engine, llm_config={"should_run_model_name": "small"})
    say(engine, "r1", "one")
    learn(engine)
    answer = learning_status(engine, TENANT, "r1")
    assert (answer["model"], answer["usage"]["calls"]) == (MODEL, 1)


def test_nothing_that_may_learn_is_not_applicable() -> None:
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", "one", evaluation_only=True)
    assert learning_status(engine, TENANT, "r1") == {"status": "done", "reason": "not_applicable"}


def erase_turns(engine: Engine, *places: int) -> None:
    first = stored_request(engine, "r1").first_interaction_id
    for place in places:
        body = DeleteUserInteractionRequest(user_id=USER, interaction_id=first + place)
        assert delete_interaction(engine, TENANT, body)["success"]


def test_a_publication_without_turns_left_is_erased() -> None:
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", "one", "two", **OPEN)
    erase_turns(engine, 0, 1)
    assert status(engine, "r1") == ("done", "inputs_erased")


def test_the_turns_that_are_left_decide_whether_it_is_covered() -> None:
    engine = make_engine(llm=EchoLlm())
    configure(engine, window_size=2, stride_size=2)
    say(engine, "r1", "one", "two", "three", **OPEN)
    learn(engine)
    assert status(engine, "r1") == ("pending", "waiting_for_window")
    erase_turns(engine, 2)
    assert status(engine, "r1") == ("done", "covered")


def test_of_two_kinds_the_one_that_failed_is_told() -> None:
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", "one", **OPEN)
    key = engine.keys(TENANT).cursor(USER, "playbook")
    failing = Cursor(attempts=1, retry_at=engine.clock.now() + 9, last_error="llm_rejected")
    engine.store.commit([Put(Item(key, failing.body()))])
    answer = learning_status(engine, TENANT, "r1")
    assert (answer["reason"], answer["error"]) == ("retrying", "llm_rejected")


@pytest.mark.parametrize("name", ["never", "deleted"])
def test_an_unknown_or_deleted_publication_is_not_found(name: str) -> None:
    engine = make_engine(llm=EchoLlm())
    say(engine, "deleted", "one")
    delete_request(engine, TENANT, DeleteRequestRequest(request_id="deleted"))
    with pytest.raises(NotFound, match=name):
        learning_status(engine, TENANT, name)


def test_another_tenant_s_publication_is_not_found() -> None:
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", "one")
    with pytest.raises(NotFound):
        learning_status(engine, "other", "r1")


def test_a_window_counts_for_every_publication_that_it_takes_in_and_for_no_other() -> None:
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", "one", **OPEN)
    say(engine, "r2", "two")
    learn(engine)
    say(engine, "r3", "three")
    learn(engine)
    costs = [learning_status(engine, TENANT, name)["usage"]["calls"] for name in ("r1", "r2", "r3")]
    assert costs == [1, 1, 2]  # the third asked a second time: it has neighbours


def test_a_publication_over_several_windows_counts_them_all() -> None:
    engine = make_engine(llm=ScriptedLlm())
    configure(engine, window_size=2, stride_size=2)
    say(engine, "r1", *(f"turn {number}" for number in range(6)))
    learn(engine)
    assert learning_status(engine, TENANT, "r1")["usage"]["calls"] == 3


def test_a_status_is_the_same_on_every_process() -> None:
    """It is read from the store: another process, without a model, says the same."""
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", "one")
    learn(engine)
    other = replace(engine, llm=ScriptedLlm(), settings=replace(engine.settings, owner="other"))
    assert learning_status(other, TENANT, "r1") == learning_status(engine, TENANT, "r1")
