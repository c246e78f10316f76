"""A view of one session says the session for its caller, and lets no other in."""

import asyncio
import json
from typing import Any

import pytest

from reflexio import AsyncSessionScopedClient, SessionScopedClient, UnifiedSearchRequest
from reflexio._methods import SessionMethods
from tests.sdk.scripted import FOUND, TURNS, async_client, client, ok

ANY = {**FOUND, "sessions": [], "user_profiles": []}
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("publish_interaction", ("u", TURNS), {}),
    ("finalize_session", ("u",), {}),
    ("search", (), {"query": "q"}),
    ("search", ({"query": "q"},), {}),
    ("search", (UnifiedSearchRequest(query="q"),), {}),
    ("search_user_profiles", (), {"user_id": "u"}),
    ("search_profiles", (), {"user_id": "u"}),
    ("search_user_playbooks", (), {"query": "q"}),
    ("search_agent_playbooks", (), {"query": "q"}),
    ("get_requests", (), {}),
    ("get_agent_playbooks", (), {}),
    ("delete_session", (), {}),
]


@pytest.mark.parametrize(("method", "args", "kwargs"), CALLS)
def test_bound_methods_send_the_session(method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    service, script = client(ok(ANY))
    getattr(service.for_session(" s1 "), method)(*args, **kwargs)
    twin, twin_script = async_client(ok(ANY))
    asyncio.run(getattr(twin.for_session("s1"), method)(*args, **kwargs))
    for request in (script.requests[0], twin_script.requests[0]):
        assert json.loads(request.content)["session_id"] == "s1"


def test_every_bound_method_is_tested_above_or_is_an_iterator() -> None:
    bound = {name for name in vars(SessionMethods) if not name.startswith("_")}
    assert bound - {call[0] for call in CALLS} == {"iter_sessions", "iter_agent_playbooks"}


def test_iterators_are_bound_too() -> None:
    service, script = client(ok({"success": True, "sessions": [], "agent_playbooks": []}))
    view = service.for_session("s1")
    assert list(view.iter_sessions()) == []
    assert list(view.iter_agent_playbooks()) == []
    assert [json.loads(request.content)["session_id"] for request in script.requests] == ["s1", "s1"]


def test_the_same_session_may_be_said_again() -> None:
    service, script = client(ok(ANY))
    view = service.for_session("s1")
    view.search(query="q", session_id="s1")
    view.finalize_session("u", "s1")
    view.delete_session(" s1 ")
    assert len(script.requests) == 3


def test_a_search_by_its_query_alone_is_of_the_session() -> None:
    service, script = client(ok(ANY))
    service.for_session("s1").search("q", user_id="u")
    assert json.loads(script.requests[0].content) == {"query": "q", "user_id": "u", "session_id": "s1"}


@pytest.mark.parametrize(
    ("method", "args", "kwargs"),
    [
        ("search", (), {"query": "q", "session_id": "s2"}),
        ("search", ({"query": "q", "session_id": "s2"},), {}),
        ("search", (UnifiedSearchRequest(query="q", session_id="s2"),), {}),
        ("publish_interaction", ("u", TURNS), {"session_id": "s2"}),
        ("publish_interaction", ("u", TURNS, "", "v", "s2"), {}),
        ("delete_session", ("s2",), {}),
        ("finalize_session", ("u", "s2"), {}),
    ],
)
def test_another_session_is_refused_before_anything_is_sent(
    method: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    service, script = client(ok(ANY))
    with pytest.raises(ValueError, match="this view is of session 's1', it cannot be used for 's2'"):
        getattr(service.for_session("s1"), method)(*args, **kwargs)
    assert script.requests == []


def test_methods_without_a_session_pass_through() -> None:
    service, script = client(ok({"success": True, "org_id": "o"}))
    assert service.for_session("s1").whoami().org_id == "o"
    assert script.paths == ["/api/whoami"]


@pytest.mark.parametrize("name", ["nonsense", "_http", "close"])
def test_what_is_no_call_does_not_pass_through(name: str) -> None:
    view = client(ok(ANY))[0].for_session("s1")
    with pytest.raises(AttributeError):
        getattr(view, name)


@pytest.mark.parametrize("session_id", ["", "  "])
def test_a_view_needs_a_session(session_id: str) -> None:
    with pytest.raises(ValueError, match="session_id is required"):
        client(ok(ANY))[0].for_session(session_id)
    with pytest.raises(ValueError, match="session_id is required"):
        async_client(ok(ANY))[0].for_session(session_id)


def test_a_view_names_its_session_and_its_client() -> None:
    service, twin = client(ok(ANY))[0], async_client(ok(ANY))[0]
    view, twin_view = service.for_session(" s1"), twin.for_session("s1")
    assert isinstance(view, SessionScopedClient)
    assert isinstance(twin_view, AsyncSessionScopedClient)
    assert (view.client, view.session_id) == (service, "s1")
    assert (twin_view.client, twin_view.session_id) == (twin, "s1")


def test_a_view_does_not_change_the_callers_request() -> None:
    request = UnifiedSearchRequest(query="q")
    client(ok(ANY))[0].for_session("s1").search(request)
    assert request.session_id is None
