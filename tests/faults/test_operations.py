"""What happens is said: failures are errors, learning can be watched, ids are the caller's."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal

from reflexio_core.api.app import create_app
from reflexio_core.api.settings import AccessSettings
from reflexio_core.errors import StoreUnavailable
from tests.api.in_process import InProcess
from tests.faults.test_isolation import READS
from tests.faults.world import World

WRITES: dict[str, tuple[str, dict[str, Any]]] = {
    "publish_interaction": (
        "POST",
        {"user_id": "ana", "session_id": "s", "interaction_data_list": [{"role": "user", "content": "hello"}]},
    ),
    "finalize_session": ("POST", {"user_id": "ana", "session_id": "session-of-ana"}),
    "clear_user_data": ("POST", {"user_id": "ana"}),
    "delete_request": ("DELETE", {"request_id": "r1"}),
    "delete_session": ("DELETE", {"session_id": "session-of-ana"}),
    "add_user_profile": (
        "POST",
        {
            "user_profiles": [
                {
                    "profile_id": "p",
                    "user_id": "ana",
                    "content": "a",
                    "last_modified_timestamp": 1,
                    "generated_from_request_id": "r",
                }
            ]
        },
    ),
    "update_config": ("POST", {"window_size": 12}),
}


class _Broken:
    """A store that answers nothing."""

    def __getattr__(self, name: str) -> Any:
        def fail(*_: Any) -> Any:
            raise StoreUnavailable("the store is away")

        return fail


@pytest.mark.parametrize("route", [*WRITES, *(name for name in READS if name.startswith("get_"))])
def test_a_failing_store_is_an_error_everywhere(world: World, route: str) -> None:
    world.tell("ana", "I live in Berlin.", request_id="r1")
    method, body = WRITES.get(route, ("POST", {"user_id": "ana", **READS.get(route, {})}))
    client = InProcess(create_app(replace(world.engine, store=_Broken()), AccessSettings(tenant="acme")), world.portal)
    response = client.request(method, f"/api/{route}", json=body)
    assert response.status_code == 503, response.text
    assert '"success":true' not in response.text.replace(" ", "")
    assert "Traceback" not in response.text


def test_one_call_says_what_changed_and_why(world: World) -> None:
    world.tell("ana", "I live in Berlin.", request_id="r1")
    status = world.client.get("/api/learning_status", params={"request_id": "r1"}).json()
    assert (status["status"], status["reason"], status["model"]) == ("done", "covered", "offline-rules")
    assert set(status["usage"]) == {"calls", "prompt_tokens", "completion_tokens"}
    [fact] = world.facts("ana")
    assert fact["generated_from_request_id"] == "r1"
    assert fact["source_span"] == "I live in Berlin."
    assert fact["source_interaction_ids"] == [world.turns("ana")[0]["interaction_id"]]


@pytest.mark.parametrize("name", ["order/7#a:b%20c", "会话-1", "x" * 512, "a b", "~"])
def test_ids_are_the_caller_s(world: World, name: str) -> None:
    answer = world.publish(name, "I live in Berlin.", request_id=name, session_id=name)
    assert answer["request_id"] == name
    world.learn()
    assert len(world.said(name)) == 1
    status = world.client.get("/api/learning_status", params={"request_id": name}).json()
    assert status["reason"] == "covered"
    [session] = world.call("POST", "get_requests", {"user_id": name})["sessions"]
    assert session["session_id"] == name


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory, portal: BlockingPortal) -> Iterator[World]:
    """A service that stores nothing of what is tried on it."""
    world = World(tmp_path_factory.mktemp("untouched"), portal)
    yield world
    world.close()


@pytest.mark.parametrize("field", ["user_id", "session_id", "request_id"])
@pytest.mark.parametrize("value", ["", "  ", 7, ["a"], "x" * 5_000])
def test_an_id_that_cannot_be_one_is_refused_by_name(untouched: World, field: str, value: Any) -> None:
    response = untouched.try_publish("ana", "hello", **{field: value})
    assert response.status_code == 422, response.text
    assert field in response.text
    assert untouched.turns("ana") == []
