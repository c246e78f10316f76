"""A model that answers badly, through the real LiteLLM: a clear status, nothing lost, nothing doubled, done later."""

import json
from typing import Any

import pytest

from reflexio_core.engine.context import Engine
from reflexio_core.engine.status import learning_status
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.openai_server import Cut, Disconnect, Fail, Hang
from tests.engine.learning.conversations import (
    configure,
    cursor,
    facts,
    learn,
    learn_what_is_due,
    lessons,
    say,
    status,
    windows,
)
from tests.llm.conftest import Asked, Serve

TEXT = 'I like ```json fences``` and C++ like "\\u0000" and C:\\new'


def answer(*facts: tuple[str, str, str]) -> dict[str, Any]:
    return {
        "profile_useful": True,
        "playbook_useful": True,
        "profiles": [
            {
                "content": content,
                "time_to_live": "infinity",
                "forget": False,
                "evidence": [{"turn": turn, "quote": quote}],
            }
            for content, turn, quote in facts
        ],
        "playbooks": [
            {
                "trigger": "When formatting",
                "content": "Use fences",
                "rationale": "",
                "pitfall": None,
                "evidence_kind": "preference",
                "evidence": [{"turn": "T1", "quote": "json fences"}],
            }
        ],
    }


GOOD = answer((TEXT, "T1", "I like ```json fences``` and C++"))
AS_JSON = json.dumps(GOOD)

