"""Playbooks are listed newest first, current ones unless asked otherwise."""

from typing import Any

import pytest

from reflexio.models.enums import PlaybookStatus, Status
from reflexio.models.playbooks import GetAgentPlaybooksRequest, GetUserPlaybooksRequest
from reflexio_core.engine.context import Engine
from reflexio_core.engine.listing import get_agent_playbooks, get_user_playbooks
from tests.doubles.engine import TENANT
from tests.engine.seeds import NOW, View, agent_playbook, user_playbook, walk


def _user(engine: Engine, **fields: Any) -> View:
    return get_user_playbooks(engine, TENANT, GetUserPlaybooksRequest(**fields))


def _agent(engine: Engine, **fields: Any) -> View:
    return get_agent_playbooks(engine, TENANT, GetAgentPlaybooksRequest(**fields))


def _numbers(answer: View) -> list[int]:
    kind = "user_playbook" if "user_playbooks" in answer else "agent_playbook"
    return [row[f"{kind}_id"] for row in answer[f"{kind}s"]]


def test_a_user_playbook_has_the_wire_shape(engine: Engine) -> None:
    user_playbook(engine, 7, trigger="when", rationale="because", pitfall="never", playbook_name="playbook")
    answer = _user(engine)
    assert answer["msg"] == "Found 1 user playbook(s)"
    assert answer["user_playbooks"] == [
        {
            "user_playbook_id": 7,
            "user_id": "ann",
            "agent_version": "v1",
            "request_id": "r",
            "playbook_name": "playbook",
            "created_at": NOW,
            "content": "do 7",
            "trigger": "when",
            "rationale": "because",
            "pitfall": "never",
            "source": "",
            "source_interaction_ids": [],
            "tags": [],
        }
    ]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({}, [2, 1]),
        ({"user_id": "ann"}, [1]),
        ({"user_id": "an"}, []),
        ({"user_playbook_id": 2}, [2]),
        ({"user_playbook_id": 2, "user_id": "ann"}, []),
        ({"user_playbook_id": 99}, []),
        ({"request_id": "r2"}, [2]),
        ({"agent_version": "v2"}, [2]),
        ({"playbook_name": "named"}, [2]),
        ({"query": "OTHER"}, [2]),
        ({"query": "because"}, [1]),
        ({"tags": ["x", "y"]}, [2]),
        ({"status_filter": ["archived"]}, [3]),
        ({"status_filter": [None, "archived"]}, [2, 1, 3]),
    ],
)
def test_every_condition_narrows_the_user_playbooks(
    engine: Engine, condition: dict[str, Any], expected: list[int]
) -> None:
    user_playbook(engine, 1, rationale="Because", created_at=NOW - 2)
    user_playbook(
        engine,
        2,
        user_id="bob",
        created_at=NOW - 1,
        request_id="r2",
        agent_version="v2",
        playbook_name="named",
        trigger="some other time",
        tags=["y"],
    )
    user_playbook(engine, 3, status=Status.ARCHIVED, created_at=NOW - 3)
    user_playbook(engine, 4, tenant="other")
    assert _numbers(_user(engine, **condition)) == expected


def test_one_users_and_all_users_playbooks_come_in_the_same_order(engine: Engine) -> None:
    for number in range(1, 30):
        user_playbook(engine, number, created_at=NOW - (number * 7) % 11)
    of_all = _numbers(_user(engine))
    of_ann = walk(lambda token: _user(engine, user_id="ann", limit=4, next_token=token), "user_playbooks")
    assert [row["user_playbook_id"] for row in of_ann] == of_all
    assert of_all == sorted(range(1, 30), key=lambda number: ((number * 7) % 11, -number))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({}, [3, 2, 1]),
        ({"playbook_status_filter": "approved"}, [2]),
        ({"agent_playbook_id": 1}, [1]),
        ({"agent_version": "v2"}, [2]),
        ({"status_filter": ["superseded"]}, [4]),
        ({"request_id": "who asks", "session_id": "where"}, [3, 2, 1]),
        ({"start_time": "2100-01-01T00:00:00Z"}, []),
    ],
)
def test_every_condition_narrows_the_agent_playbooks(
    engine: Engine, condition: dict[str, Any], expected: list[int]
) -> None:
    agent_playbook(engine, 1, created_at=NOW - 3, playbook_status=PlaybookStatus.REJECTED)
    agent_playbook(engine, 2, created_at=NOW - 2, playbook_status=PlaybookStatus.APPROVED, agent_version="v2")
    agent_playbook(engine, 3, created_at=NOW - 1)
    agent_playbook(engine, 4, status=Status.SUPERSEDED)
    agent_playbook(engine, 5, tenant="other")
    answer = _agent(engine, **condition)
    assert _numbers(answer) == expected
    assert answer["msg"] == f"Found {len(expected)} agent playbook(s)"


def test_all_agent_playbooks_are_walked_once(engine: Engine) -> None:
    for number in range(1, 24):
        agent_playbook(engine, number, created_at=NOW)
    rows = walk(lambda token: _agent(engine, limit=5, next_token=token), "agent_playbooks")
    assert [row["agent_playbook_id"] for row in rows] == list(range(23, 0, -1))
