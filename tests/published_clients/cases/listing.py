"""Listing."""

from datetime import UTC, datetime, timedelta

from cases.registry import SAID, client, contents
from world import World

import reflexio


@client("get_interactions", "lists this user's turns within a range of time")
def _(world: World) -> None:
    world.publish()
    listed = world.client.get_interactions(user_id=world.user, top_k=10)
    assert sorted(contents(listed.interactions)) == sorted(SAID)
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    assert world.client.get_interactions(user_id=world.user, start_time=tomorrow).interactions == []


@client("get_all_interactions", "lists turns of every user, newest first, up to the limit")
def _(world: World) -> None:
    world.publish()
    newest = world.client.get_all_interactions(limit=4).interactions
    assert {turn.user_id for turn in newest} == {world.user}
    assert len(newest) == 4


@client("get_requests", "lists publications by session")
def _(world: World) -> None:
    first = world.publish(session="one")
    second = world.publish(session="two")
    sessions = world.client.get_requests(user_id=world.user).sessions
    assert {view.session_id: view.requests[0].request.request_id for view in sessions} == {"one": first, "two": second}
    only = world.client.get_requests(user_id=world.user, session_id="one").sessions
    assert contents(only[0].requests[0].interactions) == SAID


@client("get_profiles", "lists this user's facts")
def _(world: World) -> None:
    world.add_profile("Likes tea.")
    assert contents(world.client.get_profiles(user_id=world.user).user_profiles) == ["Likes tea."]
    assert world.client.get_profiles(user_id="somebody else").user_profiles == []


@client("get_all_profiles", "lists facts of every user, or of one")
def _(world: World) -> None:
    world.add_profile("Likes tea.")
    assert world.user in {profile.user_id for profile in world.client.get_all_profiles(limit=500).user_profiles}
    assert contents(world.client.get_all_profiles(user_id=world.user).user_profiles) == ["Likes tea."]


@client("get_user_playbooks", "lists this user's playbooks")
def _(world: World) -> None:
    playbook_id = world.add_user_playbook("when asked", "be brief")
    listed = world.client.get_user_playbooks(user_id=world.user).user_playbooks
    assert [(row.user_playbook_id, row.content) for row in listed] == [(playbook_id, "be brief")]


@client("get_agent_playbooks", "lists playbooks of an agent version, by approval")
def _(world: World) -> None:
    world.add_agent_playbook("when asked", "approved advice")
    world.add_agent_playbook("when asked", "pending advice", status="pending")
    listed = world.client.get_agent_playbooks(
        agent_version=world.agent_version, playbook_status_filter=reflexio.PlaybookStatus.PENDING
    )
    assert contents(listed.agent_playbooks) == ["pending advice"]