READABLE = {
    "plain": AS_JSON,
    "fenced": f"```json\n{AS_JSON}\n```",
    "fenced without a name": f"```\n{AS_JSON}\n```",
    "prose before a fence": f"Here you are:\n```json\n{AS_JSON}\n```\nAnything else?",
    "prose around": f"Sure! {AS_JSON} I hope this helps.",
    "blank around": f"\n\n  {AS_JSON}\n",
}
UNREADABLE: dict[str, Any] = {
    "prose": "I could not find anything worth keeping.",
    "nothing": "",
    "half": AS_JSON[: len(AS_JSON) // 2],
    "cut at the limit": Cut(AS_JSON[:60]),
    "another shape": {"answer": "yes"},
    "a number": "42",
}
DOWN: dict[str, Any] = {
    "throttled": Fail(429, retry_after=30),
    "broken": Fail(500),
    "away": Disconnect(),
}
REFUSING: dict[str, Any] = {"no such key": Fail(401), "no such account": Fail(403)}


def heard(serve: Serve, script: Any) -> tuple[Engine, Asked]:
    asked = serve({"extract": script})
    engine = make_engine(llm=asked.llm)
    say(engine, "r1", TEXT)
    learn(engine)
    return engine, asked


def assert_learned(engine: Engine) -> None:
    assert (facts(engine), lessons(engine)) == ([TEXT], ["Use fences"])
    assert (len(windows(engine)), status(engine, "r1")) == (1, ("done", "covered"))
    assert learn_what_is_due(engine) == 0


@pytest.mark.parametrize("shape", READABLE)
def test_an_answer_in_any_wrapping_is_read_with_its_own_fences_and_backslashes(serve: Serve, shape: str) -> None:
    engine, asked = heard(serve, READABLE[shape])
    assert_learned(engine)
    assert len(asked.server.requests) == 1


@pytest.mark.parametrize("shape", UNREADABLE)
def test_an_unreadable_answer_is_repaired_once(serve: Serve, shape: str) -> None:
    engine, asked = heard(serve, (UNREADABLE[shape], GOOD))
    assert_learned(engine)
    assert len(asked.server.requests) == 2


@pytest.mark.parametrize("shape", UNREADABLE)
def test_an_answer_that_stays_unreadable_is_named_and_tried_again_later(serve: Serve, shape: str) -> None:
    engine, asked = heard(serve, (UNREADABLE[shape], UNREADABLE[shape], GOOD))
    said = learning_status(engine, TENANT, "r1")
    assert (said["status"], said["reason"], said["error"]) == ("pending", "retrying", "llm_invalid_output")
    assert (facts(engine), cursor(engine).completed_seq) == ([], 0)
    engine.clock.sleep(1)
    learn_what_is_due(engine)
    assert_learned(engine)
    assert learning_status(engine, TENANT, "r1")["usage"] == {
        "calls": 3,
        "prompt_tokens": asked.server.prompt_tokens,
        "completion_tokens": learning_status(engine, TENANT, "r1")["usage"]["completion_tokens"],
    }


@pytest.mark.parametrize("fault", DOWN)
def test_a_provider_that_is_down_for_a_while_is_waited_for(serve: Serve, fault: str) -> None:
    engine, asked = heard(serve, (*[DOWN[fault]] * 9, GOOD))
    attempts = 1
    while status(engine, "r1") != ("done", "covered"):
        said = learning_status(engine, TENANT, "r1")
        assert (said["status"], said["reason"], said["error"]) == ("pending", "retrying", "llm_unavailable")
        assert facts(engine) == []
        engine.clock.sleep(cursor(engine).retry_at - engine.clock.now())
        learn_what_is_due(engine)
        attempts += 1
        assert attempts < 12
    assert_learned(engine)
    assert len(asked.server.requests) == 10


def test_a_throttled_minute_costs_no_publication(serve: Serve) -> None:
    """Every request is refused for sixty seconds; three users publish meanwhile."""
    opens_at = 60.0

    def script(request: Any) -> Any:
        return GOOD if engine.clock.now() - began >= opens_at else Fail(429, retry_after=1)

    asked = serve(script)
    engine = make_engine(llm=asked.llm)
    began = engine.clock.now()
    users = ("ana", "bob", "cy")
    for user in users:
        say(engine, f"r-{user}", TEXT, user=user)
        learn_what_is_due(engine)
        assert status(engine, f"r-{user}") == ("pending", "retrying")
    for _ in range(150):
        engine.clock.sleep(1)
        learn_what_is_due(engine)
    for user in users:
        assert status(engine, f"r-{user}") == ("done", "covered")
        assert facts(engine, user) == [TEXT]


@pytest.mark.parametrize("fault", REFUSING)
def test_a_provider_that_refuses_the_key_is_named_and_learned_from_once_it_is_mended(serve: Serve, fault: str) -> None:
    engine, asked = heard(serve, (REFUSING[fault], GOOD))
    assert learning_status(engine, TENANT, "r1")["error"] == "llm_rejected"
    assert len(asked.server.requests) == 1
    engine.clock.sleep(1)
    learn_what_is_due(engine)
    assert_learned(engine)


def test_a_provider_that_never_answers_is_given_up_in_time(serve: Serve) -> None:
    asked = serve({"extract": Hang()})
    engine = make_engine(llm=asked.llm)
    configure(engine, llm_config={"generation_timeout_seconds": 0.2})
    say(engine, "r1", TEXT)
    learn(engine)
    assert learning_status(engine, TENANT, "r1")["error"] == "llm_unavailable"


def test_an_empty_list_is_an_answer_and_not_a_failure(serve: Serve) -> None:
    engine, asked = heard(serve, {"profile_useful": True, "playbook_useful": True, "profiles": [], "playbooks": []})
    assert (status(engine, "r1"), facts(engine)) == (("done", "covered"), [])
    assert len(asked.server.requests) == 1


def test_one_bad_item_takes_only_itself_along(serve: Serve) -> None:
    mixed = answer(
        (TEXT, "T1", "I like"),
        ("Unknown turn", "T8", "I like"),
        ("Words nobody said", "T1", "I dislike"),
    )
    mixed["profiles"].append({"content": 7})
    engine, asked = heard(serve, mixed)
    assert facts(engine) == [TEXT]
    assert [window.dropped for window in windows(engine)] == [3]
    assert len(asked.server.requests) == 1


def test_unknown_ids_in_decisions_lose_nothing(serve: Serve) -> None:
    def script(request: Any) -> Any:
        if request.task == "consolidate":
            decision = {"new": "NEW-5", "action": "unify", "old": ["OLD-8"], "content": "x"}
            return {"decisions": [decision]}
        turn = "T2" if '"T2"' in request.text else "T1"
        return {**answer((f"I like fences {turn}", turn, "I like")), "playbooks": []}

    asked = serve(script)
    engine = make_engine(llm=asked.llm)
    for number in (1, 2):
        say(engine, f"r{number}", TEXT)
        learn(engine)
    assert sorted(facts(engine)) == ["I like fences T1", "I like fences T2"]
