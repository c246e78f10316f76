"""Views of one session."""

import asyncio
from collections.abc import Callable
from typing import Any

from cases.registry import SAID, client, contents, session
from cases.searching import profiles_are_found, seed_all_kinds
from world import CORRECTION, World


@client("for_session", "is a view of that session")
def _(world: World) -> None:
    assert world.view.session_id == world.session
    assert world.view.client is world.client


@session("session_id", "is the session")
def _(world: World) -> None:
    assert world.client.for_session(f" {world.session} ").session_id == world.session


@session("client", "is the client behind the view")
def _(world: World) -> None:
    assert world.view.client.whoami().success


def session_has_turns(world: World, answer: Any) -> None:
    """The correction was stored under this case's session."""
    assert answer.success, answer
    found = world.http("POST", "/api/get_requests", {"session_id": world.session})["sessions"]
    assert [turn["content"] for turn in found[0]["requests"][0]["interactions"]] == SAID


@session("publish_interaction", "turns are stored under the session")
def _(world: World) -> None:
    session_has_turns(world, world.view.publish_interaction(world.user, CORRECTION))


@session("publish_interaction_async", "turns are stored under the session from an event loop")
def _(world: World) -> None:
    session_has_turns(world, asyncio.run(world.view.publish_interaction_async(world.user, CORRECTION)))


@session("finalize_session", "the session is accepted and learned from")
def _(world: World) -> None:
    request_id = world.publish()
    assert world.view.finalize_session(world.user).accepted is True
    world.until("learning", lambda: world.client.get_learning_status(request_id) == "done")


@session("finalize_session_async", "the session is accepted from an event loop and learned from")
def _(world: World) -> None:
    request_id = world.publish()
    assert asyncio.run(world.view.finalize_session_async(world.user)).accepted is True
    world.until("learning", lambda: world.client.get_learning_status(request_id) == "done")


def given_once_per_session(world: World, search: Callable[[], Any], rows: str) -> None:
    """A session is given each learning once."""
    first = getattr(search(), rows)
    assert len(first) >= 1
    again = getattr(search(), rows)
    assert not {row.content for row in first} & {row.content for row in again}


def whole_query(world: World) -> dict[str, Any]:
    """A search that finds what ``seed_all_kinds`` stored."""
    return {"query": "production deployment region", "user_id": world.user, "agent_version": world.agent_version}


@session("search", "finds learnings, each once in the session")
def _(world: World) -> None:
    seed_all_kinds(world)
    given_once_per_session(world, lambda: world.view.search(**whole_query(world)), "profiles")


@session("search_async", "finds learnings from an event loop, each once in the session")
def _(world: World) -> None:
    seed_all_kinds(world)
    given_once_per_session(world, lambda: asyncio.run(world.view.search_async(**whole_query(world))), "profiles")


@session("search_user_profiles", "finds the fact that fits")
def _(world: World) -> None:
    profiles_are_found(world, world.view.search_user_profiles)


@session("search_profiles", "finds the fact that fits")
def _(world: World) -> None:
    profiles_are_found(world, world.view.search_profiles)


@session("search_user_playbooks", "finds this user's playbook")
def _(world: World) -> None:
    seed_all_kinds(world)
    found = world.view.search_user_playbooks(**whole_query(world))
    assert contents(found.user_playbooks) == ["confirm the target region"]


@session("search_agent_playbooks", "finds the approved playbook")
def _(world: World) -> None:
    seed_all_kinds(world)
    found = world.view.search_agent_playbooks(query="production deployment region", agent_version=world.agent_version)
    assert contents(found.agent_playbooks) == ["ask which region is meant"]


@session("get_agent_playbooks", "lists playbooks of the agent version")
def _(world: World) -> None:
    world.add_agent_playbook("when asked", "advice")
    listed = world.view.get_agent_playbooks(agent_version=world.agent_version)
    assert contents(listed.agent_playbooks) == ["advice"]


@session("get_requests", "lists this session's publications only")
def _(world: World) -> None:
    request_id = world.publish()
    world.publish(session="another")
    sessions = world.view.get_requests(user_id=world.user).sessions
    assert [view.session_id for view in sessions] == [world.session]
    assert [row.request.request_id for row in sessions[0].requests] == [request_id]


@session("delete_session", "this session's publications are gone, others stay")
def _(world: World) -> None:
    world.publish()
    kept = world.publish(session="another")
    assert world.view.delete_session(wait_for_response=True).deleted_requests_count == 1
    assert {turn["request_id"] for turn in world.turns()} == {kept}
