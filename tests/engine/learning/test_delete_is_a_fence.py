"""After a delete returns, nothing derived only from what went can appear, however its steps meet the learner's."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from reflexio.models.interactions import (
    DeleteRequestRequest,
    DeleteSessionRequest,
    DeleteUserInteractionRequest,
    PublishUserInteractionRequest,
)
from reflexio.models.service import ClearUserDataRequest
from reflexio_core.domain.records import ProfileRecord, RequestPointer, RequestRecord, UserPlaybookRecord
from reflexio_core.engine.context import Engine
from reflexio_core.engine.erase import clear_user_data, delete_interaction, delete_request, delete_session
from reflexio_core.engine.learn import run_user
from reflexio_core.engine.projection import catch_up
from reflexio_core.engine.publish import publish
from reflexio_core.engine.requests import pages
from reflexio_core.engine.sweep import recover
from tests.doubles.echo_llm import EchoLlm
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.ports import RecordingIndex
from tests.doubles.stepping_store import Crash, SteppingStore, crash

USER = "ana"
DOOMED = "the vault code word is heron"
KEPT = "lunch is at noon"


def seeded(*, finished: bool = True) -> Engine:
    """Two sessions of one user: one holds the doomed turn, the other stays."""
    engine = make_engine(llm=EchoLlm())
    say(engine, "kept", "session-kept", KEPT, finished=False)
    say(engine, "doomed", "session-doomed", DOOMED, finished=finished)
    return engine


def say(engine: Engine, request_id: str, session: str, text: str, *, finished: bool) -> None:
    body = {
        "request_id": request_id,
        "user_id": USER,
        "session_id": session,
        "interaction_data_list": [{"role": "User", "content": text}],
        "session_finished": finished,
    }
    assert publish(engine, TENANT, PublishUserInteractionRequest.model_validate(body), [])["success"]


def turn_id(engine: Engine) -> int:
    keys = engine.keys(TENANT)
    pointer = engine.store.get(keys.request_pointer("doomed"))
    if pointer is None:
        return 1
    item = engine.store.get(keys.request(USER, RequestPointer.of(pointer).first_seq))
    return RequestRecord.of(item).first_interaction_id


DELETES: dict[str, Callable[[Engine], object]] = {
    "request": lambda engine: delete_request(engine, TENANT, DeleteRequestRequest(request_id="doomed")),
    "session": lambda engine: delete_session(engine, TENANT, DeleteSessionRequest(session_id="session-doomed")),
    "turn": lambda engine: delete_interaction(
        engine, TENANT, DeleteUserInteractionRequest(user_id=USER, interaction_id=turn_id(engine))
    ),
    "user": lambda engine: clear_user_data(engine, TENANT, ClearUserDataRequest(user_id=USER)),
}


def settle(engine: Engine) -> None:
    """Let everything due happen, also what an earlier process had begun."""
    for _ in range(10):
        recover(engine)
        run_user(engine, TENANT, USER)
        engine.clock.sleep(400)
    catch_up(engine)


def texts(engine: Engine) -> list[str]:
    """All that is stored or searchable of the user."""
    keys = engine.keys(TENANT)
    found = [ProfileRecord.of(item).content for item in pages(engine, keys.profiles(USER, 100))]
    found += [UserPlaybookRecord.of(item).content for item in pages(engine, keys.user_playbooks(USER, 100))]
    found += [str(RequestRecord.of(item).body()) for item in pages(engine, keys.requests(USER, 100))]
    assert isinstance(engine.index, RecordingIndex)
    return found + [doc.text for doc in engine.index.docs.values()]


def assert_gone(engine: Engine, delete: str) -> None:
    assert not [text for text in texts(engine) if DOOMED in text]
    kept = [text for text in texts(engine) if KEPT in text]
    assert bool(kept) is (delete != "user")


def steps_of(action: Callable[[Engine], object], engine: Engine) -> int:
    counting = SteppingStore(engine.store)
    action(replace(engine, store=counting))
    return counting.calls


def learn(engine: Engine) -> None:
    run_user(engine, TENANT, USER)


@pytest.mark.parametrize("delete", DELETES)
def test_a_delete_between_any_two_steps_of_the_learner_wins(delete: str) -> None:
    steps = steps_of(learn, seeded())
    assert steps > 15
    for at in range(1, steps + 2):
        engine = seeded()
        learner = replace(engine, store=SteppingStore(engine.store, at, lambda e=engine: DELETES[delete](e)))
        learn(learner)
        if learner.store.calls < at:
            DELETES[delete](engine)
        assert not [text for text in texts(engine) if DOOMED in text], f"before step {at}"
        settle(engine)
        assert_gone(engine, delete)


@pytest.mark.parametrize("delete", DELETES)
@pytest.mark.parametrize("learned_before", [False, True])
def test_a_learner_between_any_two_steps_of_a_delete_brings_nothing_back(delete: str, learned_before: bool) -> None:
    def begun() -> Engine:
        engine = seeded()
        if learned_before:
            learn(engine)
            assert any(DOOMED in text for text in texts(engine))
        return engine

    steps = steps_of(DELETES[delete], begun())
    for at in range(1, steps + 1):
        engine = begun()
        DELETES[delete](replace(engine, store=SteppingStore(engine.store, at, lambda e=engine: learn(e))))
        assert not [text for text in texts(engine) if DOOMED in text], f"learner before step {at}"
        settle(engine)
        assert_gone(engine, delete)


@pytest.mark.parametrize("delete", DELETES)
def test_a_decided_delete_survives_a_crash_at_any_step(delete: str) -> None:
    def begun() -> Engine:
        engine = seeded()
        learn(engine)
        return engine

    steps = steps_of(DELETES[delete], begun())
    finished_later = 0
    for at in range(1, steps + 1):
        engine = begun()
        with pytest.raises(Crash):
            DELETES[delete](replace(engine, store=SteppingStore(engine.store, at, crash)))
        settle(engine)
        left = [text for text in texts(engine) if DOOMED in text]
        if left:  # it was not decided yet: all of it is still there, and the caller knows it did not return
            assert len(left) >= 5, f"half gone after a crash before step {at}"
        else:
            finished_later += 1
            assert_gone(engine, delete)
    assert finished_later >= 3
