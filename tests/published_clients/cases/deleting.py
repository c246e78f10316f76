"""Deleting. The published clients send single deletes in the background unless told to wait."""

from cases.registry import SAID, client
from cases.searching import plain_search
from world import World


@client("delete_interaction", "the turn is gone, the others stay")
def _(world: World) -> None:
    world.publish()
    first = world.turns()[0]["interaction_id"]
    answer = world.client.delete_interaction(world.user, first, wait_for_response=True)
    assert answer.success, answer
    assert [turn["content"] for turn in world.turns()] == SAID[1:]


@client("delete_request", "its turns are gone, other publications stay")
def _(world: World) -> None:
    gone, kept = world.publish(), world.publish()
    assert world.client.delete_request(gone) is None
    world.until("deletion", lambda: {turn["request_id"] for turn in world.turns()} == {kept})


@client("delete_requests_by_ids", "those publications are gone and counted, unknown ids are not")
def _(world: World) -> None:
    gone, kept = [world.publish(), world.publish()], world.publish()
    assert world.client.delete_requests_by_ids([*gone, "unknown"]).deleted_count == 2
    assert {turn["request_id"] for turn in world.turns()} == {kept}


@client("delete_session", "its publications are gone and counted, other sessions stay")
def _(world: World) -> None:
    world.publish(session="gone")
    world.publish(session="gone")
    kept = world.publish(session="kept")
    answer = world.client.delete_session("gone", wait_for_response=True)
    assert (answer.success, answer.deleted_requests_count) == (True, 2), answer
    assert {turn["request_id"] for turn in world.turns()} == {kept}


@client("delete_profile", "the fact is gone, the others stay")
def _(world: World) -> None:
    gone = world.add_profile("Likes tea.")
    world.add_profile("Likes cake.")
    assert world.client.delete_profile(world.user, gone) is None
    world.until("deletion", lambda: [row["content"] for row in world.profiles()] == ["Likes cake."])


@client("delete_profiles_by_ids", "those facts are gone and counted, unknown ids are not")
def _(world: World) -> None:
    gone = [world.add_profile("Likes tea."), world.add_profile("Likes cake.")]
    world.add_profile("Likes rain.")
    assert world.client.delete_profiles_by_ids([*gone, "unknown"]).deleted_count == 2
    assert [row["content"] for row in world.profiles()] == ["Likes rain."]


@client("delete_user_playbook", "the playbook is gone, the others stay")
def _(world: World) -> None:
    gone = world.add_user_playbook("t", "gone")
    world.add_user_playbook("t", "kept")
    assert world.client.delete_user_playbook(gone, wait_for_response=True).success
    assert [row["content"] for row in world.user_playbooks()] == ["kept"]


@client("delete_user_playbooks_by_ids", "those playbooks are gone and counted, unknown ids are not")
def _(world: World) -> None:
    gone = world.add_user_playbook("t", "gone")
    world.add_user_playbook("t", "kept")
    assert world.client.delete_user_playbooks_by_ids([gone, 2**40]).deleted_count == 1
    assert [row["content"] for row in world.user_playbooks()] == ["kept"]


@client("delete_agent_playbook", "the playbook is gone, the others stay")
def _(world: World) -> None:
    gone = world.add_agent_playbook("t", "gone")
    world.add_agent_playbook("t", "kept")
    assert world.client.delete_agent_playbook(gone, wait_for_response=True).success
    assert [row["content"] for row in world.agent_playbooks()] == ["kept"]


@client("delete_agent_playbooks_by_ids", "those playbooks are gone and counted, unknown ids are not")
def _(world: World) -> None:
    gone = world.add_agent_playbook("t", "gone")
    world.add_agent_playbook("t", "kept")
    assert world.client.delete_agent_playbooks_by_ids([gone, 2**40]).deleted_count == 1
    assert [row["content"] for row in world.agent_playbooks()] == ["kept"]


@client("clear_user_data", "everything of the user is gone and counted, also from searches; others stay")
def _(world: World) -> None:
    other = World(world.url, f"{world.name}-other")
    other.add_profile("Likes tea.")
    world.learn()
    answer = world.client.clear_user_data(world.user)
    assert answer.success, answer
    assert answer.deleted_counts["interactions"] == 4, answer
    assert (world.turns(), world.profiles(), world.user_playbooks()) == ([], [], [])
    found = plain_search(world)
    assert (found["profiles"], found["user_playbooks"]) == ([], [])
    assert len(other.profiles()) == 1
