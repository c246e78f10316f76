"""A publish body is mended where that loses nothing, and every mending is reported."""

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from reflexio.models.interactions import PublishUserInteractionRequest
from reflexio.models.lenient import EmptyPublishError, kept_rows, prepare_publish


def body(*rows: Any, **top: Any) -> dict[str, Any]:
    return {"user_id": "u", "session_id": "s", "interaction_data_list": list(rows), **top}


def test_unknown_keys_and_empty_rows_are_reported_row_by_row() -> None:
    mended, warnings = prepare_publish(body({"content": "x", "foo": 1}, {"content": " "}, bogus=1))
    assert warnings == [
        "interaction_data_list[0]: ignored unrecognised field(s) foo",
        "publish request: ignored unrecognised field(s) bogus",
        "skipped 1 empty interaction(s) that carried no content, at index(es) 1",
    ]
    assert mended == body({"content": "x"})


def test_a_clean_body_passes_unchanged_and_silent() -> None:
    clean = body({"content": "x", "role": "user", "created_at": 5}, source="web", session_finished=True)
    assert prepare_publish(copy.deepcopy(clean)) == (clean, [])


def test_the_callers_body_is_not_changed() -> None:
    sent = body({"content": "a\x00", "foo": 1, "tools_used": [{"tool_name": "t", "bar": 2}]}, {})
    before = copy.deepcopy(sent)
    prepare_publish(sent)
    assert sent == before


def test_scope_ids_repeated_on_rows_are_dropped_without_a_word() -> None:
    mended, warnings = prepare_publish(body({"content": "x", "user_id": "u", "session_id": "s"}))
    assert (mended, warnings) == (body({"content": "x"}), [])


def test_unknown_keys_are_found_in_what_hangs_on_rows() -> None:
    row = {
        "content": "x",
        "tools_used": [{"tool_name": "t"}, {"tool_name": "t", "input": {}}],
        "citations": [{"kind": "profile", "real_id": "1", "score": 1}],
        "retrieved_learnings": [{"kind": "profile", "learning_id": "1", "rank": 1}],
    }
    mended, warnings = prepare_publish(body(row))
    assert warnings == [
        "interaction_data_list[0].tools_used[1]: ignored unrecognised field(s) input",
        "interaction_data_list[0].citations[0]: ignored unrecognised field(s) score",
        "interaction_data_list[0].retrieved_learnings[0]: ignored unrecognised field(s) rank",
    ]
    assert mended["interaction_data_list"][0]["tools_used"] == [{"tool_name": "t"}, {"tool_name": "t"}]


def test_free_form_tool_data_keeps_its_keys() -> None:
    row = {"content": "x", "tools_used": [{"tool_name": "t", "tool_data": {"anything": {"goes": 1}}}]}
    assert prepare_publish(body(row)) == (body(row), [])


def test_a_warning_names_five_fields_and_counts_the_rest() -> None:
    _, warnings = prepare_publish(body({"content": "x", **{f"f{n}": 1 for n in range(8)}}))
    assert warnings == ["interaction_data_list[0]: ignored unrecognised field(s) f0, f1, f2, f3, f4 and 3 more"]


def test_twenty_places_are_named_and_the_rest_counted() -> None:
    _, warnings = prepare_publish(body(*({"content": "x", "foo": n} for n in range(30)), bogus=1))
    assert len(warnings) == 21
    assert warnings[-1] == "11 more place(s) with unrecognised fields"


def test_field_names_in_warnings_are_printable_and_short() -> None:
    _, warnings = prepare_publish(body({"content": "x", "a\x1b[31m\n\ud800" + "b" * 100: 1}))
    assert warnings[0].isprintable()
    assert len(warnings[0]) < 120


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"content": " \n"},
        {"content": None, "role": "user", "created_at": 3},
        {"tools_used": [], "citations": [], "retrieved_learnings": []},
        {"user_action": "none", "user_action_description": "nothing"},
    ],
)
def test_a_row_without_content_is_skipped(row: dict[str, Any]) -> None:
    mended, warnings = prepare_publish(body(row, {"content": "x"}))
    assert mended == body({"content": "x"})
    assert warnings == ["skipped 1 empty interaction(s) that carried no content, at index(es) 0"]


