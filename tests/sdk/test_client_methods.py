"""Every method: which route it calls with what, on both clients alike."""

import asyncio
import inspect
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from reflexio import AsyncReflexioClient, InteractionData, InvalidArgument, ReflexioClient, UnexpectedResponse
from reflexio._methods import ClientMethods, SessionMethods
from reflexio._operations import Operation, Pages
from reflexio.models.interactions import GetInteractionsRequest
from reflexio.models.service import WhoamiResponse
from tests.sdk.scripted import FOUND, PUBLISHED, TURNS, async_client, client, ok

PAGE = {"success": True, "interactions": [], "sessions": [], "user_profiles": [], "user_playbooks": []}
ANY = {**PAGE, **FOUND, "status": "done", "org_id": "o"}
SINCE = datetime(2026, 1, 1, tzinfo=UTC)

# method, arguments, HTTP method and path, the JSON that must be among what is sent, or the query
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any], str, dict[str, Any]]] = [
    (
        "publish_interaction",
        ("u", TURNS),
        {"session_id": " s ", "wait_for_response": True, "session_finished": True},
        "POST /api/publish_interaction?wait_for_response=true",
        {
            "user_id": "u",
            "session_id": "s",
            "interaction_data_list": TURNS,
            "agent_version": "agent-v0",
            "session_finished": True,
        },
    ),
    ("finalize_session", ("u", "s"), {}, "POST /api/finalize_session", {"user_id": "u", "session_id": "s"}),
    ("learning_status", ("r#1",), {}, "GET /api/learning_status?request_id=r%231", {}),
    ("get_learning_status", ("r",), {}, "GET /api/learning_status?request_id=r", {}),
    ("search", (), {"query": "q", "user_id": "u"}, "POST /api/search", {"query": "q", "user_id": "u"}),
    ("search_user_profiles", ({"user_id": "u"},), {}, "POST /api/search_profiles", {"user_id": "u"}),
    ("search_profiles", (), {"user_id": "u"}, "POST /api/search_profiles", {"user_id": "u"}),
    ("search_user_playbooks", (), {"tags": ("a",)}, "POST /api/search_user_playbooks", {"tags": ["a"]}),
    (
        "search_agent_playbooks",
        (),
        {"playbook_status_filter": "rejected"},
        "POST /api/search_agent_playbooks",
        {"playbook_status_filter": "rejected"},
    ),
    ("search_interactions", (), {"user_id": "u", "top_k": 3}, "POST /api/search_interactions", {"top_k": 3}),
    (
        "get_interactions",
        (GetInteractionsRequest(user_id="u", start_time=SINCE),),
        {},
        "POST /api/get_interactions",
        {"user_id": "u", "start_time": "2026-01-01T00:00:00Z"},
    ),
    ("get_all_interactions", (7,), {}, "GET /api/get_all_interactions?limit=7", {}),
    ("get_requests", (), {"offset": 2}, "POST /api/get_requests", {"offset": 2}),
    (
        "get_profiles",
        (),
        {"user_id": "u", "status_filter": [None]},
        "POST /api/get_profiles",
        {"status_filter": [None]},
    ),
    (
        "get_all_profiles",
        (5, "archived"),
        {"start_time": 3},
        "GET /api/get_all_profiles?limit=5&status_filter=archived&start_time=3&date_field=last_modified_timestamp",
        {},
    ),
    ("get_user_playbooks", (), {"limit": 2}, "POST /api/get_user_playbooks", {"limit": 2}),
    ("get_agent_playbooks", (), {"agent_version": "v"}, "POST /api/get_agent_playbooks", {"agent_version": "v"}),
    ("add_user_profile", ([{"user_id": "u", "content": "c"}],), {}, "POST /api/add_user_profile", {}),
    ("add_user_playbook", ([{"content": "c"}],), {}, "POST /api/add_user_playbook", {}),
    ("add_agent_playbooks", ([{"content": "c"}],), {}, "POST /api/add_agent_playbook", {}),
    ("update_user_profile", ("u", "p"), {"content": "c"}, "PUT /api/update_user_profile", {"content": "c"}),
    ("update_user_playbook", (4,), {"pitfall": "x"}, "PUT /api/update_user_playbook", {"pitfall": "x"}),
    ("update_agent_playbook", (4,), {"trigger": "t"}, "PUT /api/update_agent_playbook", {"trigger": "t"}),
    (
        "update_agent_playbook_status",
        (4,),
        {"playbook_status": "approved"},
        "PUT /api/update_agent_playbook_status",
        {"agent_playbook_id": 4, "playbook_status": "approved"},
    ),
    ("delete_profile", ("u", "p"), {}, "DELETE /api/delete_profile", {"user_id": "u", "profile_id": "p"}),
    ("delete_interaction", ("u", 3), {}, "DELETE /api/delete_interaction", {"interaction_id": 3}),
    ("delete_request", ("r",), {"wait_for_response": True}, "DELETE /api/delete_request", {"request_id": "r"}),
    ("delete_session", ("s",), {}, "DELETE /api/delete_session", {"session_id": "s"}),
    ("delete_user_playbook", (3,), {}, "DELETE /api/delete_user_playbook", {"user_playbook_id": 3}),
    ("delete_agent_playbook", (3,), {}, "DELETE /api/delete_agent_playbook", {"agent_playbook_id": 3}),
    ("delete_requests_by_ids", (("a", "b"),), {}, "DELETE /api/delete_requests_by_ids", {"request_ids": ["a", "b"]}),
    ("delete_profiles_by_ids", (["a"],), {}, "DELETE /api/delete_profiles_by_ids", {"profile_ids": ["a"]}),
    (
        "delete_user_playbooks_by_ids",
        ([1],),
        {},
        "DELETE /api/delete_user_playbooks_by_ids",
        {"user_playbook_ids": [1]},
    ),
    (
        "delete_agent_playbooks_by_ids",
        ([1],),
        {},
        "DELETE /api/delete_agent_playbooks_by_ids",
        {"agent_playbook_ids": [1]},
    ),
    ("delete_all_interactions", (), {}, "DELETE /api/delete_all_interactions", {}),
    ("delete_all_profiles", (), {}, "DELETE /api/delete_all_profiles", {}),
    ("delete_all_playbooks", (), {}, "DELETE /api/delete_all_playbooks", {}),
    ("delete_all_user_playbooks", (), {}, "DELETE /api/delete_all_user_playbooks", {}),
    ("delete_all_agent_playbooks", (), {}, "DELETE /api/delete_all_agent_playbooks", {}),
    ("clear_user_data", ("u",), {}, "POST /api/clear_user_data", {"user_id": "u"}),
    ("set_config", ({"window_size": 20},), {}, "POST /api/set_config", {"window_size": 20, "stride_size": 8}),
    ("update_config", ({"window_size": 20},), {}, "POST /api/update_config", {"window_size": 20}),
    ("get_config", (), {}, "GET /api/get_config", {}),
    ("whoami", (), {}, "GET /api/whoami", {}),
    ("storage_stats", ("u&v",), {}, "GET /api/storage_stats?user_id=u%26v", {}),
    ("get_profile_statistics", (), {}, "GET /api/get_profile_statistics", {}),
    ("version", (), {}, "GET /meta/version", {}),
    ("health", (), {}, "GET /health/ready", {}),
]
ITERATORS = [
    ("iter_interactions", {"user_id": "u"}, "interactions"),
    ("iter_all_interactions", {}, "interactions"),
    ("iter_sessions", {}, "sessions"),
    ("iter_profiles", {"user_id": "u"}, "user_profiles"),
    ("iter_all_profiles", {}, "user_profiles"),
    ("iter_user_playbooks", {}, "user_playbooks"),
    ("iter_agent_playbooks", {}, "agent_playbooks"),
]
ROWS = {
    "interactions": [{"request_id": "r", "user_id": "u", "interaction_id": n} for n in range(5)],
    "sessions": [{"session_id": f"s{n}", "requests": []} for n in range(5)],
    "user_profiles": [
        {
            "profile_id": str(n),
            "user_id": "u",
            "content": "c",
            "last_modified_timestamp": n,
            "generated_from_request_id": "r",
        }
        for n in range(5)
    ],
    "user_playbooks": [{"agent_version": "v", "request_id": "r", "user_playbook_id": n} for n in range(5)],
    "agent_playbooks": [{"agent_version": "v", "content": "c", "agent_playbook_id": n} for n in range(5)],
}


