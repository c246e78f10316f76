"""Searching."""

import asyncio
from collections.abc import Callable
from typing import Any

from cases.registry import SAID, client, contents
from world import REGION, World

import reflexio


def seed_all_kinds(world: World) -> None:
    """One learning of each kind about deployments, and one fact about something else."""
    world.add_profile(f"Production deployments go to {REGION}.")
    world.add_profile("Has a cat called Miso.")
    world.add_user_playbook("before a production deployment", "confirm the target region")
    world.add_agent_playbook("before a deployment to production", "ask which region is meant")
    world.until("indexing", lambda: plain_search(world)["profiles"] and plain_search(world)["agent_playbooks"])


def plain_search(world: World) -> Any:
    """What a search answers without any client between."""
    body = {"query": "production deployment region", "user_id": world.user, "agent_version": world.agent_version}
    return world.http("POST", "/api/search", body)


def assert_found_all_kinds(world: World, found: Any) -> None:
    """The learning of each kind is in the answer, best first."""
    assert found.success, found
    assert contents(found.profiles)[0] == f"Production deployments go to {REGION}."
    assert contents(found.user_playbooks) == ["confirm the target region"]
    assert contents(found.agent_playbooks) == ["ask which region is meant"]


@client("search", "finds the right learning of each kind, for this user")
def _(world: World) -> None:
    seed_all_kinds(world)
    query = {"query": "production deployment region", "agent_version": world.agent_version}
    assert_found_all_kinds(world, world.client.search(**query, user_id=world.user, top_k=5))
    other = world.client.search(**query, user_id="somebody else")
    assert (other.profiles, other.user_playbooks) == ([], [])


@client("search_async", "finds the right learning of each kind from an event loop")
def _(world: World) -> None:
    seed_all_kinds(world)
    found = asyncio.run(
        world.client.search_async(
            query="production deployment region", user_id=world.user, agent_version=world.agent_version
        )
    )
    assert_found_all_kinds(world, found)


def profiles_are_found(world: World, search: Callable[..., Any]) -> None:
    """A search of facts finds the one that fits first."""
    seed_all_kinds(world)
    found = search(user_id=world.user, query="which region for production", top_k=2)
    assert found.success, found
    assert contents(found.user_profiles)[0] == f"Production deployments go to {REGION}."


@client("search_user_profiles", "finds the fact that fits")
def _(world: World) -> None:
    profiles_are_found(world, world.client.search_user_profiles)


@client("search_profiles", "finds the fact that fits")
def _(world: World) -> None:
    profiles_are_found(world, world.client.search_profiles)


@client("search_user_playbooks", "finds this user's playbook, in this agent version only")
def _(world: World) -> None:
    seed_all_kinds(world)
    query = {"query": "production deployment", "user_id": world.user}
    found = world.client.search_user_playbooks(**query, agent_version=world.agent_version)
    assert contents(found.user_playbooks) == ["confirm the target region"]
    assert world.client.search_user_playbooks(**query, agent_version="another").user_playbooks == []


@client("search_agent_playbooks", "finds approved playbooks, and pending ones only when asked for")
def _(world: World) -> None:
    seed_all_kinds(world)
    world.add_agent_playbook("before a deployment to production", "pending advice", status="pending")
    query = {"query": "deployment to production", "agent_version": world.agent_version}
    pending = reflexio.PlaybookStatus.PENDING
    world.until(
        "indexing",
        lambda: (
            contents(world.client.search_agent_playbooks(**query, playbook_status_filter=pending).agent_playbooks)
            == ["pending advice"]
        ),
    )
    assert contents(world.client.search_agent_playbooks(**query).agent_playbooks) == ["ask which region is meant"]


@client("search_interactions", "finds the turn that fits")
def _(world: World) -> None:
    world.publish()
    found = world.until(
        "indexing",
        lambda: world.client.search_interactions(user_id=world.user, query="never deploy production").interactions,
    )
    assert found[0].content == SAID[2]
