"""Bodies as they come: any content type, and whatever is no good answered with 422 that names the field."""

import json
from typing import Any

import pytest

from reflexio_core.api.rejections import MAX_ERRORS, glimpse, scrub_errors
from tests.api.conftest import Connect
from tests.api.in_process import InProcess

SEARCH = "/api/search_profiles"
PUBLISH = "/api/publish_interaction"


@pytest.fixture
def client(standing: Connect) -> InProcess:
    """A client of an application that stands for the session: what is published here is not read back."""
    return standing()


def _strict_json(text: str) -> Any:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} in an answer")

    return json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"", "Field required"),
        (b"{bad", "JSON decode error"),
        (b'{"a":1} trailing', "JSON decode error"),
        (b'{"user_id": NaN}', "NaN is not a JSON number"),
        (b'{"user_id": -Infinity}', "-Infinity is not a JSON number"),
        (b'{"top_k": 1' + b"0" * 5000 + b"}", "too many digits"),
        (b"\xff\xfe\x00", "not valid utf-16"),
        (b'{"user_id": "\xff"}', "not valid utf-8"),
        (b"[" * 200_000, "nested deeper"),
        (b"[" * 200 + b"]" * 200, "nested deeper"),
        (b'{"a":' * 150 + b"1" + b"}" * 150, "nested deeper"),
        (b"[]", "valid dictionary"),
        (b'"text"', "valid dictionary"),
        (b"null", "valid dictionary"),
        (b"12", "valid dictionary"),
    ],
)
@pytest.mark.parametrize("path", [PUBLISH, "/api/finalize_session"])
def test_a_body_that_is_no_json_object_is_refused_with_the_reason(
    client: InProcess, path: str, raw: bytes, says: str
) -> None:
    response = client.post(path, content=raw)
    body = _strict_json(response.text)
    assert response.status_code == 422
    assert body["error"] == "invalid_input"
    assert body["detail"][0]["loc"][0] == "body"
    assert says in body["detail"][0]["msg"]


@pytest.mark.parametrize("raw", [b"[]", b"null", b'"x"', b"{bad", b""])
def test_a_configuration_that_is_no_object_is_refused(client: InProcess, raw: bytes) -> None:
    assert client.post("/api/update_config", content=raw).status_code == 422


