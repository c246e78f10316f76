"""Providers that refuse, stall or break: bounded retries, the right error, every call counted, nothing given away."""

import json
import logging
import traceback
from contextlib import ExitStack
from typing import Any

import pytest

from reflexio_core.errors import LlmError, LlmRejected, LlmUnavailable, LlmUsage
from reflexio_core.ports.llm import LlmSettings
from reflexio_core.tasks import EXTRACT
from tests.doubles.openai_server import API_KEY, Disconnect, Fail, Hang
from tests.llm.conftest import Asked, Serve
from tests.llm.samples import DEMO_EXTRACT

SETTINGS = LlmSettings()
ANSWER = {"profiles": [{"content": "x", "evidence": [{"turn": "T3"}]}]}


def _fails(asked: Asked, kind: type[LlmError], settings: LlmSettings = SETTINGS) -> LlmError:
    with pytest.raises(kind) as caught:
        asked.llm.run(EXTRACT, DEMO_EXTRACT, settings)
    return caught.value


def _code(status: int, code: str) -> Fail:
    return Fail(status, retry_after=0, body=json.dumps({"error": {"message": "no", "code": code}}))


@pytest.mark.parametrize("failure", [Fail(429), Fail(500), Fail(502), Fail(503), Fail(504), Disconnect()])
@pytest.mark.parametrize("times", [1, 2])
def test_what_may_pass_is_tried_again(serve: Serve, failure: Any, times: int) -> None:
    asked = serve({"extract": (*[failure] * times, ANSWER)})
    answer = asked.llm.run(EXTRACT, DEMO_EXTRACT, SETTINGS)
    assert answer.usage.calls == len(asked.server.requests) == times + 1
    assert len(asked.pauses) == times


@pytest.mark.parametrize("failure", [Fail(429), Fail(500), Fail(502), Fail(503), Fail(504), Disconnect()])
def test_after_two_retries_the_provider_is_unavailable(serve: Serve, failure: Any) -> None:
    asked = serve({"extract": failure})
    assert _fails(asked, LlmUnavailable).usage == LlmUsage(calls=3)
    assert len(asked.server.requests) == 3


def test_retries_are_counted_over_the_whole_question(serve: Serve) -> None:
    asked = serve({"extract": (Fail(503), "prose", Fail(503), Fail(503), ANSWER)})
    assert _fails(asked, LlmUnavailable).usage.calls == 4
    assert len(asked.server.requests) == 4


def test_pauses_grow_and_what_the_provider_asks_for_is_honoured(serve: Serve) -> None:
    growing = serve({"extract": Fail(503)})
    _fails(growing, LlmUnavailable)
    assert growing.pauses == [0.5, 1.0]
    told = serve({"extract": (Fail(429, retry_after=7), Fail(503, retry_after=3), ANSWER)})
    told.llm.run(EXTRACT, DEMO_EXTRACT, SETTINGS)
    assert told.pauses == [7.0, 3.0]


def test_a_long_pause_is_left_to_a_later_attempt(serve: Serve) -> None:
    asked = serve({"extract": Fail(429, retry_after=120)})
    assert _fails(asked, LlmUnavailable).usage == LlmUsage(calls=1)
    assert asked.pauses == []


def test_silence_ends_at_the_time_out(serve: Serve) -> None:
    asked = serve({"extract": Hang()})
    error = _fails(asked, LlmUnavailable, LlmSettings(timeout_seconds=0.1))
    assert "no answer in time" in str(error)
    assert error.usage == LlmUsage(calls=3)


def test_an_answer_after_a_time_out_counts(serve: Serve) -> None:
    asked = serve({"extract": (Hang(), ANSWER)})
    answer = asked.llm.run(EXTRACT, DEMO_EXTRACT, LlmSettings(timeout_seconds=0.2))
    assert answer.usage.calls == 2


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (Fail(401), "key was refused"),
        (Fail(403), "key was refused"),
        (Fail(402), "no credit"),
        (_code(429, "insufficient_quota"), "no credit"),
        (Fail(404), "no such model"),
        (_code(400, "context_length_exceeded"), "longer than the model reads"),
        (Fail(413), "longer than the model reads"),
    ],
)
def test_what_will_not_pass_is_not_tried_again(serve: Serve, failure: Fail, reason: str) -> None:
    asked = serve({"extract": failure})
    error = _fails(asked, LlmRejected)
    assert reason in str(error)
    assert error.usage == LlmUsage(calls=1)
    assert len(asked.server.requests) == 1


def test_a_missing_key_is_named_before_anything_is_sent(serve: Serve) -> None:
    asked = serve({})
    error = _fails(asked, LlmRejected, LlmSettings(generation_model="anthropic/claude-sonnet-5"))
    assert "ANTHROPIC_API_KEY" in str(error)
    assert asked.server.requests == []


