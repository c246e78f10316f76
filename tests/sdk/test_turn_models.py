"""What a turn and a publication may hold."""

import json
from datetime import datetime, timedelta, timezone

import pytest
from pydantic import ValidationError

from reflexio.models.interactions import PublishUserInteractionRequest
from reflexio.models.turns import InteractionData, ToolUsed

JULY_2026 = 1_782_900_000


def publication(**changes: object) -> dict[str, object]:
    return {"user_id": "u", "session_id": "s", "interaction_data_list": [{"content": "hi"}], **changes}


def refusal(model: type, body: object) -> str:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(body)
    return str(caught.value)


def test_an_action_needs_a_description() -> None:
    assert "needs a user_action_description" in refusal(InteractionData, {"user_action": "click"})
    assert InteractionData(user_action="click", user_action_description="Buy").user_action == "click"


def test_an_image_comes_by_url_or_inline_but_not_both() -> None:
    body = {"interacted_image_url": "https://example.org/a.png", "image_encoding": "aGk="}
    assert "not both" in refusal(InteractionData, body)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://example.org/a", "gopher://x", "//example.org/a.png"])
def test_an_image_url_is_a_web_or_data_url(url: str) -> None:
    assert "http://, https:// or data:" in refusal(InteractionData, {"interacted_image_url": url})


@pytest.mark.parametrize(
    ("text", "seconds", "offset"),
    [
        ("2026-07-01T10:00:00+00:00", JULY_2026, 0),
        ("2026-07-01T10:00:00Z", JULY_2026, 0),
        ("2026-07-01T19:00:00+09:00", JULY_2026, 540),
        ("2026-07-01T04:30:00-05:30", JULY_2026, -330),
    ],
)
def test_a_time_with_an_offset_is_read_and_its_offset_kept(text: str, seconds: int, offset: int) -> None:
    turn = InteractionData.model_validate({"content": "x", "created_at": text})
    assert (turn.created_at, turn.utc_offset_minutes) == (seconds, offset)


def test_a_datetime_is_read_like_its_text() -> None:
    when = datetime(2026, 7, 1, 19, tzinfo=timezone(timedelta(hours=9)))
    turn = InteractionData.model_validate({"content": "x", "created_at": when})
    assert (turn.created_at, turn.utc_offset_minutes) == (JULY_2026, 540)
    assert "has no UTC offset" in refusal(InteractionData, {"created_at": when.replace(tzinfo=None)})


def test_epoch_seconds_are_taken_as_they_are_and_carry_no_offset() -> None:
    turn = InteractionData.model_validate({"content": "x", "created_at": JULY_2026})
    assert (turn.created_at, turn.utc_offset_minutes) == (JULY_2026, None)


def test_an_explicit_offset_wins_over_the_written_one() -> None:
    turn = InteractionData.model_validate({"created_at": "2026-07-01T10:00:00Z", "utc_offset_minutes": 60})
    assert turn.utc_offset_minutes == 60


@pytest.mark.parametrize("text", ["2026-07-01T10:00:00", "2026-07-01"])
def test_a_time_without_an_offset_is_refused_and_told_to_add_one(text: str) -> None:
    assert "has no UTC offset; add one" in refusal(InteractionData, {"created_at": text})


@pytest.mark.parametrize("text", ["yesterday", "", "2026-13-01T00:00:00Z"])
def test_text_that_is_no_time_is_refused_with_an_example(text: str) -> None:
    assert "send epoch seconds or ISO-8601" in refusal(InteractionData, {"created_at": text})


@pytest.mark.parametrize("seconds", [-1, 4_102_444_801, JULY_2026 * 1000, "9999-12-31T23:59:59Z"])
def test_times_outside_1970_to_2100_are_refused(seconds: object) -> None:
    assert "1970 to 2100" in refusal(InteractionData, {"created_at": seconds})


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_date_that_does_not_exist_in_utc_is_refused_not_crashed_on(text: str) -> None:
    assert "outside the years" in refusal(InteractionData, {"created_at": text})


