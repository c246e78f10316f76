"""What a case works with: the published client, and a plain HTTP look at what it did.

Runs inside the published environments, so it uses the standard library and the package under test alone.
"""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import reflexio

CORRECTION = [
    {"role": "user", "content": "Deploy the new service."},
    {"role": "assistant", "content": "Starting deployment to us-east-1..."},
    {"role": "user", "content": "Wait, we never deploy production to us-east-1. Always use us-west-2."},
    {"role": "assistant", "content": "Understood. Switching to us-west-2."},
]
REGION = "us-west-2"

PATIENCE_SECONDS = 15.0
"""How long an effect may take that is not promised at once: learning, indexing, calls made in the background."""

POLL_SECONDS = 0.05


class World:
    """One case's surroundings. ``name`` makes its ids its own."""

    def __init__(self, url: str, name: str) -> None:
        self.url = url.rstrip("/")
        self.name = name
        self.user = f"user/{name}"
        self.session = f"session#{name}"
        self.agent_version = f"agent-{name}"
        self.client: Any = reflexio.ReflexioClient(url_endpoint=self.url, timeout=60)

    @property
    def view(self) -> Any:
        """The client bound to this case's session."""
        return self.client.for_session(self.session)

    def http(self, method: str, path: str, body: Any = None) -> Any:
        """The service's answer without any client between."""
        request = urllib.request.Request(
            self.url + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "User-Agent": "plain-http"},
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)

    def until(self, what: str, check: Callable[[], Any]) -> Any:
        """The first truthy answer of ``check``."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (found := check()):
            if time.monotonic() > deadline:
                raise AssertionError(f"not within {PATIENCE_SECONDS} s: {what}")
            time.sleep(POLL_SECONDS)
        return found

    def publish(self, session: str | None = None, **changes: Any) -> str:
        """Store the correction; returns the request id."""
        body = {
            "user_id": self.user,
            "session_id": session or self.session,
            "interaction_data_list": CORRECTION,
            "agent_version": self.agent_version,
            **changes,
        }
        answer = self.http("POST", "/api/publish_interaction", body)
        assert answer["success"], answer
        return str(answer["request_id"])

    def learn(self, **changes: Any) -> str:
        """Store the correction and have it learned from; returns the request id."""
        request_id = self.publish(force_extraction=True, **changes)
        self.until(
            "learning",
            lambda: self.http("GET", f"/api/learning_status?request_id={request_id}")["status"] == "done",
        )
        return request_id

    def turns(self) -> list[dict[str, Any]]:
        """This user's stored turns, oldest first."""
        found = self.http("POST", "/api/get_interactions", {"user_id": self.user, "top_k": 100})["interactions"]
        return sorted(found, key=lambda turn: int(turn["interaction_id"]))

    def profiles(self) -> list[dict[str, Any]]:
        """This user's current facts."""
        return list(self.http("POST", "/api/get_profiles", {"user_id": self.user, "top_k": 100})["user_profiles"])

    def user_playbooks(self) -> list[dict[str, Any]]:
        """This user's playbooks."""
        return list(self.http("POST", "/api/get_user_playbooks", {"user_id": self.user})["user_playbooks"])

    def agent_playbooks(self) -> list[dict[str, Any]]:
        """Agent playbooks of this case's agent version, whatever their approval."""
        found = self.http("POST", "/api/get_agent_playbooks", {"agent_version": self.agent_version})
        return list(found["agent_playbooks"])

    def add_profile(self, content: str) -> str:
        """Store a fact; returns its id."""
        profile = {
            "profile_id": f"{self.name}-{len(self.profiles())}",
            "user_id": self.user,
            "content": content,
            "last_modified_timestamp": int(time.time()),
            "generated_from_request_id": "manual",
        }
        assert self.http("POST", "/api/add_user_profile", {"user_profiles": [profile]})["success"]
        return str(profile["profile_id"])

    def add_user_playbook(self, trigger: str, content: str) -> int:
        """Store a user playbook; returns its id."""
        playbook = {
            "user_id": self.user,
            "agent_version": self.agent_version,
            "request_id": "manual",
            "trigger": trigger,
            "content": content,
        }
        assert self.http("POST", "/api/add_user_playbook", {"user_playbooks": [playbook]})["success"]
        return next(int(row["user_playbook_id"]) for row in self.user_playbooks() if row["content"] == content)

    def add_agent_playbook(self, trigger: str, content: str, status: str = "approved") -> int:
        """Store an agent playbook; returns its id."""
        playbook = {
            "agent_version": self.agent_version,
            "trigger": trigger,
            "content": content,
            "playbook_status": status,
        }
        assert self.http("POST", "/api/add_agent_playbook", {"agent_playbooks": [playbook]})["success"]
        return next(int(row["agent_playbook_id"]) for row in self.agent_playbooks() if row["content"] == content)

    def refused(self, method: str, path: str) -> int:
        """The status with which the service refuses a call."""
        try:
            self.http(method, path)
        except urllib.error.HTTPError as error:
            with error:
                return error.code
        return 200
