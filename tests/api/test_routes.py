"""Every route does its work on the real engine and answers with exactly what it declares."""

from typing import Any

import pytest
from pydantic import BaseModel

from reflexio_core.api.access_layer import OPEN_PATHS
from reflexio_core.engine.context import Engine
from reflexio_core.engine.projection import catch_up
from tests.api.in_process import InProcess
from tests.doubles.ports import START

PROFILE = {
    "profile_id": "likes-tea",
    "user_id": "ada",
    "content": "Ada likes green tea",
    "last_modified_timestamp": int(START),
    "generated_from_request_id": "manual",
}
PLAYBOOK = {"agent_version": "v1", "request_id": "manual", "trigger": "before a deployment", "content": "Ask first."}


class Walk:
    """Calls routes one after another; ``called`` remembers which, and every answer is held against its model."""

    def __init__(self, client: InProcess) -> None:
        self._client = client
        self._routes = {(method, route.path): route for route in client.data_routes() for method in route.methods or ()}
        self.called: set[tuple[str, str]] = set()

    def all_routes(self) -> set[tuple[str, str]]:
        """Method and path of each data route."""
        return set(self._routes)

    def __call__(self, method: str, name: str, body: Any = None, **query: Any) -> dict[str, Any]:
        """The answer of ``/api/<name>``, which must be a success."""
        path = f"/api/{name}"
        response = self._client.request(method, path, json=body, params=query)
        assert response.status_code == 200, (path, response.text)
        answer: dict[str, Any] = response.json()
        self.called.add((method, path))
        model = self._routes[method, path].response_model
        if isinstance(model, type) and issubclass(model, BaseModel):
            declared = model.model_validate(answer).model_dump(mode="json", exclude_unset=True)
            assert declared == answer, path
        assert answer.get("success", True) is True, (path, answer)
        return answer


@pytest.fixture
def walk(client: InProcess) -> Walk:
    """A walk through a fresh application."""
    return Walk(client)


def _publish_and_read(walk: Walk, conversation: dict[str, Any]) -> None:
    published = walk("POST", "publish_interaction", {**conversation, "request_id": "r1", "session_finished": True})
    assert published["request_id"] == "r1"
    assert walk("GET", "learning_status", request_id="r1")["status"] in {"pending", "processing", "done"}
    assert walk("POST", "finalize_session", {"user_id": "ada", "session_id": "deploys"})["accepted"] is True
    assert len(walk("POST", "get_interactions", {"user_id": "ada"})["interactions"]) == 2
    assert len(walk("GET", "get_all_interactions")["interactions"]) == 2
    sessions = walk("POST", "get_requests", {"user_id": "ada"})["sessions"]
    assert [session["session_id"] for session in sessions] == ["deploys"]


def _write_and_read_learnings(walk: Walk) -> tuple[int, int]:
    assert walk("POST", "add_user_profile", {"user_profiles": [PROFILE]})["added_count"] == 1
    assert walk("POST", "add_user_playbook", {"user_playbooks": [{**PLAYBOOK, "user_id": "ada"}]})["added_count"] == 1
    assert walk("POST", "add_agent_playbook", {"agent_playbooks": [PLAYBOOK]})["added_count"] == 1
    walk("PUT", "update_user_profile", {"user_id": "ada", "profile_id": "likes-tea", "content": "Ada likes tea"})
    profiles = walk("POST", "get_profiles", {"user_id": "ada"})["user_profiles"]
    assert [profile["content"] for profile in profiles] == ["Ada likes tea"]
    assert len(walk("GET", "get_all_profiles", limit=5)["user_profiles"]) == 1
    user_playbook = walk("POST", "get_user_playbooks", {"user_id": "ada"})["user_playbooks"][0]["user_playbook_id"]
    agent_playbook = walk("POST", "get_agent_playbooks", {})["agent_playbooks"][0]["agent_playbook_id"]
    walk("PUT", "update_user_playbook", {"user_playbook_id": user_playbook, "pitfall": "Guessing."})
    walk("PUT", "update_agent_playbook", {"agent_playbook_id": agent_playbook, "rationale": "It is costly."})
    verdict = {"agent_playbook_id": agent_playbook, "playbook_status": "approved"}
    walk("PUT", "update_agent_playbook_status", verdict)
    changed = walk("POST", "get_agent_playbooks", {"playbook_status_filter": "approved"})["agent_playbooks"]
    assert [row["rationale"] for row in changed] == ["It is costly."]
    return user_playbook, agent_playbook


