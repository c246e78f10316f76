"""Searches of one kind: their filters, their dates, their order without a query."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from reflexio.models.enums import PlaybookStatus, Status
from reflexio_core.engine.context import Engine
from reflexio_core.engine.projection import catch_up
from tests.engine.seeds import NOW, agent_playbook, profile, said, user_playbook
from tests.search.asking import agent_playbooks, ids, interactions, profiles, user_playbooks

APPROVED = PlaybookStatus.APPROVED


def at(seconds: float) -> datetime:
    return datetime.fromtimestamp(NOW, UTC) + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("asked", "inside", "outside"),
    [
        ({"source": "bot"}, {"source": "bot"}, {"source": "shop"}),
        ({"tags": ["x"]}, {"tags": ["x", "y"]}, {"tags": ["y"]}),
        ({"custom_feature": "VEGAN"}, {"custom_features": {"diet": "vegan"}}, {"custom_features": {"diet": "meat"}}),
        ({"custom_feature": "Ñandú"}, {"custom_features": {"pet": "ñandú"}}, {}),
        ({"generated_from_request_id": "r"}, {"generated_from_request_id": "r"}, {"generated_from_request_id": "r1"}),
        ({"start_time": at(10)}, {"last_modified_timestamp": NOW + 10}, {"last_modified_timestamp": NOW + 9}),
        ({"start_time": at(9.5)}, {"last_modified_timestamp": NOW + 10}, {"last_modified_timestamp": NOW + 9}),
        ({"end_time": at(10)}, {"last_modified_timestamp": NOW + 9}, {"last_modified_timestamp": NOW + 10}),
        ({"end_time": at(9.5)}, {"last_modified_timestamp": NOW + 9}, {"last_modified_timestamp": NOW + 10}),
        ({}, {}, {"status": Status.ARCHIVED}),
        ({}, {}, {"expiration_timestamp": NOW}),
        ({}, {}, {"user_id": "anna"}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("query", ["deploy", None])
def test_facts_pass_filters_with_and_without_a_query(
    engine: Engine, asked: dict[str, Any], inside: dict[str, Any], outside: dict[str, Any], query: str | None
) -> None:
    profile(engine, "in", content="we deploy", **inside)
    for number in range(30):
        profile(engine, f"out{number}", content="deploy", **outside)
    catch_up(engine)
    body = profiles(engine, query, top_k=2, **asked)
    assert ids(body) == ["in"]
    assert (body["success"], body["degraded"], body["degraded_parts"]) == (True, False, [])
    assert body["msg"] == "Found 1 matching profile(s)"


def test_without_a_query_the_newest_facts_come_first(engine: Engine) -> None:
    for number in range(15):
        profile(engine, f"p{number:02d}", last_modified_timestamp=NOW + number)
    catch_up(engine)
    assert ids(profiles(engine)) == [f"p{number:02d}" for number in range(14, 4, -1)]
    assert ids(profiles(engine, "  ", top_k=2)) == ["p14", "p13"]


def test_user_playbooks_need_a_user(engine: Engine) -> None:
    user_playbook(engine, 1, content="deploy")
    catch_up(engine)
    body = user_playbooks(engine, "deploy", user_id=None)
    assert (ids(body), body["success"]) == ([], True)
    assert "user_id" in body["msg"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, [1]),
        ({"status_filter": [None]}, [1]),
        ({"status_filter": [Status.PENDING]}, [2]),
        ({"status_filter": [None, Status.PENDING, Status.MERGED]}, [1, 2, 3]),
        ({"agent_version": "v2", "status_filter": [Status.PENDING, Status.MERGED]}, [3]),
        ({"playbook_name": "other"}, []),
        ({"start_time": at(2), "status_filter": [Status.PENDING, Status.MERGED]}, [2, 3]),
    ],
)
def test_user_playbooks_are_current_unless_asked_otherwise(
    engine: Engine, asked: dict[str, Any], found: list[int]
) -> None:
    user_playbook(engine, 1, content="deploy", created_at=NOW + 1)
    user_playbook(engine, 2, content="deploy", created_at=NOW + 2, status=Status.PENDING)
    user_playbook(engine, 3, content="deploy", created_at=NOW + 3, status=Status.MERGED, agent_version="v2")
    catch_up(engine)
    assert sorted(ids(user_playbooks(engine, "deploy", **asked))) == found


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, [1]),
        ({"playbook_status_filter": PlaybookStatus.PENDING}, [2]),
        ({"playbook_status_filter": [PlaybookStatus.PENDING, PlaybookStatus.REJECTED]}, [2, 3]),
        ({"status_filter": [Status.ARCHIVED]}, [4]),
        ({"agent_version": "v2"}, []),
    ],
)
@pytest.mark.parametrize("query", ["deploy", None])
def test_agent_playbooks_are_approved_and_current_unless_asked_otherwise(
    engine: Engine, asked: dict[str, Any], found: list[int], query: str | None
) -> None:
    agent_playbook(engine, 1, content="deploy", playbook_status=APPROVED)
    agent_playbook(engine, 2, content="deploy")
    agent_playbook(engine, 3, content="deploy", playbook_status=PlaybookStatus.REJECTED)
    agent_playbook(engine, 4, content="deploy", playbook_status=APPROVED, status=Status.ARCHIVED)
    catch_up(engine)
    assert sorted(ids(agent_playbooks(engine, query, **asked))) == found


def test_what_is_no_filter_is_said(engine: Engine) -> None:
    assert "source" in agent_playbooks(engine, "deploy", source="bot")["msg"]
    assert "extractor_name" in profiles(engine, "deploy", extractor_name="x")["msg"]
    assert "reformulated" in profiles(engine, "deploy", enable_reformulation=True)["msg"]


def test_turns_are_found_by_what_was_said_and_done(engine: Engine) -> None:
    said(engine, "r1", "we deploy to Frankfurt", "understood")
    said(engine, "r2", "deploy again", evaluation_only=True)
    said(engine, "r3", "deploy in secret", user="anna")
    catch_up(engine)
    assert sorted(ids(interactions(engine, "deploy"))) == ["deploy again", "we deploy to Frankfurt"]
    assert ids(interactions(engine, "deploy", request_id="r1")) == ["we deploy to Frankfurt"]
    assert ids(interactions(engine, "deploy", request_id="r10")) == []


def test_the_latest_of_the_matching_turns_come_in_the_order_in_which_they_were_said(engine: Engine) -> None:
    said(engine, "r1", *[f"deploy {n}" for n in range(6)], times=[NOW + n for n in range(6)])
    said(engine, "r2", "unrelated", times=[NOW + 100])
    catch_up(engine)
    assert ids(interactions(engine, "deploy", most_recent_k=3)) == ["deploy 3", "deploy 4", "deploy 5"]
    assert ids(interactions(engine, most_recent_k=2)) == ["deploy 5", "unrelated"]
    assert ids(interactions(engine, top_k=2)) == ["unrelated", "deploy 5"]


def test_more_rows_than_a_search_returns_are_refused_in_words(engine: Engine) -> None:
    body = profiles(engine, "deploy", top_k=5_000)
    assert "1000" in body["msg"]
