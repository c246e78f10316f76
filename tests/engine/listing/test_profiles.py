"""Facts are listed as they are now: current, not expired, newest first."""

from typing import Any

import pytest

from reflexio.models.enums import ProfileTimeToLive, Status
from reflexio.models.profiles import GetUserProfilesRequest
from reflexio_core.engine.context import Engine
from reflexio_core.engine.listing import get_all_profiles, get_profiles
from reflexio_core.errors import InvalidInput
from reflexio_core.ports.store import Delete
from tests.doubles.engine import TENANT
from tests.doubles.ports import FixedClock
from tests.engine.seeds import NOW, View, profile, walk


def _ids(answer: View) -> list[str]:
    return [row["profile_id"] for row in answer["user_profiles"]]


def _of_ann(engine: Engine, **fields: Any) -> View:
    return get_profiles(engine, TENANT, GetUserProfilesRequest(user_id="ann", **fields))


def test_facts_come_last_modified_first_in_the_wire_shape(engine: Engine) -> None:
    profile(engine, "old", last_modified_timestamp=NOW - 10)
    profile(engine, "new", last_modified_timestamp=NOW, generated_from_request_id="r1", source="bot")
    answer = _of_ann(engine)
    assert _ids(answer) == ["new", "old"]
    assert answer["msg"] == "Found 2 profile(s)"
    assert "next_token" not in answer
    assert answer["user_profiles"][0] == {
        "profile_id": "new",
        "user_id": "ann",
        "content": "fact new",
        "last_modified_timestamp": NOW,
        "generated_from_request_id": "r1",
        "profile_time_to_live": "infinity",
        "expiration_timestamp": 4102444800,
        "source": "bot",
        "source_interaction_ids": [],
        "tags": [],
    }


def test_only_the_named_user_is_listed(engine: Engine) -> None:
    profile(engine, "mine")
    profile(engine, "others", user_id="ann2")
    profile(engine, "elsewhere", tenant="other")
    assert _ids(_of_ann(engine)) == ["mine"]
    assert _ids(_of_ann(engine, profile_id="others")) == []


def test_current_facts_are_the_default_and_null_in_the_filter_means_current(engine: Engine) -> None:
    profile(engine, "current")
    for status in Status:
        profile(engine, status.value, status=status)
    assert _ids(_of_ann(engine)) == ["current"]
    assert set(_ids(_of_ann(engine, status_filter=[None, Status.PENDING]))) == {"current", "pending"}
    assert _ids(_of_ann(engine, status_filter=["archived"])) == ["archived"]


def test_an_expired_fact_is_never_current_but_found_as_expired(engine: Engine, clock: FixedClock) -> None:
    profile(engine, "short", expiration_timestamp=NOW + 60)
    assert _ids(_of_ann(engine)) == ["short"]
    clock.advance(60)
    assert _ids(_of_ann(engine)) == []
    assert _ids(get_all_profiles(engine, TENANT)) == []
    (row,) = _of_ann(engine, status_filter=["expired"])["user_profiles"]
    assert row["status"] == "expired"


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"query": "TEA"}, ["a"]),
        ({"query": "nothing of it"}, []),
        ({"source": "bot"}, ["a"]),
        ({"source": ""}, ["b"]),
        ({"profile_time_to_live": "one_week"}, ["b"]),
        ({"tags": ["drink", "unknown"]}, ["a"]),
        ({"tags": []}, ["a", "b"]),
        ({"start_time": "2026-09-21T14:13:20Z"}, ["a"]),
        ({"end_time": "2026-09-21T14:13:20Z"}, ["b"]),
        ({"profile_id": "b"}, ["b"]),
    ],
)
def test_every_condition_narrows_the_list(engine: Engine, condition: dict[str, Any], expected: list[str]) -> None:
    profile(engine, "a", content="Likes tea", source="bot", tags=["drink"])
    profile(
        engine, "b", last_modified_timestamp=NOW - 1, profile_time_to_live=ProfileTimeToLive.ONE_WEEK, tags=["place"]
    )
    assert _ids(_of_ann(engine, **condition)) == expected