@pytest.mark.parametrize(("given", "kept"), [(0, "0"), (None, ""), (True, "True"), ("x" * 300, "x" * 100)])
def test_a_tool_status_becomes_short_text(given: object, kept: str) -> None:
    assert ToolUsed.model_validate({"tool_name": "t", "status": given}).status == kept


def test_tool_data_keeps_json_and_loses_only_what_cannot_be_stored() -> None:
    data = json.loads('{"a\\ud800": ["b\\u0000", 1, null, {"c": "\\ud83d\\ude00"}]}')
    cleaned = ToolUsed.model_validate({"tool_name": "t", "tool_data": data}).tool_data
    assert cleaned == {"a\ufffd": ["b\ufffd", 1, None, {"c": "\U0001f600"}]}


def test_tool_data_refuses_what_json_cannot_say_and_nesting_without_end() -> None:
    assert "must be finite" in refusal(ToolUsed, {"tool_name": "t", "tool_data": {"x": float("nan")}})
    deep: dict[str, object] = {}
    for _ in range(100):
        deep = {"d": deep}
    assert "nested deeper than 64 levels" in refusal(ToolUsed, {"tool_name": "t", "tool_data": deep})


@pytest.mark.parametrize("field", ["user_id", "session_id", "request_id"])
@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("", "must not be blank"),
        ("  \t ", "must not be blank"),
        ("x" * 513, "at most 512 characters, this one has 513"),
        ("a\x00b", "control character U+0000 at position 1"),
        ("a\x85b", "control character U+0085"),
        ("a\ud800", "lone surrogate at position 1"),
    ],
)
def test_ids_are_exact_or_refused(field: str, value: str, reason: str) -> None:
    assert reason in refusal(PublishUserInteractionRequest, publication(**{field: value}))


@pytest.mark.parametrize("value", ["a#/:%b", "ü" * 512, "名前", "a b", "*", "\u202e"])
def test_ids_take_any_printable_text(value: str) -> None:
    assert PublishUserInteractionRequest.model_validate(publication(user_id=value)).user_id == value


def test_space_around_ids_is_dropped() -> None:
    request = PublishUserInteractionRequest.model_validate(publication(user_id=" u1 ", session_id="\ts1\n"))
    assert (request.user_id, request.session_id) == ("u1", "s1")


def test_forcing_and_excluding_from_learning_contradict() -> None:
    body = publication(force_extraction=True, evaluation_only=True)
    assert "exclude each other" in refusal(PublishUserInteractionRequest, body)


@pytest.mark.parametrize("half", [{"retrieval_experiment_id": "e"}, {"retrieval_experiment_arm": "holdout"}])
def test_an_experiment_needs_id_and_arm_together(half: dict[str, str]) -> None:
    assert "together or not at all" in refusal(PublishUserInteractionRequest, publication(**half))


def test_retrieved_learnings_are_counted_over_all_turns() -> None:
    turn = {"content": "x", "retrieved_learnings": [{"kind": "profile", "learning_id": "p"}] * 501}
    body = publication(interaction_data_list=[turn, turn])
    assert "at most 1000 retrieved_learnings over all turns, this one has 1002" in refusal(
        PublishUserInteractionRequest, body
    )


@pytest.mark.parametrize("source", ["Support", "a b", "-a", "a" * 129])
def test_a_source_is_a_lower_case_label(source: str) -> None:
    assert "source" in refusal(PublishUserInteractionRequest, publication(source=source))


def test_text_of_a_turn_loses_nul_and_lone_surrogates_only() -> None:
    turn = InteractionData.model_validate({"content": "a\x00b\ud800c\U0001f600\n\u202e", "role": "us\ud800er"})
    assert (turn.content, turn.role) == ("a\ufffdb\ufffdc\U0001f600\n\u202e", "us\ufffder")


def test_the_longest_turn_is_a_million_characters() -> None:
    assert len(InteractionData(content="x" * 1_000_000).content) == 1_000_000
    assert "at most 1000000" in refusal(InteractionData, {"content": "x" * 1_000_001})
