"""Many publishers, many turns, large turns: everything is stored, in order, under ids of its own."""

import threading
from collections.abc import Iterator
from itertools import pairwise

import pytest

from reflexio.models.interactions import GetInteractionsRequest
from reflexio_core.adapters.system import SystemClock
from reflexio_core.domain.records import RequestRecord, StreamHead
from reflexio_core.engine.context import Engine
from reflexio_core.engine.learn import run_user
from reflexio_core.engine.listing import get_interactions
from reflexio_core.engine.requests import load_request, pages
from reflexio_core.ports.store import MAX_ITEM_BYTES, Put, Store
from tests.doubles.echo_llm import EchoLlm
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.memory_store import MemoryStore
from tests.doubles.scripted_llm import ScriptedLlm
from tests.engine.learning.conversations import USER, facts, learn, say, stored_request, windows


def publications(engine: Engine, user: str = USER) -> list[RequestRecord]:
    return [load_request(engine, item) for item in pages(engine, engine.keys(TENANT).requests(user, 100))]


def listed(engine: Engine, user: str = USER) -> Iterator[dict]:
    token: str | None = None
    while True:
        body = GetInteractionsRequest.model_validate({"user_id": user, "top_k": 100, "next_token": token})
        answer = get_interactions(engine, TENANT, body)
        yield from answer["interactions"]
        token = answer.get("next_token")
        if token is None:
            return


def test_twenty_publishers_for_one_user_at_once_are_all_stored(store: Store) -> None:
    engine = make_engine(llm=EchoLlm(), store=store, clock=SystemClock())
    answers = []
    together = threading.Barrier(20)

    def one(number: int) -> None:
        together.wait(10)
        answers.append(say(engine, f"r{number}", "hello", "world", session_finished=False))

    threads = [threading.Thread(target=one, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(answers) == 20
    records = publications(engine)
    assert [seq for record in records for seq in record.seqs()] == list(range(1, 41))
    ids = [turn.interaction_id for record in records for turn in record.turns]
    assert all(before < after for before, after in pairwise(ids))
    assert {record.request_id for record in records} == {f"r{number}" for number in range(20)}


def test_publishers_and_a_learner_at_once_lose_and_double_nothing(store: Store) -> None:
    engine = make_engine(llm=ScriptedLlm(), store=store, clock=SystemClock())
    done = threading.Event()

    def keep_learning() -> None:
        while not done.is_set():
            run_user(engine, TENANT, USER)
            done.wait(0.002)

    learner = threading.Thread(target=keep_learning)
    learner.start()
    threads = [threading.Thread(target=say, args=(engine, f"r{number}", "hello")) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    done.set()
    learner.join(30)
    learn(engine)
    judged = [seq for window in windows(engine) for seq in window.window.manifest if seq >= window.window.new_from]
    assert judged == list(range(1, 13))


def test_a_thousand_turns_are_one_publication_and_a_few_items(engine: Engine) -> None:
    say(engine, "r1", *(f"turn {number}" for number in range(1_000)), session_finished=False)
    [record] = publications(engine)
    assert [turn.data.content for turn in record.turns] == [f"turn {number}" for number in range(1_000)]
    assert sorted(row["content"] for row in listed(engine)) == sorted(f"turn {number}" for number in range(1_000))
    if isinstance(engine.store, MemoryStore):
        assert [len(commit) for commit in engine.store.commits] == [3]


def test_a_megabyte_turn_is_stored_whole_listed_whole_and_learned_from() -> None:
    engine = make_engine(llm=EchoLlm())
    text = "a large thing " + "x" * 999_900
    say(engine, "r1", text)
    record = stored_request(engine, "r1")
    assert record.blob in engine.blobs.data
    assert [row["content"] for row in listed(engine)] == [text]
    for commit in engine.store.commits:
        assert all(len(str(op.item.body)) < MAX_ITEM_BYTES for op in commit if isinstance(op, Put))
    learn(engine)
    [learned] = facts(engine)
    assert learned.startswith("fact: a large thing")
    assert "characters left out" in learned


def test_four_short_turns_cost_three_small_items() -> None:
    """Eight write units at most: a unit is 1 KB, and a transaction costs two of them."""
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", "Deploy it.", ("assistant", "Deploying."), "No, to us-west-2.", ("assistant", "Switching."))
    [commit] = engine.store.commits
    units = [2 * -(-len(str(operation.item.body)) // 1_024) for operation in commit if isinstance(operation, Put)]
    assert sum(units) <= 8


@pytest.mark.parametrize("turns", [1, 3])
def test_the_head_counts_what_is_stored(engine: Engine, turns: int) -> None:
    for number in range(3):
        say(engine, f"r{number}", *["hello"] * turns)
    head = StreamHead.of(engine.store.get(engine.keys(TENANT).head(USER)))
    assert head.highwater == 3 * turns
    assert head.last_interaction_id == publications(engine)[-1].turns[-1].interaction_id
