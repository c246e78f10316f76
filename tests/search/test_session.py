"""A session is not given the same row twice, in whichever process it asks."""

import dataclasses
from collections.abc import Sequence

import pytest

from reflexio.models.enums import PlaybookStatus
from reflexio_core.engine.context import Engine
from reflexio_core.engine.projection import catch_up
from reflexio_core.engine.search.served import IDLE_SECONDS, MOST_REMEMBERED
from reflexio_core.errors import StoreUnavailable
from reflexio_core.ports.store import Absent, Item, Key, Operation, Put
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.memory_store import MemoryStore
from tests.doubles.ports import FixedClock
from tests.engine.seeds import agent_playbook, profile, user_playbook
from tests.search.asking import ids, profiles, unified, user_playbooks


class StubbornStore(MemoryStore):
    """A store that fails when told to; ``before_commit`` is what another search does just before a commit."""

    def __init__(self) -> None:
        super().__init__()
        self.fails_reading = self.fails_writing = False
        self.meanwhile: list[Operation] = []

    def get(self, key: Key) -> Item | None:
        if self.fails_reading:
            raise StoreUnavailable("cannot read")
        return super().get(key)

    def commit(self, operations: Sequence[Operation]) -> None:
        if self.fails_writing:
            raise StoreUnavailable("cannot write")
        others, self.meanwhile = self.meanwhile, []
        for operation in others:
            super().commit([operation])
        super().commit(operations)


@pytest.fixture
def store() -> StubbornStore:
    return StubbornStore()


@pytest.fixture
def engine(engine: Engine, store: StubbornStore) -> Engine:
    return dataclasses.replace(engine, store=store)


def seed(engine: Engine, count: int) -> None:
    for number in range(count):
        profile(engine, f"p{number:03d}", content="deploy")
    catch_up(engine)


def test_searches_of_a_session_go_through_all_rows_once(engine: Engine) -> None:
    seed(engine, 63)
    given: list[str] = []
    while found := ids(unified(engine, "deploy", session_id="s", top_k=5)):
        assert len(found) == min(5, 63 - len(given))
        given += found
    assert sorted(given) == [f"p{number:03d}" for number in range(63)]


def test_newest_rows_go_through_all_rows_once_too(engine: Engine) -> None:
    seed(engine, 12)
    given = [ids(profiles(engine, None, session_id="s", top_k=5)) for _ in range(4)]
    assert [len(found) for found in given] == [5, 5, 2, 0]
    assert len({name for found in given for name in found}) == 12


def test_only_what_was_returned_counts_as_given(engine: Engine) -> None:
    seed(engine, 3)
    [first] = ids(unified(engine, "deploy", session_id="s", top_k=1))
    assert set(ids(unified(engine, "deploy", session_id="s", top_k=5))) == {"p000", "p001", "p002"} - {first}


def test_other_sessions_tenants_and_searches_without_session_are_not_affected(engine: Engine) -> None:
    seed(engine, 2)
    for session in ("s", "s1", "s#1", None, None):
        assert len(ids(unified(engine, "deploy", session_id=session))) == 2
    assert ids(unified(engine, "deploy", session_id="s")) == []


def test_kinds_with_one_id_are_different_rows(engine: Engine) -> None:
    user_playbook(engine, 1, content="deploy")
    agent_playbook(engine, 1, content="deploy", playbook_status=PlaybookStatus.APPROVED)
    catch_up(engine)
    assert ids(user_playbooks(engine, "deploy", session_id="s")) == [1]
    assert ids(unified(engine, "deploy", session_id="s")) == [1]


def test_sources_of_an_agent_playbook_given_before_stay_covered(engine: Engine) -> None:
    user_playbook(engine, 1, content="deploy carefully")
    agent_playbook(engine, 2, content="deploy", playbook_status=PlaybookStatus.APPROVED, source_user_playbook_ids=(1,))
    catch_up(engine)
    assert ids(unified(engine, "deploy", session_id="s")) == [2]
    assert ids(unified(engine, "deploy", session_id="s")) == []


def test_a_session_is_forgotten_after_twelve_idle_hours(engine: Engine) -> None:
    assert isinstance(engine.clock, FixedClock)
    seed(engine, 2)
    unified(engine, "deploy", session_id="s", top_k=1)
    engine.clock.advance(IDLE_SECONDS - 10)
    assert len(ids(unified(engine, "deploy", session_id="s"))) == 1
    engine.clock.advance(IDLE_SECONDS - 10)
    assert ids(unified(engine, "deploy", session_id="s")) == [], "a search renews the session"
    engine.clock.advance(20)
    assert len(ids(unified(engine, "deploy", session_id="s"))) == 2


def test_a_session_remembers_a_bounded_number_of_rows_and_forgets_the_oldest(
    engine: Engine, store: StubbornStore
) -> None:
    key = engine.keys(TENANT).served("s")
    seed(engine, 1)
    expires_at = int(engine.clock.now()) + 100
    full = {"served": [f"x{n}" for n in range(MOST_REMEMBERED)]}
    store.commit([Put(Item(key, full, expires_at=expires_at), Absent())])
    assert ids(unified(engine, "deploy", session_id="s")) == ["p000"]
    item = store.get(key)
    assert item is not None
    assert len(item.body["served"]) == MOST_REMEMBERED
    assert item.body["served"][0] == "x1"
    assert ids(unified(engine, "deploy", session_id="s")) == []


def test_two_searches_at_once_are_both_remembered(engine: Engine, store: StubbornStore) -> None:
    seed(engine, 2)
    key = engine.keys(TENANT).served("s")
    store.meanwhile = [Put(Item(key, {"served": ["others"]}, expires_at=int(engine.clock.now()) + 100), Absent())]
    unified(engine, "deploy", session_id="s", top_k=1)
    item = store.get(key)
    assert item is not None
    assert item.body["served"][0] == "others"
    assert len(item.body["served"]) == 2


@pytest.mark.parametrize("part", ["fails_reading", "fails_writing"])
def test_a_store_that_fails_never_fails_a_search_and_the_answer_says_so(
    engine: Engine, store: StubbornStore, part: str
) -> None:
    seed(engine, 2)
    setattr(store, part, True)
    body = unified(engine, "deploy", session_id="s")
    assert len(ids(body)) == 2
    assert (body["degraded"], body["degraded_parts"]) == (True, ["session"])
    assert "may repeat" in body["msg"]
    assert unified(engine, "deploy")["degraded"] is False


def test_an_empty_answer_writes_nothing() -> None:
    engine = make_engine()
    unified(engine, "deploy", session_id="s")
    assert engine.store.get(engine.keys(TENANT).served("s")) is None
