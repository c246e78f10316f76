"""A deletion takes what it names, all of it, and nothing else; nothing brings it back."""

from collections.abc import Callable
from typing import Any

import pytest

from reflexio_core.engine.projection import catch_up
from tests.faults.world import World

LOVE = "I love Chinese food."


def clear(world: World, user: str) -> Any:
    return world.call("POST", "clear_user_data", {"user_id": user})


def delete_session(world: World, user: str) -> Any:
    return world.call("DELETE", "delete_session", {"session_id": f"session-of-{user}"})


def delete_request(world: World, user: str) -> Any:
    return world.call("DELETE", "delete_request", {"request_id": f"request-of-{user}"})


DELETES: dict[str, Callable[[World, str], Any]] = {
    "user": clear,
    "session": delete_session,
    "request": delete_request,
}


def traces(world: World, user: str, text: str) -> list[str]:
    """Where a user's text can still be seen."""
    listed = {
        "facts": world.facts(user, status_filter=[None, "superseded", "archived", "merged"]),
        "lessons": world.lessons(user),
        "turns": world.turns(user),
        "search": world.search(user, text),
        "search in turns": world.call("POST", "search_interactions", {"user_id": user, "query": text}),
        "requests": world.call("POST", "get_requests", {"user_id": user}),
    }
    word = text.split()[-2].casefold()
    return [name for name, answer in listed.items() if word in str(answer).casefold()]


@pytest.mark.parametrize("delete", DELETES)
def test_deleting_one_user_s_data_leaves_everybody_else_s(world: World, delete: str) -> None:
    users = ["ana", "ana2", "an", "bob"]
    for user in users:
        world.publish(user, LOVE, request_id=f"request-of-{user}")
    world.learn()
    DELETES[delete](world, "ana")
    assert [user for user in users if not world.said(user)] == ["ana"]
    assert [user for user in users if not world.turns(user)] == ["ana"]


@pytest.mark.parametrize(
    ("method", "route"),
    [
        ("DELETE", "delete_all_interactions"),
        ("DELETE", "delete_all_profiles"),
        ("DELETE", "delete_all_user_playbooks"),
        ("DELETE", "delete_all_playbooks"),
        ("DELETE", "delete_all_agent_playbooks"),
    ],
)
def test_deleting_all_of_one_tenant_leaves_the_other_tenant_s(world: World, method: str, route: str) -> None:
    other = world.of_tenant("globex")
    for client in (world.client, other):
        assert world.try_publish("ana", LOVE, client=client).json()["success"]
    world.learn()
    world.call(method, route)
    listed = other.post("/api/get_profiles", json={"user_id": "ana"}).json()["user_profiles"]
    assert len(listed) == 1
    assert len(other.get("/api/get_all_interactions").json()["interactions"]) == 1


def test_clearing_a_user_in_one_tenant_leaves_the_namesake_in_another(world: World) -> None:
    other = world.of_tenant("globex")
    for client in (world.client, other):
        world.try_publish("ana", LOVE, client=client)
    world.learn()
    clear(world, "ana")
    assert len(other.post("/api/get_profiles", json={"user_id": "ana"}).json()["user_profiles"]) == 1


@pytest.mark.parametrize("delete", DELETES)
def test_what_was_deleted_does_not_come_back_with_a_replay_or_a_new_index(world: World, delete: str) -> None:
    world.tell("ana", LOVE, request_id="request-of-ana")
    assert traces(world, "ana", LOVE)
    DELETES[delete](world, "ana")
    assert traces(world, "ana", LOVE) == []
    for position in ("0", None):
        if position is not None:
            world.index.set_position(position)
        catch_up(world.engine)
        world.engine.clock.sleep(22_000)
        world.learn()
        assert traces(world, "ana", LOVE) == []


@pytest.mark.parametrize("delete", DELETES)
def test_what_was_deleted_before_it_was_learned_stays_away(world: World, delete: str) -> None:
    world.publish("ana", LOVE, request_id="request-of-ana")
    DELETES[delete](world, "ana")
    for _ in range(3):
        world.learn()
        world.engine.clock.sleep(22_000)
    assert traces(world, "ana", LOVE) == []


def test_a_deleted_fact_is_not_found_again(world: World) -> None:
    world.tell("ana", LOVE, "I live in Berlin.")
    [doomed] = [fact for fact in world.facts("ana") if "Chinese" in fact["content"]]
    world.call("DELETE", "delete_profile", {"user_id": "ana", "profile_id": doomed["profile_id"]})
    world.learn()
    assert ["Berlin" in text for text in world.said("ana")] == [True]
    assert not [text for text in world.found("ana", LOVE) if "Chinese" in text]


def test_what_a_user_asks_to_forget_is_forgotten_and_the_request_is_no_fact(world: World) -> None:
    world.tell("ana", LOVE, "My favourite colour is green.")
    world.tell("ana", "Please forget my favourite colour.")
    assert ["Chinese" in text for text in world.said("ana")] == [True]
    assert not [text for text in world.found("ana", "favourite colour green") if "green" in text]


def test_a_user_can_come_back_after_a_deletion(world: World) -> None:
    world.tell("ana", LOVE)
    clear(world, "ana")
    world.tell("ana", "I live in Berlin.")
    assert ["Berlin" in text for text in world.said("ana")] == [True]
