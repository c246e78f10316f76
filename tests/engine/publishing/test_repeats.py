"""A retry is harmless: the same id and body give the first answer again, another body is refused."""

import threading
from typing import Any

import pytest

from reflexio.models.interactions import PublishUserInteractionRequest
from reflexio_core.domain.records import StreamHead
from reflexio_core.engine.context import Engine
from reflexio_core.engine.publish import publish
from reflexio_core.engine.requests import pages
from tests.doubles.echo_llm import EchoLlm
from tests.doubles.engine import TENANT, make_engine
from tests.engine.learning.conversations import USER, configure, facts, learn, windows

BODY = {
    "user_id": USER,
    "session_id": "s",
    "interaction_data_list": [{"role": "user", "content": "one"}],
    "session_finished": True,
}


def send(engine: Engine, key: str | None = None, *, tenant: str = TENANT, **changes: Any) -> dict[str, Any]:
    request = PublishUserInteractionRequest.model_validate({**BODY, **changes})
    return publish(engine, tenant, request, ["a warning"], key)


def stored(engine: Engine, user: str = USER) -> int:
    return len(list(pages(engine, engine.keys(TENANT).requests(user, 10))))


@pytest.mark.parametrize("wait", [0, 1, 100_000])
@pytest.mark.parametrize("learned", [False, True])
def test_the_same_body_again_gives_the_first_answer_again(wait: int, learned: bool) -> None:
    engine = make_engine(llm=EchoLlm())
    first = send(engine, request_id="r1")
    assert (first["learning_status"], first["learning_reason"]) == ("deferred", "queued")
    if learned:
        learn(engine)
    engine.clock.sleep(wait)
    configure(engine, profile_extractor_config=None, user_playbook_extractor_config=None)
    assert send(engine, request_id="r1") == first
    learn(engine)
    assert (stored(engine), facts(engine), len(windows(engine))) == (1, ["fact: one"], 1)


@pytest.mark.parametrize(
    "changes",
    [
        {"interaction_data_list": [{"role": "user", "content": "two"}]},
        {"interaction_data_list": BODY["interaction_data_list"] * 2},
        {"session_id": "other"},
        {"session_finished": False},
        {"source": "mail"},
        {"user_id": "bob"},
        {"force_extraction": True},
    ],
)
def test_another_body_under_the_same_id_is_refused_and_stores_nothing(changes: dict[str, Any]) -> None:
    engine = make_engine(llm=EchoLlm())
    send(engine, request_id="r1")
    refused = send(engine, request_id="r1", **changes)
    assert (refused["success"], refused["error"], refused["request_id"]) == (False, "request_id_reused", "r1")
    assert "r1" in refused["message"]
    assert (stored(engine), stored(engine, "bob")) == (1, 0)
    assert facts(engine) == []


def test_an_idempotency_key_stands_for_an_id() -> None:
    engine = make_engine(llm=EchoLlm())
    first = send(engine, "key-1")
    assert send(engine, "key-1") == first
    assert send(engine, "key-1", source="mail")["error"] == "request_id_reused"
    assert send(engine, "key-2")["request_id"] != first["request_id"]
    assert stored(engine) == 2


def test_an_id_in_the_body_comes_before_the_key() -> None:
    engine = make_engine(llm=EchoLlm())
    assert send(engine, "key-1", request_id="r1")["request_id"] == "r1"


def test_two_tenants_may_use_the_same_ids_and_keys() -> None:
    engine = make_engine(llm=EchoLlm())
    for key, name in ((None, "r1"), ("key", None)):
        answers = [send(engine, key, tenant=tenant, request_id=name) for tenant in (TENANT, "other")]
        assert [answer["success"] for answer in answers] == [True, True]


def test_without_an_id_every_call_is_a_publication_of_its_own() -> None:
    engine = make_engine(llm=EchoLlm())
    assert send(engine)["request_id"] != send(engine)["request_id"]
    assert stored(engine) == 2


def test_two_publishes_of_one_id_at_the_same_moment_make_one_row() -> None:
    engine = make_engine(llm=EchoLlm())
    barrier = threading.Barrier(8)
    engine.store.before_commit = lambda _: barrier.wait(5) if barrier.n_waiting < 8 and not barrier.broken else None
    answers: list[dict[str, Any]] = []

    def at_once() -> None:
        answers.append(send(engine, request_id="r1"))

    threads = [threading.Thread(target=at_once) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(answers) == 8
    assert answers.count(answers[0]) == 8
    assert stored(engine) == 1
    head = StreamHead.of(engine.store.get(engine.keys(TENANT).head(USER)))
    assert head.highwater == 1


def test_two_bodies_of_one_id_at_the_same_moment_store_one_of_them() -> None:
    engine = make_engine(llm=EchoLlm())

    def other_first(_: object) -> None:
        engine.store.before_commit = None
        assert send(engine, request_id="r1", source="first")["success"]

    engine.store.before_commit = other_first
    assert send(engine, request_id="r1", source="second")["error"] == "request_id_reused"
    assert stored(engine) == 1


def test_an_attempt_that_lost_a_race_leaves_no_turns_behind() -> None:
    """Large turns go to a blob first; no record would name those of a refused attempt."""
    engine = make_engine(llm=EchoLlm())
    large = [{"role": "user", "content": "x" * 400_000}]

    def another_publisher_first(_: object) -> None:
        engine.store.before_commit = None
        send(engine, request_id="r2", interaction_data_list=large)

    engine.store.before_commit = another_publisher_first
    assert send(engine, request_id="r1", interaction_data_list=large)["success"]
    assert len(engine.blobs.data) == 2


def test_a_twin_that_lost_the_race_does_not_take_the_winner_s_turns() -> None:
    engine = make_engine(llm=EchoLlm())
    large = [{"role": "user", "content": "x" * 400_000, "created_at": 1}]

    def twin_first(_: object) -> None:
        engine.store.before_commit = None
        send(engine, request_id="r1", interaction_data_list=large)

    engine.store.before_commit = twin_first
    assert send(engine, request_id="r1", interaction_data_list=large)["success"]
    assert len(engine.blobs.data) == 1
    learn(engine)
    assert len(facts(engine)) == 1
