"""Deleting everything. These run last: every other case would lose its rows."""

from cases.registry import client
from world import World


@client("delete_all_profiles", "no fact is left, playbooks stay")
def _(world: World) -> None:
    world.add_profile("Likes tea.")
    world.add_user_playbook("t", "kept")
    assert world.client.delete_all_profiles().deleted_count >= 1
    assert world.http("GET", "/api/get_all_profiles")["user_profiles"] == []
    assert len(world.user_playbooks()) == 1


@client("delete_all_user_playbooks", "no user playbook is left, agent playbooks stay")
def _(world: World) -> None:
    world.add_user_playbook("t", "gone")
    world.add_agent_playbook("t", "kept")
    assert world.client.delete_all_user_playbooks().deleted_count >= 1
    assert world.http("POST", "/api/get_user_playbooks", {})["user_playbooks"] == []
    assert len(world.agent_playbooks()) == 1


@client("delete_all_agent_playbooks", "no agent playbook is left, user playbooks stay")
def _(world: World) -> None:
    world.add_user_playbook("t", "kept")
    world.add_agent_playbook("t", "gone")
    assert world.client.delete_all_agent_playbooks().deleted_count >= 1
    assert world.http("POST", "/api/get_agent_playbooks", {})["agent_playbooks"] == []
    assert len(world.user_playbooks()) == 1


@client("delete_all_playbooks", "no playbook of either kind is left")
def _(world: World) -> None:
    world.add_user_playbook("t", "gone")
    world.add_agent_playbook("t", "gone")
    assert world.client.delete_all_playbooks().deleted_count >= 2
    assert world.http("POST", "/api/get_user_playbooks", {})["user_playbooks"] == []
    assert world.http("POST", "/api/get_agent_playbooks", {})["agent_playbooks"] == []


@client("delete_all_interactions", "no turn is left")
def _(world: World) -> None:
    world.publish()
    assert world.client.delete_all_interactions().deleted_count >= 1
    assert world.http("GET", "/api/get_all_interactions")["interactions"] == []