def pages(rows: str) -> list[Any]:
    """Five rows in three pages, the middle one empty as a filtered page may be."""
    parts = [(ROWS[rows][:3], "t1"), ([], "t2"), (ROWS[rows][3:], None)]
    return [ok({"success": True, rows: part, "next_token": token}) for part, token in parts]


def methods_of(table: type) -> set[str]:
    return {name for name, value in vars(table).items() if isinstance(value, Operation | Pages)}


@pytest.mark.parametrize(("method", "args", "kwargs", "route", "sent"), CALLS, ids=[call[0] for call in CALLS])
def test_a_method_calls_its_route_on_both_clients(
    method: str, args: tuple[Any, ...], kwargs: dict[str, Any], route: str, sent: dict[str, Any]
) -> None:
    service, script = client(ok(ANY))
    twin, twin_script = async_client(ok(ANY))
    answer = getattr(service, method)(*args, **kwargs)
    twin_answer = asyncio.run(getattr(twin, method)(*args, **kwargs))
    request, twin_request = script.requests[0], twin_script.requests[0]
    assert f"{request.method} {request.url.raw_path.decode()}" == route
    body = json.loads(request.content or b"{}")
    assert {key: body.get(key) for key in sent} == sent
    assert (twin_request.method, twin_request.url) == (request.method, request.url)
    if not method.startswith("add_user_profile"):  # fills in a fresh id
        assert twin_request.content == request.content
    assert twin_answer == answer