@pytest.mark.parametrize(
    "content_type",
    [None, "application/json", "application/json; charset=utf-8", "text/plain", "application/x-www-form-urlencoded"],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_any_content_type_and_any_unicode_encoding_is_read_as_json(
    client: InProcess, conversation: dict[str, Any], content_type: str | None, encoding: str
) -> None:
    headers = {} if content_type is None else {"Content-Type": content_type}
    raw = json.dumps(conversation).encode(encoding)
    assert client.post(PUBLISH, content=raw, headers=headers).json()["success"] is True


def test_every_wrong_field_is_named_by_its_path(client: InProcess) -> None:
    body = {"user_id": "u", "interaction_data_list": [{"content": "a"}, {"content": 5}]}
    detail = client.post(PUBLISH, json=body).json()["detail"]
    assert [(entry["type"], entry["loc"]) for entry in detail] == [
        ("missing", ["body", "session_id"]),
        ("string_type", ["body", "interaction_data_list", 1, "content"]),
    ]


def test_rows_are_counted_as_they_were_sent(client: InProcess, conversation: dict[str, Any]) -> None:
    conversation["interaction_data_list"] = [{"content": " "}, {"content": "a"}, {}, {"content": ["b"]}]
    assert client.post(PUBLISH, json=conversation).json()["detail"][0]["loc"][2] == 3


def test_unknown_keys_and_empty_rows_are_mended_with_a_warning(client: InProcess, conversation: dict[str, Any]) -> None:
    conversation["interaction_data_list"] += [{"content": " "}, {"content": "x", "foo": 1}]
    answer = client.post(PUBLISH, json={**conversation, "bogus": 1}).json()
    assert answer["success"] is True
    assert answer["warnings"] == [
        "interaction_data_list[3]: ignored unrecognised field(s) foo",
        "publish request: ignored unrecognised field(s) bogus",
        "skipped 1 empty interaction(s) that carried no content, at index(es) 2",
    ]


def test_a_publish_of_nothing_is_refused_and_names_the_likely_cause(
    client: InProcess, conversation: dict[str, Any]
) -> None:
    response = client.post(PUBLISH, json={**conversation, "interaction_data_list": [{"Content": "x"}]})
    (entry,) = response.json()["detail"]
    assert response.status_code == 422
    assert entry["loc"] == ["body"]
    assert "every interaction is empty" in entry["msg"]
    assert "Content" in entry["msg"]


@pytest.mark.parametrize("text", ["a\ud800b", "nul\x00", "\U0001f680 \u202eabc", "x" * 1_000_000])
def test_any_text_can_be_published(client: InProcess, conversation: dict[str, Any], text: str) -> None:
    conversation["interaction_data_list"] = [{"content": text, "role": text[:10]}]
    assert client.post(PUBLISH, content=json.dumps(conversation).encode()).json()["success"] is True


@pytest.mark.parametrize("path", [PUBLISH, SEARCH, "/api/finalize_session", "/api/clear_user_data"])
@pytest.mark.parametrize("user", ["a\ud800", "a\x00b", "", "  ", "x" * 513, 5, None, ["a"], {"a": 1}, 10**30])
def test_a_bad_id_is_refused_by_name(client: InProcess, conversation: dict[str, Any], path: str, user: Any) -> None:
    raw = json.dumps({**conversation, "user_id": user}).encode()
    response = client.post(path, content=raw)
    body = _strict_json(response.text)
    assert response.status_code == 422
    assert body["detail"][0]["loc"] == ["body", "user_id"]


def test_a_deep_tool_result_is_refused_or_stored_but_never_a_server_error(
    client: InProcess, conversation: dict[str, Any]
) -> None:
    for depth, status in ((50, 200), (80, 422)):
        data: dict[str, Any] = {}
        for _ in range(depth):
            data = {"a": data}
        conversation["interaction_data_list"] = [
            {"content": "x", "tools_used": [{"tool_name": "t", "tool_data": data}]}
        ]
        assert client.post(PUBLISH, json=conversation).status_code == status


def test_messages_of_a_chat_interface_are_published(client: InProcess) -> None:
    parts = [{"type": "text", "text": "I live in Oslo."}, {"type": "input_audio"}]
    body = {"user_id": "chat", "session_id": "s", "messages": [{"role": "user", "content": parts}]}
    answer = client.post(PUBLISH, json=body).json()
    assert answer["success"]
    assert "input_audio" in answer["warnings"][0]
    [turn] = client.post("/api/get_interactions", json={"user_id": "chat"}).json()["interactions"]
    assert turn["content"] == "I live in Oslo."


def test_a_refusal_does_not_echo_what_was_sent_at_length(client: InProcess, conversation: dict[str, Any]) -> None:
    conversation["interaction_data_list"] = [{"content": ["x" * 1000] * 30} for _ in range(100)]
    response = client.post(PUBLISH, json=conversation)
    assert response.status_code == 422
    assert len(response.content) < 150_000
    assert len(response.json()["detail"]) == MAX_ERRORS + 1
    assert response.json()["detail"][-1]["type"] == "too_many_errors"


def test_a_glimpse_is_json_whatever_it_is_of() -> None:
    nested: Any = [1]
    for _ in range(2000):
        nested = {"k\ud800": nested}
    for value in (float("nan"), float("inf"), 10**5000, "\ud800\x00", b"raw", {1: nested}, [nested] * 1000, object()):
        text = json.dumps(glimpse(value), allow_nan=False)
        text.encode("utf-8")
        assert len(text) < 5000


def test_a_location_and_a_message_are_bounded() -> None:
    (entry,) = scrub_errors([{"type": "t", "loc": ("body", *["k" * 5000] * 90), "msg": "m" * 90_000, "input": None}])
    assert len(json.dumps(entry)) < 10_000


def test_a_number_in_a_query_is_bounded(client: InProcess) -> None:
    for query in ("limit=0", "limit=-1", "limit=x", "limit=1" + "0" * 5000, "start_time=1" + "0" * 400, "end_time=-1"):
        response = client.get(f"/api/get_all_profiles?{query}")
        assert response.status_code == 422
        assert response.json()["detail"][0]["loc"][0] == "query"


def test_unknown_query_parameters_are_ignored(client: InProcess) -> None:
    assert client.get("/api/get_config?foo=1&bar").status_code == 200


def test_a_delete_reads_its_body(client: InProcess) -> None:
    assert client.delete("/api/delete_request", json={"request_id": "nope"}).status_code == 200
    assert client.delete("/api/delete_request").status_code == 422