def _search(walk: Walk) -> None:
    found = walk("POST", "search", {"query": "tea", "user_id": "ada"})
    assert [profile["profile_id"] for profile in found["profiles"]] == ["likes-tea"]
    query = {"query": "deployment", "user_id": "ada"}
    assert "user_profiles" in walk("POST", "search_profiles", query)
    assert len(walk("POST", "search_user_playbooks", query)["user_playbooks"]) == 1
    assert len(walk("POST", "search_agent_playbooks", query)["agent_playbooks"]) == 1
    assert len(walk("POST", "search_interactions", {"query": "Deploy", "user_id": "ada"})["interactions"]) >= 1


def _administer(walk: Walk) -> None:
    config = walk("GET", "get_config")
    assert walk("POST", "update_config", {"window_size": 20})["msg"] == "Configuration set successfully"
    assert walk("GET", "get_config")["window_size"] == 20
    walk("POST", "set_config", config)
    assert walk("GET", "get_config") == config
    assert walk("GET", "whoami")["org_id"] == "self-host-org"
    assert walk("GET", "storage_stats", user_id="ada")["profile_count"] == 1
    assert walk("GET", "get_profile_statistics")["current_count"] == 1


def _delete_one_by_one(walk: Walk, user_playbook: int, agent_playbook: int, conversation: dict[str, Any]) -> None:
    walk("DELETE", "delete_profile", {"user_id": "ada", "profile_id": "likes-tea"})
    assert walk("POST", "get_profiles", {"user_id": "ada"})["user_profiles"] == []
    walk("DELETE", "delete_user_playbook", {"user_playbook_id": user_playbook})
    walk("DELETE", "delete_agent_playbook", {"agent_playbook_id": agent_playbook})
    assert walk("POST", "get_agent_playbooks", {})["agent_playbooks"] == []
    turn = walk("POST", "get_interactions", {"user_id": "ada"})["interactions"][0]["interaction_id"]
    walk("DELETE", "delete_interaction", {"user_id": "ada", "interaction_id": turn})
    assert len(walk("POST", "get_interactions", {"user_id": "ada"})["interactions"]) == 1
    walk("DELETE", "delete_request", {"request_id": "r1"})
    walk("POST", "publish_interaction", {**conversation, "request_id": "r2"})
    assert walk("DELETE", "delete_session", {"session_id": "deploys"})["deleted_requests_count"] == 1
    walk("POST", "publish_interaction", {**conversation, "request_id": "r3"})
    assert walk("DELETE", "delete_requests_by_ids", {"request_ids": ["r3", "unknown"]})["deleted_count"] == 1


def _delete_in_bulk(walk: Walk) -> None:
    walk("POST", "add_user_profile", {"user_profiles": [PROFILE]})
    walk("POST", "add_user_playbook", {"user_playbooks": [{**PLAYBOOK, "user_id": "ada"}]})
    walk("POST", "add_agent_playbook", {"agent_playbooks": [PLAYBOOK]})
    user_playbook = walk("POST", "get_user_playbooks", {})["user_playbooks"][0]["user_playbook_id"]
    agent_playbook = walk("POST", "get_agent_playbooks", {})["agent_playbooks"][0]["agent_playbook_id"]
    for name, ids in (
        ("profiles", {"profile_ids": ["likes-tea"]}),
        ("user_playbooks", {"user_playbook_ids": [user_playbook]}),
        ("agent_playbooks", {"agent_playbook_ids": [agent_playbook]}),
    ):
        assert walk("DELETE", f"delete_{name}_by_ids", ids)["deleted_count"] == 1
        assert walk("DELETE", f"delete_{name}_by_ids", ids)["deleted_count"] == 0
    for everything in ("interactions", "profiles", "playbooks", "user_playbooks", "agent_playbooks"):
        walk("DELETE", f"delete_all_{everything}")
    walk("POST", "clear_user_data", {"user_id": "ada"})