def test_every_method_is_in_the_tables_above() -> None:
    assert methods_of(ClientMethods) == {call[0] for call in CALLS} | {row[0] for row in ITERATORS}


def test_both_clients_have_the_same_methods_signatures_and_docs() -> None:
    closing = {"close", "aclose"}
    public = {name for name in dir(ReflexioClient) if not name.startswith("_")} - closing
    assert public == {name for name in dir(AsyncReflexioClient) if not name.startswith("_")} - closing
    service, twin = client(ok(ANY))[0], async_client(ok(ANY))[0]
    for name in methods_of(ClientMethods):
        assert inspect.signature(getattr(service, name)) == inspect.signature(getattr(twin, name)), name
        assert getattr(service, name).__doc__ == getattr(twin, name).__doc__, name
        assert inspect.iscoroutinefunction(getattr(twin, name)) or name.startswith("iter_"), name


@pytest.mark.parametrize(("method", "kwargs", "rows"), ITERATORS)
def test_an_iterator_walks_every_page(method: str, kwargs: dict[str, Any], rows: str) -> None:
    service, script = client(*pages(rows))
    walked = list(getattr(service, method)(**kwargs))
    assert len(walked) == 5
    tokens = [
        json.loads(request.content).get("next_token") if request.content else request.url.params.get("next_token")
        for request in script.requests
    ]
    assert tokens == [None, "t1", "t2"]

    async def walk() -> list[Any]:
        twin, _ = async_client(*pages(rows))
        return [row async for row in getattr(twin, method)(**kwargs)]

    assert asyncio.run(walk()) == walked


def test_help_shows_what_a_method_returns() -> None:
    service, twin = client(ok(ANY))[0], async_client(ok(ANY))[0]
    for sender in (service, twin):
        assert inspect.signature(sender.whoami).return_annotation is WhoamiResponse
        assert (sender.iter_profiles.__doc__ or "").startswith("Every row, page after page. One user's facts")