@pytest.mark.parametrize(
    "row",
    [
        {"content": "0"},
        {"shadow_content": "x"},
        {"expert_content": "x"},
        {"interacted_image_url": "https://example.org/a.png"},
        {"image_encoding": "aGk="},
        {"tools_used": [{"tool_name": "t"}]},
        {"citations": [{"kind": "profile", "real_id": "1"}]},
        {"retrieved_learnings": [{"kind": "profile", "learning_id": "1"}]},
        {"user_action": "click", "user_action_description": "Buy"},
    ],
)
def test_any_one_kind_of_content_keeps_a_row(row: dict[str, Any]) -> None:
    assert prepare_publish(body(row)) == (body(row), [])


def test_skipped_rows_are_listed_up_to_ten() -> None:
    _, warnings = prepare_publish(body({"content": "x"}, *({} for _ in range(12))))
    assert warnings == [
        "skipped 12 empty interaction(s) that carried no content, at index(es) 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more"
    ]


def test_kept_rows_lead_from_a_mended_row_back_to_the_sent_one() -> None:
    sent = body({}, {"content": "a"}, {"content": ""}, 7, {"content": "b"})
    assert kept_rows(sent) == [1, 3, 4]
    assert prepare_publish(sent)[0]["interaction_data_list"] == [{"content": "a"}, 7, {"content": "b"}]


def test_a_publish_that_says_nothing_is_refused_with_the_likely_cause() -> None:
    with pytest.raises(EmptyPublishError) as caught:
        prepare_publish(body({"Content": "x"}, {"content": ""}))
    message = str(caught.value)
    assert "every interaction is empty" in message
    assert "shadow_content" in message
    assert message.endswith("Likely cause: interaction_data_list[0]: ignored unrecognised field(s) Content")


def test_characters_that_cannot_be_stored_are_replaced_and_the_row_named() -> None:
    sent = json.loads(
        '{"user_id": "u", "session_id": "s", "interaction_data_list": [{"content": "ok"},'
        ' {"content": "a\\ud800\\u0000", "tools_used": [{"tool_name": "t", "tool_data": {"k\\udfff": 1}}]}]}'
    )
    mended, warnings = prepare_publish(sent)
    assert warnings == [
        "interaction_data_list[1]: replaced NUL or lone surrogate characters, which cannot be stored, by U+FFFD"
    ]
    request = PublishUserInteractionRequest.model_validate(mended)
    assert request.interaction_data_list[1].content == "a\ufffd\ufffd"
    assert request.interaction_data_list[1].tools_used[0].tool_data == {"k\ufffd": 1}


def test_ids_are_not_mended() -> None:
    mended, _ = prepare_publish({**body({"content": "x"}), "user_id": "a\x00"})
    with pytest.raises(ValidationError, match="control character"):
        PublishUserInteractionRequest.model_validate(mended)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
FIELDS = ("content", "role", "tools_used", "citations", "retrieved_learnings", "user_action", "created_at", "x")
rows = anything | st.dictionaries(st.sampled_from(FIELDS), anything, max_size=4)


# Building Unicode tables takes seconds on a cold and busy machine, which is no fault of what is tested.
@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(rows=anything | st.lists(rows, max_size=4), top=anything)
def test_odd_types_are_left_to_validation(rows: Any, top: Any) -> None:
    try:
        mended, warnings = prepare_publish({"user_id": top, "interaction_data_list": rows, "bogus": top})
    except EmptyPublishError:
        return
    assert all(isinstance(warning, str) for warning in warnings)
    with pytest.raises(ValidationError, match="session_id"):
        PublishUserInteractionRequest.model_validate(mended)