def test_every_route_works_and_answers_as_it_declares(walk: Walk, engine: Engine, conversation: dict[str, Any]) -> None:
    _publish_and_read(walk, conversation)
    catch_up(engine)  # a service does so on its own
    user_playbook, agent_playbook = _write_and_read_learnings(walk)
    _search(walk)
    _administer(walk)
    _delete_one_by_one(walk, user_playbook, agent_playbook, conversation)
    _delete_in_bulk(walk)
    assert walk.all_routes() - walk.called == set()


def test_a_retried_publish_gives_the_first_answer_again_and_another_body_is_refused(
    client: InProcess, conversation: dict[str, Any]
) -> None:
    for named in ({"json": {**conversation, "request_id": "r1"}}, {"json": conversation}):
        headers = {} if "request_id" in named["json"] else {"Idempotency-Key": "k1"}
        first = client.post("/api/publish_interaction", headers=headers, **named).json()
        again = client.post("/api/publish_interaction", headers=headers, **named).json()
        other = {**named["json"], "source": "other"}
        refused = client.post("/api/publish_interaction", headers=headers, json=other)
        assert again == first
        assert (refused.status_code, refused.json()["success"]) == (200, False)
        assert refused.json()["error"] == "request_id_reused"


@pytest.mark.parametrize("key", ["", " ", "x" * 513, "a\x7fb"])
def test_an_idempotency_key_that_is_no_id_is_refused(client: InProcess, conversation: Any, key: str) -> None:
    response = client.post("/api/publish_interaction", json=conversation, headers={"Idempotency-Key": key})
    assert response.status_code == 422
    assert response.json()["detail"][0]["loc"] == ["header", "idempotency-key"]


def test_a_waiting_publish_answers_at_once_when_only_more_turns_can_bring_learning(
    client: InProcess, conversation: dict[str, Any]
) -> None:
    answer = client.post("/api/publish_interaction?wait_for_response=true", json=conversation).json()
    assert (answer["learning_status"], answer["learning_reason"]) == ("deferred", "waiting_for_window")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "update_user_profile", {"user_id": "u", "profile_id": "none", "content": "x"}),
        ("PUT", "update_user_playbook", {"user_playbook_id": 7, "content": "x"}),
        ("PUT", "update_agent_playbook", {"agent_playbook_id": 7, "content": "x"}),
        ("PUT", "update_agent_playbook_status", {"agent_playbook_id": 7, "playbook_status": "approved"}),
    ],
)
def test_changing_what_is_not_there_is_no_success_and_no_traceback(
    client: InProcess, method: str, path: str, body: dict[str, Any]
) -> None:
    response = client.request(method, f"/api/{path}", json=body)
    assert response.status_code == 200
    assert response.json()["success"] is False
    assert response.json()["error"] == "not_found"
    assert "Traceback" not in response.text


def test_an_unknown_request_has_no_status(client: InProcess) -> None:
    response = client.get("/api/learning_status", params={"request_id": "nope"})
    assert (response.status_code, response.json()["error"]) == (404, "not_found")


def test_the_routes_that_are_open_are_the_ones_meant_to_be(client: InProcess) -> None:
    closed = {route.path for route in client.data_routes()}
    served = {str(getattr(route, "path", "")) for route in client.app.routes}
    assert served - closed == OPEN_PATHS - {"/healthz/eval"}
