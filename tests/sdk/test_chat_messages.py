"""Messages as chat interfaces have them are published as turns, and what is left out is said."""

import copy
from typing import Any

import pytest

from reflexio.models.interactions import PublishUserInteractionRequest
from reflexio.models.lenient import EmptyPublishError, kept_rows, prepare_publish

IMAGE = "https://img.test/a.png"
LONG = "A" * 3000


def _mended(*rows: Any) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows that are stored of these messages, and the warnings."""
    sent = {"user_id": "u", "session_id": "s", "messages": list(rows)}
    before = copy.deepcopy(sent)
    body, warnings = prepare_publish(sent)
    assert sent == before
    PublishUserInteractionRequest.model_validate(body)
    return body["interaction_data_list"], warnings


def test_texts_in_parts_are_joined() -> None:
    parts = [{"type": "text", "text": "one"}, {"type": "input_text", "text": "two"}]
    rows, warnings = _mended({"role": "user", "content": parts})
    assert rows == [{"role": "user", "content": "one\ntwo"}]
    assert warnings == []


@pytest.mark.parametrize(
    ("part", "field", "value"),
    [
        ({"type": "image_url", "image_url": {"url": IMAGE}}, "interacted_image_url", IMAGE),
        ({"type": "input_image", "image_url": IMAGE}, "interacted_image_url", IMAGE),
        ({"type": "image", "source": {"type": "url", "url": IMAGE}}, "interacted_image_url", IMAGE),
        (
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QQ=="}},
            "interacted_image_url",
            "data:image/png;base64,QQ==",
        ),
        ({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{LONG}"}}, "image_encoding", LONG),
    ],
)
def test_a_single_image_is_kept(part: dict[str, Any], field: str, value: str) -> None:
    rows, warnings = _mended({"content": [{"type": "text", "text": "look"}, part]})
    assert rows == [{"content": "look", field: value}]
    assert warnings == []


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ({"content": [{"type": "image_url", "image_url": {"url": IMAGE}}] * 2}, "2 image(s)"),
        ({"content": [{"type": "image_url", "image_url": {"url": "file:///etc/passwd"}}]}, "image_url"),
        ({"content": [{"type": "image_url", "image_url": IMAGE + LONG}]}, "too long"),
        ({"content": [{"type": "image_url", "image_url": IMAGE}], "image_encoding": "QQ=="}, "1 image(s)"),
        ({"content": [{"type": "input_audio", "input_audio": {}}]}, "input_audio"),
        ({"content": [{"type": "tool_result", "content": "42"}]}, "tool_result"),
        ({"content": [{"text": "no type"}]}, "a part without a type"),
        ({"content": "x", "tool_calls": [{"function": {}}, 3]}, "tool_calls"),
    ],
)
def test_what_has_no_place_in_a_turn_is_named(row: dict[str, Any], named: str) -> None:
    _, warnings = _mended({"content": "first"}, row)
    assert warnings[0].startswith("interaction_data_list[1]: ignored part(s)")
    assert named in warnings[0]


def test_tool_calls_become_tools_with_their_arguments() -> None:
    calls = [
        {"id": "c1", "type": "function", "function": {"name": "deploy", "arguments": '{"region": "us-west-2"}'}},
        {"id": "c2", "function": {"name": "broken", "arguments": "{"}},
    ]
    rows, warnings = _mended(
        {"role": "assistant", "content": None, "tool_calls": calls, "tools_used": [{"tool_name": "own"}]},
        {"role": "tool", "tool_call_id": "c1", "content": "deployed"},
    )
    assert rows[0] == {
        "role": "assistant",
        "tools_used": [
            {"tool_name": "own"},
            {"tool_name": "deploy", "tool_data": {"id": "c1", "arguments": {"region": "us-west-2"}}},
            {"tool_name": "broken", "tool_data": {"id": "c2", "arguments": "{"}},
        ],
    }
    assert rows[1] == {"role": "tool", "content": "deployed"}
    assert warnings == ["interaction_data_list[1]: ignored unrecognised field(s) tool_call_id"]


def test_a_tool_use_among_the_parts_becomes_a_tool() -> None:
    parts = [{"type": "text", "text": "I look."}, {"type": "tool_use", "id": "t", "name": "find", "input": {"q": 1}}]
    rows, _ = _mended({"role": "assistant", "content": parts})
    assert rows[0]["content"] == "I look."
    assert rows[0]["tools_used"] == [{"tool_name": "find", "tool_data": {"id": "t", "arguments": {"q": 1}}}]


@pytest.mark.parametrize("arguments", ["[" * 100_000, '{"a": NaN}', "9" * 10_000])
def test_arguments_that_are_no_usable_json_stay_text(arguments: str) -> None:
    rows, _ = _mended({"tool_calls": [{"function": {"name": "f", "arguments": arguments}}]})
    assert rows[0]["tools_used"][0]["tool_data"]["arguments"] == arguments


def test_both_names_at_once_are_told_apart_and_reported() -> None:
    body = {"user_id": "u", "session_id": "s", "interaction_data_list": [{"content": "a"}], "messages": []}
    mended, warnings = prepare_publish(body)
    assert mended["interaction_data_list"] == [{"content": "a"}]
    assert warnings == ["publish request: ignored unrecognised field(s) messages"]


def test_messages_without_anything_to_keep_are_counted_as_empty() -> None:
    empty = {"content": [{"type": "input_audio"}]}
    assert kept_rows({"messages": [empty, {"content": [{"type": "text", "text": "x"}]}]}) == [1]
    with pytest.raises(EmptyPublishError, match="input_audio"):
        _mended(empty)


@pytest.mark.parametrize("content", [[1, 2], ["text"], 7, {"text": "x"}])
def test_content_that_is_no_message_is_left_to_validation(content: object) -> None:
    mended, warnings = prepare_publish({"interaction_data_list": [{"content": content}]})
    assert mended["interaction_data_list"][0]["content"] == content
    assert warnings == []
