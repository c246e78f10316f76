"""Stopped or killed, a service comes back with everything that it acknowledged, and goes on where it was."""

import signal
import time
from pathlib import Path

import pytest

from reflexio import ReflexioClient
from reflexio_core.embedded.background import running
from reflexio_core.embedded.data_folder import DataFolder
from tests.embedded.services import Service

RESUME_SECONDS = 5.0
POLL_SECONDS = 0.02
TURNS = [
    {"role": "user", "content": "Deploy the new service."},
    {"role": "assistant", "content": "Starting deployment to us-east-1..."},
    {"role": "user", "content": "Wait, we never deploy production to us-east-1. Always use us-west-2."},
]


def publish(client: ReflexioClient, user: str) -> str:
    answer = client.publish_interaction(user, TURNS, session_id=f"session of {user}", session_finished=True)
    assert answer.request_id
    return answer.request_id


def wait_until_learned(client: ReflexioClient, request_id: str, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while client.get_learning_status(request_id) != "done":
        assert time.monotonic() < deadline, f"{request_id} is not learned after {seconds} s"
        time.sleep(POLL_SECONDS)


def regions(client: ReflexioClient, user: str) -> list[str]:
    return [row.content for row in client.get_profiles(user_id=user).user_profiles if "us-west-2" in row.content]


def test_a_restart_keeps_turns_learnings_and_search(tmp_path: Path) -> None:
    with Service(tmp_path / "data") as service:
        wait_until_learned(service.client(), publish(service.client(), "ana"), 20)
    with Service(tmp_path / "data") as service:
        client = service.client()
        assert len(client.get_interactions(user_id="ana").interactions) == len(TURNS)
        assert len(regions(client, "ana")) == 1
        assert client.search(query="deployment region", user_id="ana").profiles


@pytest.mark.parametrize("users", [1, 8])
def test_a_killed_service_resumes_within_seconds_and_learns_everything_once(tmp_path: Path, users: int) -> None:
    names = [f"user-{number}" for number in range(users)]
    with Service(tmp_path / "data") as service:
        requests = {name: publish(service.client(), name) for name in names}
        code, _, _ = service.stop(signal.SIGKILL)
    assert code == -signal.SIGKILL
    assert running(DataFolder(tmp_path / "data")) is None, "a dead service must not count as running"
    with Service(tmp_path / "data") as service:
        client = service.client()
        for name, request_id in requests.items():
            wait_until_learned(client, request_id, RESUME_SECONDS)
            assert len(client.get_interactions(user_id=name).interactions) == len(TURNS)
            assert len(regions(client, name)) == 1