def test_an_unknown_provider_is_rejected_with_the_way_out(serve: Serve) -> None:
    asked = serve({})
    error = _fails(asked, LlmRejected, LlmSettings(generation_model="nobody/at-all"))
    assert "openai/model" in str(error)
    assert error.usage == LlmUsage()


@pytest.mark.parametrize("status", [400, 500])
@pytest.mark.parametrize(
    ("refused", "forms"),
    [
        (("json_schema",), ["json_schema", "json_object"]),
        (("json_schema", "json_object"), ["json_schema", "json_object", "plain"]),
    ],
)
def test_a_refused_response_format_gives_way_to_a_looser_one(
    serve: Serve, status: int, refused: tuple[str, ...], forms: list[str]
) -> None:
    asked = serve({"extract": ANSWER}, refuses=refused, refuse_status=status)
    answer = asked.llm.run(EXTRACT, DEMO_EXTRACT, SETTINGS)
    assert len(answer.output.profiles) == 1
    assert asked.forms == forms
    assert '"profile_useful"' in asked.server.requests[-1].text, "the schema must then stand in the prompt"
    assert '"profile_useful"' not in asked.server.requests[0].text


def test_the_way_that_worked_is_remembered_for_the_model_at_that_address(serve: Serve) -> None:
    asked = serve({"extract": ANSWER}, refuses=("json_schema",))
    for _ in range(3):
        asked.llm.run(EXTRACT, DEMO_EXTRACT, SETTINGS)
    assert asked.forms == ["json_schema", "json_object", "json_object", "json_object"]
    asked.llm.run(EXTRACT, DEMO_EXTRACT, LlmSettings(generation_model="openai/another"))
    assert asked.forms[-2:] == ["json_schema", "json_object"]


def test_a_passing_failure_does_not_loosen_a_form_that_works(serve: Serve) -> None:
    asked = serve({"extract": (ANSWER, Fail(500), Fail(503), ANSWER)})
    for _ in range(2):
        asked.llm.run(EXTRACT, DEMO_EXTRACT, SETTINGS)
    assert asked.forms == ["json_schema"] * 4


def test_a_request_refused_in_every_form_is_rejected(serve: Serve) -> None:
    asked = serve({"extract": Fail(400)})
    assert _fails(asked, LlmRejected).usage == LlmUsage(calls=3)
    assert asked.forms == ["json_schema", "json_object", "plain"]


def test_a_model_without_temperature_is_asked_without(serve: Serve) -> None:
    asked = serve({"extract": ANSWER}, refuses_temperature=True)
    asked.llm.run(EXTRACT, DEMO_EXTRACT, SETTINGS)
    asked.llm.run(EXTRACT, DEMO_EXTRACT, SETTINGS)
    assert ["temperature" in request.body for request in asked.server.requests] == [True, False, False]
    assert asked.forms == ["json_schema"] * 3


def test_a_model_that_litellm_knows_to_take_no_temperature_costs_no_refused_call(serve: Serve) -> None:
    asked = serve({"extract": ANSWER})
    answer = asked.llm.run(EXTRACT, DEMO_EXTRACT, LlmSettings(generation_model="openai/gpt-5-nano"))
    assert answer.usage.calls == len(asked.server.requests) == 1
    assert "temperature" not in asked.server.requests[0].body


def test_a_server_that_is_not_there_is_unavailable(serve: Serve) -> None:
    asked = serve({}, environ={"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"})
    assert "no connection" in str(_fails(asked, LlmUnavailable))


@pytest.mark.parametrize("body", ["{}", "[]", '{"choices": []}', '"text"'])
def test_a_body_that_is_no_completion_is_a_failure_of_the_provider(serve: Serve, body: str) -> None:
    asked = serve({"extract": Fail(200, body=body)})
    assert _fails(asked, LlmUnavailable).usage.calls == 3


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 429, 500, 503])
def test_neither_keys_nor_content_stand_in_errors_or_logs(
    serve: Serve, status: int, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    turn = DEMO_EXTRACT.turns[0].model_copy(update={"text": "the word is hunter2"})
    inputs = DEMO_EXTRACT.model_copy(update={"turns": (turn,)})
    body = json.dumps({"error": {"message": f"Incorrect API key provided: {API_KEY}; prompt was: hunter2"}})
    asked = serve({"extract": Fail(status, retry_after=0, body=body)})
    with ExitStack() as stack:
        for logger in (None, "LiteLLM", "openai", "httpx"):
            stack.enter_context(caplog.at_level(logging.DEBUG, logger))
        with pytest.raises(LlmError) as caught:
            asked.llm.run(EXTRACT, inputs, SETTINGS)
    printed = capfd.readouterr()
    told = "".join(traceback.format_exception(caught.value)) + caplog.text + printed.out + printed.err
    assert API_KEY not in told
    assert "hunter2" not in told
    assert API_KEY in asked.server.requests[0].headers["authorization"], "else the test proves nothing"
