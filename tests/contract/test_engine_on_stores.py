"""The engine's main flows on every store: what the item model promises holds wherever the record lies."""

import pytest

from reflexio.models.interactions import (
    DeleteRequestRequest,
    DeleteSessionRequest,
    FinalizeSessionRequest,
    GetInteractionsRequest,
    GetRequestsRequest,
    PublishUserInteractionRequest,
)
from reflexio.models.playbooks import GetUserPlaybooksRequest
from reflexio.models.profiles import GetUserProfilesRequest
from reflexio.models.service import ClearUserDataRequest
from reflexio_core.engine.context import Engine
from reflexio_core.engine.erase import clear_user_data, delete_request, delete_session
from reflexio_core.engine.learn import run_user
from reflexio_core.engine.listing import get_interactions, get_profiles, get_requests, get_user_playbooks
from reflexio_core.engine.publish import publish
from reflexio_core.engine.sessions import finalize_session
from reflexio_core.engine.status import learning_status
from reflexio_core.engine.sweep import sweep
from reflexio_core.ports.store import Store
from tests.doubles.echo_llm import EchoLlm
from tests.doubles.engine import TENANT, make_engine

USER = "ana#/:%"


@pytest.fixture
def engine(store: Store) -> Engine:
    return make_engine(store=store, llm=EchoLlm())


def say(engine: Engine, request_id: str, *texts: str, session: str = "s1", **more: object) -> dict[str, object]:
    body = {
        "request_id": request_id,
        "user_id": USER,
        "session_id": session,
        "interaction_data_list": [{"content": text} for text in texts],
        **more,
    }
    return publish(engine, TENANT, PublishUserInteractionRequest.model_validate(body), [])


def learned(engine: Engine) -> set[str]:
    profiles = get_profiles(engine, TENANT, GetUserProfilesRequest(user_id=USER))["user_profiles"]
    playbooks = get_user_playbooks(engine, TENANT, GetUserPlaybooksRequest(user_id=USER))["user_playbooks"]
    assert len(profiles) == len(playbooks)
    return {row["content"].removeprefix("fact: ") for row in profiles}


def test_a_finished_session_is_learned_and_listed(engine: Engine) -> None:
    assert say(engine, "r1", "one", "two", session_finished=True)["learning_reason"] == "queued"
    run_user(engine, TENANT, USER)
    status = learning_status(engine, TENANT, "r1")
    assert (status["status"], status["reason"]) == ("done", "covered")
    assert status["usage"] == {"calls": 1, "prompt_tokens": 100, "completion_tokens": 10}
    assert learned(engine) == {"one", "two"}
    turns = get_interactions(engine, TENANT, GetInteractionsRequest(user_id=USER))["interactions"]
    assert {turn["content"] for turn in turns} == {"one", "two"}
    sessions = get_requests(engine, TENANT, GetRequestsRequest(session_id="s1"))["sessions"]
    assert [request["request"]["request_id"] for request in sessions[0]["requests"]] == ["r1"]


def test_a_completion_hint_is_found_by_the_sweep_alone(engine: Engine) -> None:
    say(engine, "r1", "one")
    run_user(engine, TENANT, USER)
    assert learned(engine) == set()
    request = FinalizeSessionRequest(user_id=USER, session_id="s1")
    assert finalize_session(engine, TENANT, request)["accepted"]
    assert sweep(engine) == 1
    run_user(engine, TENANT, USER)
    assert learned(engine) == {"one"}
    assert sweep(engine) == 0


def test_the_same_request_is_answered_again_and_another_body_refused(engine: Engine) -> None:
    assert say(engine, "r1", "one")["success"]
    assert say(engine, "r1", "one")["success"]
    assert say(engine, "r1", "two")["error"] == "request_id_reused"
    turns = get_interactions(engine, TENANT, GetInteractionsRequest(user_id=USER))["interactions"]
    assert [turn["content"] for turn in turns] == ["one"]


def test_a_thousand_turns_are_one_commit_and_come_back_whole(engine: Engine) -> None:
    texts = [f"turn {number} " + "x" * 500 for number in range(1_000)]
    assert say(engine, "r1", *texts)["success"]
    answer = get_requests(engine, TENANT, GetRequestsRequest(request_id="r1"))
    turns = answer["sessions"][0]["requests"][0]["interactions"]
    assert [turn["content"] for turn in turns] == texts


@pytest.mark.parametrize("how", ["request", "session", "user"])
def test_deletes_take_what_rests_on_them_alone(engine: Engine, how: str) -> None:
    say(engine, "r1", "kept", session="s1", session_finished=True)
    say(engine, "r2", "doomed", session="s2", session_finished=True)
    run_user(engine, TENANT, USER)
    assert learned(engine) == {"kept", "doomed"}
    if how == "request":
        delete_request(engine, TENANT, DeleteRequestRequest(request_id="r2"))
    elif how == "session":
        answer = delete_session(engine, TENANT, DeleteSessionRequest(session_id="s2"))
        assert answer["deleted_requests_count"] == 1
    else:
        counts = clear_user_data(engine, TENANT, ClearUserDataRequest(user_id=USER))["deleted_counts"]
        assert (counts["requests"], counts["profiles"], counts["user_playbooks"]) == (2, 2, 2)
    assert learned(engine) == (set() if how == "user" else {"kept"})
