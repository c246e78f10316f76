"""What is added is there, once, under its id, and the counts are true."""

from typing import Any

import pytest

from reflexio.models.playbooks import (
    AddAgentPlaybookRequest,
    AddUserPlaybookRequest,
    GetAgentPlaybooksRequest,
    GetUserPlaybooksRequest,
)
from reflexio.models.profiles import AddUserProfileRequest
from reflexio_core.domain import identity
from reflexio_core.domain.records import ProfileRecord, StreamHead
from reflexio_core.engine.context import Engine
from reflexio_core.engine.listing import get_agent_playbooks, get_all_profiles, get_user_playbooks
from reflexio_core.engine.work import head_put
from reflexio_core.engine.writes import add_agent_playbooks, add_playbooks, add_user_playbooks, add_user_profiles
from reflexio_core.errors import StoreUnavailable
from reflexio_core.ports.index import DocKind
from reflexio_core.ports.store import MAX_ITEMS_PER_COMMIT
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.memory_store import MemoryStore
from tests.doubles.ports import RecordingIndex
from tests.engine.seeds import NOW, View


def _profile(profile_id: str, **fields: Any) -> dict[str, Any]:
    base = {
        "profile_id": profile_id,
        "user_id": "ann",
        "content": f"fact {profile_id}",
        "last_modified_timestamp": NOW - 100,
        "generated_from_request_id": "manual",
    }
    return {**base, **fields}


def _add(engine: Engine, *profiles: dict[str, Any], tenant: str = TENANT) -> View:
    return add_user_profiles(engine, tenant, AddUserProfileRequest.model_validate({"user_profiles": profiles}))


def _stored(engine: Engine, profile_id: str, user: str = "ann") -> ProfileRecord:
    item = engine.store.get(engine.keys(TENANT).profile(user, profile_id))
    assert item is not None
    return ProfileRecord.of(item)


def _head(engine: Engine, user: str, generation: int) -> None:
    before = engine.store.get(engine.keys(TENANT).head(user))
    head = StreamHead(tenant=TENANT, user_id=user, generation=generation)
    engine.store.commit([head_put(engine.keys(TENANT), head, before)])


def _unique_playbooks(number: int) -> AddUserPlaybookRequest:
    rows = [{"agent_version": "v", "request_id": "m", "user_id": "ann", "content": f"do {n}"} for n in range(number)]
    return AddUserPlaybookRequest.model_validate({"user_playbooks": rows})


def test_an_added_fact_is_stored_with_everything_that_was_given(engine: Engine) -> None:
    answer = _add(
        engine, _profile("p1", source="cli", tags=["t"], custom_features={"a": 1}, source_interaction_ids=[4, 2])
    )
    assert answer == {"success": True, "added_count": 1, "message": "Added 1 profile(s)"}
    (row,) = get_all_profiles(engine, TENANT)["user_profiles"]
    assert row["last_modified_timestamp"] == NOW - 100
    assert row["source"] == "cli"
    assert row["tags"] == ["t"]
    assert row["custom_features"] == {"a": 1}
    assert row["source_interaction_ids"] == [2, 4]


def test_an_added_fact_can_be_searched(engine: Engine) -> None:
    _add(engine, _profile("p1"))
    assert isinstance(engine.index, RecordingIndex)
    assert ["fact p1" in doc.text for doc in engine.index.docs.values()] == [True]


def test_an_id_is_used_once_in_a_tenant_and_the_answer_names_it(engine: Engine) -> None:
    _add(engine, _profile("p1"))
    answer = _add(engine, _profile("p1", user_id="bob"), _profile("p2"), _profile("p2", content="again"))
    assert answer["success"] is False
    assert answer["error"] == "already_exists"
    assert answer["added_count"] == 1
    assert "Added 1 of 3 profile(s)" in answer["message"]
    assert "user_profiles[0] with profile_id 'p1'" in answer["message"]
    assert "user_profiles[2] with profile_id 'p2'" in answer["message"]
    assert _stored(engine, "p1").content == "fact p1"
    assert _stored(engine, "p2").content == "fact p2"
    assert _add(engine, _profile("p1"), tenant="other")["success"] is True


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, 4_102_444_800),
        ({"profile_time_to_live": "one_week"}, NOW - 100 + 7 * 86_400),
        ({"profile_time_to_live": "one_week", "expiration_timestamp": NOW + 5}, NOW + 5),
    ],
)
def test_a_limited_time_to_live_has_an_expiry(engine: Engine, fields: dict[str, Any], expected: int) -> None:
    _add(engine, _profile("p1", **fields))
    assert _stored(engine, "p1").expiration_timestamp == expected


def test_more_rows_than_a_commit_takes_are_all_added() -> None:
    store = MemoryStore()
    engine = make_engine(store=store)
    answer = _add(engine, *[_profile(f"p{number}", user_id=f"u{number}") for number in range(250)])
    assert answer["added_count"] == 250
    assert len(store.commits) > 1
    assert all(len(operations) <= MAX_ITEMS_PER_COMMIT for operations in store.commits)


