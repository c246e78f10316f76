"""Publishing and learning."""

import asyncio

from cases.registry import SAID, client
from world import CORRECTION, REGION, World

import reflexio


@client("publish_interaction", "turns are stored in order, learned from, and the counts say so")
def _(world: World) -> None:
    answer = world.client.publish_interaction(
        world.user,
        [reflexio.InteractionData(**turn) for turn in CORRECTION],
        source="web",
        agent_version=world.agent_version,
        session_id=world.session,
        force_extraction=True,
        wait_for_response=True,
    )
    assert answer.success, answer
    assert answer.learning_status == "done", answer
    assert world.http("GET", f"/api/learning_status?request_id={answer.request_id}")["reason"] == "covered"
    assert answer.profiles_added >= 1, answer
    assert answer.playbooks_added >= 1, answer
    assert [turn["content"] for turn in world.turns()] == SAID
    assert any(REGION in profile["content"] for profile in world.profiles())
    assert world.user_playbooks()[0]["agent_version"] == world.agent_version


@client("publish_interaction_async", "turns are stored from an event loop")
def _(world: World) -> None:
    answer = asyncio.run(world.client.publish_interaction_async(world.user, CORRECTION, session_id=world.session))
    assert answer.success, answer
    assert [turn["content"] for turn in world.turns()] == SAID
    assert {turn["request_id"] for turn in world.turns()} == {answer.request_id}


@client("get_learning_status", "waits for more turns, then says done")
def _(world: World) -> None:
    waiting = world.publish()
    assert world.client.get_learning_status(waiting) == "pending"
    assert world.client.get_learning_status(world.learn()) == "done"


@client("finalize_session", "a session with turns is accepted and learned from, an unknown one is not")
def _(world: World) -> None:
    request_id = world.publish()
    assert world.client.finalize_session(world.user, world.session).accepted is True
    world.until("learning", lambda: world.client.get_learning_status(request_id) == "done")
    assert world.client.finalize_session(world.user, "nothing here").accepted is False


@client("finalize_session_async", "a session with turns is accepted from an event loop and learned from")
def _(world: World) -> None:
    request_id = world.publish()
    assert asyncio.run(world.client.finalize_session_async(world.user, world.session)).accepted is True
    world.until("learning", lambda: world.client.get_learning_status(request_id) == "done")
