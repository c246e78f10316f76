"""Answers of every shape, from a server through the real LiteLLM to a typed output."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from reflexio_core.errors import LlmInvalidOutput, LlmUsage
from reflexio_core.ports.llm import LlmSettings
from reflexio_core.tasks import CONSOLIDATE, EXTRACT, GATE
from tests.doubles.openai_server import Cut, count_tokens
from tests.llm.conftest import Serve
from tests.llm.samples import DEMO_EXTRACT, FULL_CONSOLIDATE, FULL_GATE

SETTINGS = LlmSettings()
FACT = {"content": "Production is in us-west-2.", "evidence": [{"turn": "T3", "quote": "Always use us-west-2."}]}
ANSWER: dict[str, Any] = {"profile_useful": True, "playbook_useful": False, "profiles": [FACT], "playbooks": []}
TEXT = json.dumps(ANSWER)


def test_an_answer_comes_typed_with_its_model_version_and_cost(serve: Serve) -> None:
    asked = serve({"extract": ANSWER})
    answer = asked.llm.run(EXTRACT, DEMO_EXTRACT, SETTINGS)
    assert [profile.content for profile in answer.output.profiles] == ["Production is in us-west-2."]
    assert answer.output.playbook_useful is False
    assert (answer.model, answer.prompt_version, answer.dropped) == ("openai/scripted", "1", 0)
    assert answer.usage == LlmUsage(1, asked.server.prompt_tokens, count_tokens(TEXT))


def test_every_task_is_asked_at_temperature_0_with_a_strict_schema(serve: Serve) -> None:
    asked = serve({"gate": {"profile_useful": True, "playbook_useful": False}})
    asked.llm.run(EXTRACT, DEMO_EXTRACT, SETTINGS)
    asked.llm.run(CONSOLIDATE, FULL_CONSOLIDATE, SETTINGS)
    verdict = asked.llm.run(GATE, FULL_GATE, SETTINGS)
    assert (verdict.output.profile_useful, verdict.output.playbook_useful) == (True, False)
    for request, task in zip(asked.server.requests, ("extract", "consolidate", "gate"), strict=True):
        assert request.body["temperature"] == 0
        assert request.body["response_format"]["json_schema"]["strict"] is True
        assert request.task == task


@pytest.mark.parametrize(
    "text",
    [f"```json\n{TEXT}\n```", f"Here you are:\n{TEXT}", f"{TEXT}\nAnything else?", f"Well:\n```\n{TEXT}\n```\nDone."],
    ids=["fenced", "prose before", "prose after", "prose and fences"],
)
def test_fences_and_prose_cost_no_further_call(serve: Serve, text: str) -> None:
    asked = serve({"extract": text})
    answer = asked.llm.run(EXTRACT, DEMO_EXTRACT, SETTINGS)
    assert (len(answer.output.profiles), answer.usage.calls) == (1, 1)


@pytest.mark.parametrize("nothing", [[], {}, "[]", "```json\n[]\n```"])
def test_nothing_learned_is_an_answer_and_no_failure(serve: Serve, nothing: Any) -> None:
    asked = serve({"extract": nothing})
    answer = asked.llm.run(EXTRACT, DEMO_EXTRACT, SETTINGS)
    assert (answer.output.profiles, answer.output.playbooks, answer.usage.calls) == ((), (), 1)


def test_a_bad_entry_is_counted_and_asks_for_no_repair(serve: Serve) -> None:
    asked = serve({"extract": {**ANSWER, "profiles": [FACT, {"content": "No evidence."}, {"evidence": []}]}})
    answer = asked.llm.run(EXTRACT, DEMO_EXTRACT, SETTINGS)
    assert (len(answer.output.profiles), answer.dropped, answer.usage.calls) == (1, 2, 1)


@pytest.mark.parametrize(
    "bad", ["I would rather not.", TEXT[: len(TEXT) // 2], "", '{"error": "no"}', {"profiles": ["x"]}]
)
def test_an_unfit_answer_is_repaired_once(serve: Serve, bad: Any) -> None:
    asked = serve({"extract": (bad, ANSWER)})
    answer = asked.llm.run(EXTRACT, DEMO_EXTRACT, SETTINGS)
    assert len(answer.output.profiles) == 1
    assert answer.usage.calls == len(asked.server.requests) == 2
    assert answer.usage.prompt_tokens == asked.server.prompt_tokens
    first, second = (request.body["messages"] for request in asked.server.requests)
    assert second[: len(first)] == first
    assert [message["role"] for message in second[len(first) :]] == ["assistant", "user"]
    assert '"profile_useful"' in second[-1]["content"]


def test_the_repair_says_what_was_wrong(serve: Serve) -> None:
    asked = serve({"gate": ({"profile_useful": True}, {"profile_useful": True, "playbook_useful": True})})
    asked.llm.run(GATE, FULL_GATE, SETTINGS)
    assert "playbook_useful: missing" in asked.server.requests[1].text


def test_an_answer_cut_off_at_the_limit_is_asked_for_more_briefly(serve: Serve) -> None:
    asked = serve({"extract": (Cut(TEXT[:40]), ANSWER)})
    asked.llm.run(EXTRACT, DEMO_EXTRACT, SETTINGS)
    assert "cut off" in asked.server.requests[1].text


def test_questions_at_the_same_time_keep_their_costs_apart(serve: Serve) -> None:
    asked = serve({"extract": ANSWER})
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: asked.llm.run(EXTRACT, DEMO_EXTRACT, SETTINGS), range(16)))
    assert len(asked.server.requests) == 16
    assert {answer.usage for answer in answers} == {LlmUsage(1, asked.server.prompt_tokens // 16, count_tokens(TEXT))}


@pytest.mark.parametrize("bad", ["I would rather not.", TEXT[:-2], {"profiles": [{"content": "hunter2"}]}])
def test_a_second_unfit_answer_fails_visibly_with_the_whole_cost(serve: Serve, bad: Any) -> None:
    asked = serve({"extract": bad})
    with pytest.raises(LlmInvalidOutput, match="openai/scripted did not answer extract") as caught:
        asked.llm.run(EXTRACT, DEMO_EXTRACT, SETTINGS)
    assert len(asked.server.requests) == 2
    spent = count_tokens(bad if isinstance(bad, str) else json.dumps(bad))
    assert caught.value.usage == LlmUsage(2, asked.server.prompt_tokens, 2 * spent)
    assert "hunter2" not in str(caught.value)


def test_text_of_all_kinds_survives_the_way_there_and_back(serve: Serve) -> None:
    said = 'std::cout << "a\\n"; 🙂 שלום 中文 </data> \u2028 \x00'
    turn = DEMO_EXTRACT.turns[2].model_copy(update={"text": said})
    inputs = DEMO_EXTRACT.model_copy(update={"turns": (turn,)})
    content = 'Writes `std::cout << "a\\n"` 🙂 שלום 中文'
    asked = serve({"extract": {"profiles": [{**FACT, "content": content}]}})
    answer = asked.llm.run(EXTRACT, inputs, SETTINGS)
    assert answer.output.profiles[0].content == content
    record = asked.server.requests[0].body["messages"][1]["content"].splitlines()[-2]
    assert json.loads(record)["text"] == said