def test_250_facts_are_walked_exactly_once_while_more_are_added(engine: Engine) -> None:
    for number in range(250):
        profile(engine, f"p{number:03}", last_modified_timestamp=NOW - number // 7)
    added = iter(range(100))

    def ask(token: str | None) -> View:
        answer = _of_ann(engine, top_k=40, next_token=token)
        profile(engine, f"late{next(added)}", last_modified_timestamp=NOW + 1)
        return answer

    found = [row["profile_id"] for row in walk(ask, "user_profiles")]
    assert len(found) == 250
    assert set(found) == {f"p{number:03}" for number in range(250)}


def test_the_listing_of_all_users_walks_every_row_once_too(engine: Engine) -> None:
    for number in range(60):
        profile(engine, f"p{number}", user_id=f"user{number % 7}", last_modified_timestamp=NOW - number // 5)
    pages = [
        row["profile_id"]
        for row in walk(lambda t: get_all_profiles(engine, TENANT, limit=9, next_token=t), "user_profiles")
    ]
    assert len(pages) == 60
    assert set(pages) == {f"p{number}" for number in range(60)}
    assert set(pages[:5]) == {f"p{number}" for number in range(5)}


def test_a_full_last_page_carries_no_token(engine: Engine) -> None:
    for number in range(4):
        profile(engine, f"p{number}")
    first = _of_ann(engine, top_k=2)
    assert "next_token" in first
    assert first["msg"] == "Found 2 profile(s); next_token leads to more"
    assert "next_token" not in _of_ann(engine, top_k=2, next_token=first["next_token"])


def test_a_deleted_row_between_two_pages_does_not_disturb_the_walk(engine: Engine) -> None:
    for number in range(6):
        profile(engine, f"p{number}", last_modified_timestamp=NOW - number)
    first = get_all_profiles(engine, TENANT, limit=2)
    engine.store.commit(
        [Delete(engine.keys(TENANT).profile("ann", "p1")), Delete(engine.keys(TENANT).profile("ann", "p2"))]
    )
    rest = get_all_profiles(engine, TENANT, limit=10, next_token=first["next_token"])
    assert _ids(rest) == ["p3", "p4", "p5"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, ["ann-now", "bob-now"]),
        ({"status_filter": "pending"}, ["waiting"]),
        ({"status_filter": "archived"}, ["kept"]),
        ({"status_filter": "whatever"}, ["ann-now", "bob-now"]),
        ({"user_id": "bob"}, ["bob-now"]),
        ({"user_id": "bo"}, []),
        ({"profile_id": "bob-now"}, ["bob-now"]),
        ({"profile_id": "gone"}, []),
        ({"profile_id": "gone", "include_tombstones": True}, ["gone"]),
        ({"profile_id": "unknown"}, []),
        ({"query": "fact BOB"}, ["bob-now"]),
        ({"start_time": NOW}, ["ann-now"]),
        ({"end_time": NOW}, ["bob-now"]),
        ({"start_time": NOW - 500, "date_field": "created_at"}, ["bob-now"]),
    ],
)
def test_the_listing_of_all_users_takes_the_contracts_parameters(
    engine: Engine, arguments: dict[str, Any], expected: list[str]
) -> None:
    profile(engine, "ann-now", created_at=NOW - 1000)
    profile(engine, "bob-now", user_id="bob", last_modified_timestamp=NOW - 5, created_at=NOW - 5)
    profile(engine, "waiting", status=Status.PENDING)
    profile(engine, "kept", status=Status.ARCHIVED)
    profile(engine, "gone", status=Status.SUPERSEDED)
    assert _ids(get_all_profiles(engine, TENANT, **arguments)) == expected


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"start_time": 5, "end_time": 5}, "end_time"),
        ({"include_tombstones": True}, "include_tombstones"),
        ({"next_token": "rubbish"}, "next_token"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(engine: Engine, arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        get_all_profiles(engine, TENANT, **arguments)
    assert refusal.value.field == field


def test_a_row_that_vanished_after_the_lagging_index_named_it_is_left_out(engine: Engine) -> None:
    profile(engine, "stays")
    record = profile(engine, "goes")
    index_page = engine.store.query_index

    def lagging(query: Any) -> Any:
        page = index_page(query)
        engine.store.commit([Delete(engine.keys(TENANT).profile("ann", record.profile_id))])
        return page

    engine.store.query_index = lagging  # type: ignore[method-assign]
    assert _ids(get_all_profiles(engine, TENANT)) == ["stays"]