def test_rows_that_are_large_together_are_split_and_one_too_large_is_named(engine: Engine) -> None:
    large = [_profile(f"p{number}", content="x" * 300_000) for number in range(16)]
    answer = _add(engine, *large, _profile("huge", content="x" * 400_000), _profile("small"))
    assert answer["added_count"] == 17
    assert answer["error"] == "item_too_large"
    assert "huge" in answer["message"]


def test_a_learning_carries_the_generation_of_its_users_stream(engine: Engine) -> None:
    _head(engine, "ann", 3)
    _add(engine, _profile("p1"), _profile("p2", user_id="bob"))
    assert _stored(engine, "p1").generation == 3
    assert _stored(engine, "p2", "bob").generation == 0


@pytest.mark.parametrize("known", [True, False])
def test_an_erasure_between_reading_and_writing_is_seen(known: bool) -> None:
    store = MemoryStore()
    engine = make_engine(store=store)
    if known:
        _head(engine, "ann", 1)

    def erased(_: object) -> None:
        store.before_commit = None
        _head(engine, "ann", 2)

    store.before_commit = erased
    assert _add(engine, _profile("p1"))["success"] is True
    assert _stored(engine, "p1").generation == 2


def test_a_store_that_fails_half_way_leaves_true_counts() -> None:
    store = MemoryStore()
    engine = make_engine(store=store)

    def down_after_the_first(_: object) -> None:
        if store.commits:
            raise StoreUnavailable("down")

    store.before_commit = down_after_the_first
    answer = _add(engine, *[_profile(f"p{number}") for number in range(70)])
    assert answer["success"] is False
    assert answer["error"] == "store_unavailable"
    assert answer["added_count"] == len(get_all_profiles(engine, TENANT)["user_profiles"]) == 30
    assert "and 20 more" in answer["message"]


def test_a_store_that_is_down_is_an_error_and_not_an_answer() -> None:
    store = MemoryStore()

    def down(_: object) -> None:
        raise StoreUnavailable("down")

    store.before_commit = down
    with pytest.raises(StoreUnavailable):
        _add(make_engine(store=store), _profile("p1"))


def test_an_index_that_is_down_does_not_fail_the_write(engine: Engine) -> None:
    assert isinstance(engine.index, RecordingIndex)
    engine.index.down = True
    assert _add(engine, _profile("p1"))["success"] is True


def test_user_playbooks_get_ids_that_are_unique_and_grow(engine: Engine) -> None:
    answer = add_user_playbooks(engine, TENANT, _unique_playbooks(200))
    assert answer == {"success": True, "added_count": 200, "message": "Added 200 item(s)"}
    rows = get_user_playbooks(engine, TENANT, GetUserPlaybooksRequest(limit=1000, user_id="ann"))["user_playbooks"]
    by_id = sorted(rows, key=lambda row: row["user_playbook_id"])
    assert [row["content"] for row in by_id] == [f"do {number}" for number in range(200)]
    assert max(row["user_playbook_id"] for row in rows) <= identity.MAX_INTEGER_ID


def test_an_id_that_is_taken_is_made_again(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(add_playbooks, "timed_integer", lambda at, *parts: 1000 * (parts[-2] + 1) + parts[-1])
    add_user_playbooks(engine, TENANT, _unique_playbooks(2))
    assert add_user_playbooks(engine, TENANT, _unique_playbooks(2))["added_count"] == 2
    rows = get_user_playbooks(engine, TENANT, GetUserPlaybooksRequest())["user_playbooks"]
    assert sorted(row["user_playbook_id"] for row in rows) == [1000, 1001, 2000, 2001]


def test_a_playbook_of_nobody_is_listed_but_belongs_to_no_user(engine: Engine) -> None:
    row = {"agent_version": "v", "request_id": "m", "content": "x"}
    add_user_playbooks(engine, TENANT, AddUserPlaybookRequest.model_validate({"user_playbooks": [row]}))
    assert len(get_user_playbooks(engine, TENANT, GetUserPlaybooksRequest())["user_playbooks"]) == 1
    assert get_user_playbooks(engine, TENANT, GetUserPlaybooksRequest(user_id="ann"))["user_playbooks"] == []


def test_agent_playbooks_are_added_with_their_verdict(engine: Engine) -> None:
    rows = [
        {"agent_version": "v", "content": "x", "playbook_status": "approved", "created_at": 5},
        {"agent_version": "v", "content": "y"},
    ]
    answer = add_agent_playbooks(engine, TENANT, AddAgentPlaybookRequest.model_validate({"agent_playbooks": rows}))
    assert answer == {"success": True, "added_count": 2, "message": "Added 2 item(s)"}
    assert isinstance(engine.index, RecordingIndex)
    assert {ref.kind for ref in engine.index.docs} == {DocKind.AGENT_PLAYBOOK}
    listed = get_agent_playbooks(engine, TENANT, GetAgentPlaybooksRequest())["agent_playbooks"]
    assert [(row["content"], row["playbook_status"]) for row in listed] == [("y", "pending"), ("x", "approved")]
    assert listed[1]["created_at"] == 5
