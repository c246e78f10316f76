"""Adding, changing and approving learnings by hand."""

from cases.registry import client
from world import World

import reflexio


@client("add_user_profile", "the fact is stored as given")
def _(world: World) -> None:
    answer = world.client.add_user_profile([{"user_id": world.user, "content": "Likes tea."}])
    assert (answer.success, answer.added_count) == (True, 1), answer
    assert [profile["content"] for profile in world.profiles()] == ["Likes tea."]


@client("add_user_playbook", "the playbook is stored as given")
def _(world: World) -> None:
    playbook = reflexio.UserPlaybook(
        user_id=world.user, agent_version=world.agent_version, request_id="manual", content="be brief", trigger="always"
    )
    assert world.client.add_user_playbook([playbook]).added_count == 1
    assert [(row["trigger"], row["content"]) for row in world.user_playbooks()] == [("always", "be brief")]


@client("add_agent_playbooks", "the playbook is stored and waits for approval")
def _(world: World) -> None:
    playbook = reflexio.AgentPlaybook(agent_version=world.agent_version, content="be brief")
    assert world.client.add_agent_playbooks([playbook]).added_count == 1
    assert [(row["content"], row["playbook_status"]) for row in world.agent_playbooks()] == [("be brief", "pending")]


@client("update_user_playbook", "the new text is stored, the rest stays, an unknown id is no success")
def _(world: World) -> None:
    playbook_id = world.add_user_playbook("when asked", "be brief")
    assert world.client.update_user_playbook(playbook_id, content="be very brief").success
    assert [(row["trigger"], row["content"]) for row in world.user_playbooks()] == [("when asked", "be very brief")]
    assert world.client.update_user_playbook(2**40, content="x").success is False


@client("update_agent_playbook", "the new text is stored, the rest stays")
def _(world: World) -> None:
    playbook_id = world.add_agent_playbook("when asked", "be brief")
    assert world.client.update_agent_playbook(playbook_id, content="be very brief").success
    assert [(row["trigger"], row["content"]) for row in world.agent_playbooks()] == [("when asked", "be very brief")]


@client("update_agent_playbook_status", "approval makes it findable, rejection hides it")
def _(world: World) -> None:
    playbook_id = world.add_agent_playbook("when asked about tea", "offer green tea", status="pending")

    def served() -> list[str]:
        body = {"query": "asked about tea", "agent_version": world.agent_version}
        found = world.http("POST", "/api/search_agent_playbooks", body)["agent_playbooks"]
        return [row["content"] for row in found]

    assert served() == []
    statuses = reflexio.PlaybookStatus
    assert world.client.update_agent_playbook_status(playbook_id, playbook_status=statuses.APPROVED).success
    world.until("approval", lambda: served() == ["offer green tea"])
    assert world.client.update_agent_playbook_status(playbook_id, playbook_status=statuses.REJECTED).success
    world.until("rejection", lambda: served() == [])