def test_an_iterator_fetches_only_what_is_read() -> None:
    service, script = client(*pages("interactions"))
    walk = service.iter_interactions(user_id="u")
    assert [next(walk).interaction_id for _ in range(3)] == [0, 1, 2]
    assert len(script.requests) == 1


def test_an_iterator_refuses_to_run_in_circles() -> None:
    service, _ = client(ok({"success": True, "interactions": [], "next_token": "same"}))
    with pytest.raises(UnexpectedResponse, match="continues with itself"):
        list(service.iter_interactions(user_id="u"))


def test_turns_may_be_models_or_dicts() -> None:
    service, script = client(ok(PUBLISHED))
    turn = InteractionData.model_validate({"content": "x", "created_at": "2026-01-01T09:00:00+09:00"})
    when = datetime(2026, 1, 1, tzinfo=UTC)
    service.publish_interaction("u", [turn, {"content": "y", "created_at": when, "odd": 1}], session_id="s")
    first, second = json.loads(script.requests[0].content)["interaction_data_list"]
    assert (first["content"], first["created_at"], first["utc_offset_minutes"]) == ("x", 1_767_225_600, 540)
    assert second == {"content": "y", "created_at": "2026-01-01T00:00:00Z", "odd": 1}


def test_text_that_utf8_cannot_hold_still_travels() -> None:
    service, script = client(ok(PUBLISHED))
    service.publish_interaction("u", [{"content": "a\ud800\x00"}], session_id="s")
    assert json.loads(script.requests[0].content)["interaction_data_list"] == [{"content": "a\ud800\x00"}]


@pytest.mark.parametrize("session_id", [None, "", "  "])
def test_a_publish_without_a_session_fails_before_anything_is_sent(session_id: str | None) -> None:
    service, script = client(ok(PUBLISHED))
    with pytest.raises(ValueError, match="session_id is required") as raised:
        service.publish_interaction("u", TURNS, session_id=session_id)
    assert isinstance(raised.value, InvalidArgument)
    assert script.requests == []


def test_a_whole_request_and_keywords_do_not_mix() -> None:
    service, script = client(ok(FOUND))
    with pytest.raises(ValueError, match=r"not both; also got top_k, user_id"):
        service.search({"query": "q"}, user_id="u", top_k=3)
    assert script.requests == []


@pytest.mark.parametrize("name", sorted(name for name in methods_of(ClientMethods) if name.startswith("search")))
def test_a_text_in_the_place_of_a_request_is_the_query(name: str) -> None:
    service, script = client(ok({**FOUND, "interactions": [], "user_profiles": []}))
    getattr(service, name)("deployment", user_id="alice")
    assert json.loads(script.requests[0].content) == {"query": "deployment", "user_id": "alice"}
    with pytest.raises(InvalidArgument, match="given twice"):
        getattr(service, name)("deployment", query="other")


def test_a_text_in_the_place_of_a_listing_s_request_says_how_to_name_it() -> None:
    service, _ = client(ok(FOUND))
    with pytest.raises(InvalidArgument, match=r"not str; name it: .*user_id="):
        service.get_interactions("alice")  # type: ignore[arg-type]


def test_rows_written_as_dicts_get_what_the_wire_requires() -> None:
    service, script = client(ok({"success": True}))
    service.add_user_profile([{"user_id": "u", "content": "c"}, {"user_id": "u", "content": "d", "profile_id": "p"}])
    first, second = json.loads(script.requests[0].content)["user_profiles"]
    assert len(first["profile_id"]) == 36
    assert second["profile_id"] == "p"
    assert first["generated_from_request_id"] == "manual"
    assert first["last_modified_timestamp"] > 1_700_000_000


def test_a_learning_status_is_a_word_or_the_whole_answer() -> None:
    service, _ = client(ok({"status": "done", "reason": "covered", "usage": {"calls": 1}, "model": "m"}))
    assert service.get_learning_status("r") == "done"
    assert service.learning_status("r").reason == "covered"


def test_every_session_method_is_a_client_method() -> None:
    assert methods_of(SessionMethods) <= methods_of(ClientMethods)
