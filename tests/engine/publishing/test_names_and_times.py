"""Any id is legal and meets no other; times are UTC, and those that a client names are kept."""

import os
import time
from collections.abc import Iterator

import pytest

from reflexio.models.interactions import GetInteractionsRequest
from reflexio.models.service import ClearUserDataRequest
from reflexio_core.engine.context import Engine
from reflexio_core.engine.erase import clear_user_data
from reflexio_core.engine.listing import get_interactions
from reflexio_core.engine.status import learning_status
from reflexio_core.errors import NotFound
from tests.doubles.echo_llm import EchoLlm
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.ports import START
from tests.doubles.scripted_llm import ScriptedLlm
from tests.engine.learning.conversations import facts, learn, learn_what_is_due, profiles, say, stored_request

LONG = "n" * 511
ODD_IDS = [
    "u1",
    "u10",
    "u1#",
    "u1#s",
    "u1/s",
    "u1:s",
    "u1%23s",
    "u1 s",
    "u1~",
    "u1*",
    "U1",
    "ü1",
    "用户1",
    "🙂",
    LONG + "a",
    LONG + "b",
    "#" * 512,
    "%" * 512,
]


def contents(engine: Engine, user: str) -> list[str]:
    answer = get_interactions(engine, TENANT, GetInteractionsRequest(user_id=user))
    return [row["content"] for row in answer["interactions"]]


@pytest.fixture(scope="module")
def crowd() -> Engine:
    """Every odd id is a user with one learned turn, in a session and a request of the same name."""
    engine = make_engine(llm=EchoLlm())
    for number, name in enumerate(ODD_IDS):
        say(engine, name, f"turn of {number}", user=name, session_id=name)
    learn_what_is_due(engine)
    return engine


@pytest.mark.parametrize("number", range(len(ODD_IDS)))
def test_users_never_meet_whatever_their_ids_hold(crowd: Engine, number: int) -> None:
    name = ODD_IDS[number]
    assert contents(crowd, name) == [f"turn of {number}"]
    assert facts(crowd, name) == [f"fact: turn of {number}"]
    assert learning_status(crowd, TENANT, name)["reason"] == "covered"


@pytest.mark.parametrize("name", ["u1", "u1#", "#" * 512, LONG + "a"])
def test_clearing_one_user_touches_no_other(name: str) -> None:
    engine = make_engine(llm=EchoLlm())
    for number, user in enumerate(ODD_IDS):
        say(engine, user, f"turn of {number}", user=user, session_id="shared")
    learn_what_is_due(engine)
    clear_user_data(engine, TENANT, ClearUserDataRequest(user_id=name))
    assert [user for user in ODD_IDS if not contents(engine, user)] == [name]
    assert [user for user in ODD_IDS if not facts(engine, user)] == [name]


def test_tenants_whose_names_could_run_into_a_user_never_meet() -> None:
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", "one", tenant="a#b", user="c")
    with pytest.raises(NotFound):
        learning_status(engine, "a", "r1")
    say(engine, "r1", "two", tenant="a", user="b#c")
    assert learning_status(engine, "a", "r1")["status"] == "pending"
    learn(engine, "b#c", "a")
    assert learning_status(engine, "a#b", "r1")["status"] == "pending"


def test_a_time_that_the_client_names_is_kept_and_one_it_does_not_is_now() -> None:
    engine = make_engine(llm=ScriptedLlm())
    before = int(time.time())
    say(
        engine,
        "r1",
        {"role": "user", "content": "then", "created_at": "2020-02-29T23:30:00-05:00"},
        {"role": "user", "content": "in seconds", "created_at": 1_500_000_000},
        {"role": "user", "content": "now"},
    )
    then, seconds, now = (turn.data for turn in stored_request(engine, "r1").turns)
    assert (then.created_at, then.utc_offset_minutes) == (1_583_037_000, -300)
    assert seconds.created_at == 1_500_000_000
    assert before <= now.created_at <= time.time()
    learn(engine)
    assert [turn.time for turn in engine.llm.asked[0].turns][:2] == [
        "2020-02-29T23:30:00-05:00",
        "2017-07-14T02:40:00+00:00",
    ]


@pytest.mark.parametrize("at", [0, 4_102_444_799])
def test_the_first_and_the_last_time_are_learned_from(at: int) -> None:
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", {"role": "user", "content": "one", "created_at": at})
    learn(engine)
    assert facts(engine) == ["fact: one"]


@pytest.fixture
def tokyo() -> Iterator[None]:
    """A process whose local time is nine hours ahead."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "Asia/Tokyo"
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


@pytest.mark.usefixtures("tokyo")
def test_the_zone_of_the_process_changes_no_time() -> None:
    assert time.localtime(0).tm_hour == 9
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", {"role": "user", "content": "one", "created_at": "2026-05-01T09:30:00Z"})
    learn(engine)
    assert engine.llm.asked[0].turns[0].time == "2026-05-01T09:30:00+00:00"
    answer = get_interactions(engine, TENANT, GetInteractionsRequest(user_id="ana", start_time="2026-05-01T09:30:00"))
    assert [row["created_at"] for row in answer["interactions"]] == [1_777_627_800]
    assert profiles(engine)[0].created_at == int(START)
