"""Publications are grouped by session, and a walk over sessions gives each publication once."""

import random
from collections import Counter
from typing import Any

import pytest

from reflexio.models.interactions import GetRequestsRequest
from reflexio_core.engine import paging
from reflexio_core.engine.context import Engine
from reflexio_core.engine.listing import get_requests, sessions
from tests.doubles.engine import TENANT
from tests.engine.seeds import NOW, View, said, walk


def _ask(engine: Engine, **fields: Any) -> View:
    return get_requests(engine, TENANT, GetRequestsRequest(**fields))


def _shape(rows: list[View]) -> list[tuple[str, list[str]]]:
    return [(row["session_id"], [entry["request"]["request_id"] for entry in row["requests"]]) for row in rows]


def _three_sessions(engine: Engine) -> None:
    said(engine, "r1", "a", session="old")
    said(engine, "r2", "b", session="new")
    said(engine, "r3", "c", session="old")
    said(engine, "r4", "d", session="bobs", user="bob", source="bot")
    said(engine, "r5", "e", session="new", user="bob")


def test_a_session_stands_where_its_newest_publication_does(engine: Engine) -> None:
    _three_sessions(engine)
    answer = _ask(engine)
    assert _shape(answer["sessions"]) == [("new", ["r5", "r2"]), ("bobs", ["r4"]), ("old", ["r3", "r1"])]
    assert answer["msg"] == "Found 5 request(s) in 3 session(s)"
    assert answer["has_more"] is False
    assert "next_token" not in answer


def test_a_publication_has_the_wire_shape(engine: Engine) -> None:
    said(engine, "r1", "a", "b", source="bot", agent_version="v7")
    (session,) = _ask(engine)["sessions"]
    (entry,) = session["requests"]
    assert entry["request"] == {
        "request_id": "r1",
        "user_id": "ann",
        "created_at": NOW + 1,
        "source": "bot",
        "agent_version": "v7",
        "session_id": "s",
        "evaluation_only": False,
    }
    assert [turn["content"] for turn in entry["interactions"]] == ["a", "b"]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"user_id": "ann"}, [("old", ["r3", "r1"]), ("new", ["r2"])]),
        ({"user_id": "an"}, []),
        ({"session_id": "old"}, [("old", ["r3", "r1"])]),
        ({"session_id": "new", "user_id": "ann"}, [("new", ["r2"])]),
        ({"session_id": "none"}, []),
        ({"request_id": "r3"}, [("old", ["r3"])]),
        ({"request_id": "r3", "user_id": "bob"}, []),
        ({"request_id": "unknown"}, []),
        ({"source": "bot"}, [("bobs", ["r4"])]),
        ({"start_time": NOW + 4}, [("new", ["r5"]), ("bobs", ["r4"])]),
        ({"end_time": NOW + 3}, [("new", ["r2"]), ("old", ["r1"])]),
        ({"end_time": NOW + 3, "user_id": "ann"}, [("new", ["r2"]), ("old", ["r1"])]),
        ({"offset": 1}, [("bobs", ["r4"]), ("old", ["r3", "r1"])]),
        ({"offset": 3}, []),
    ],
)
def test_every_condition_narrows_the_sessions(
    engine: Engine, condition: dict[str, Any], expected: list[tuple[str, list[str]]]
) -> None:
    _three_sessions(engine)
    said(engine, "r1", "secret", tenant="other", session="old")
    assert _shape(_ask(engine, **condition)["sessions"]) == expected


def test_top_k_counts_sessions_and_has_more_says_that_there_are_others(engine: Engine) -> None:
    _three_sessions(engine)
    first = _ask(engine, top_k=2)
    assert first["has_more"] is True
    assert _shape(first["sessions"]) == [("new", ["r5", "r2"]), ("bobs", ["r4"])]
    second = _ask(engine, top_k=2, next_token=first["next_token"])
    assert _shape(second["sessions"]) == [("old", ["r3", "r1"])]
    assert second["has_more"] is False


@pytest.mark.parametrize("user", [None, "ann"])
@pytest.mark.parametrize("top_k", [1, 2, 5])
def test_a_walk_gives_every_publication_once_while_sessions_go_on(engine: Engine, user: str | None, top_k: int) -> None:
    for number in range(40):
        said(engine, f"r{number}", "x", session=f"s{number * 7 % 11}")
    late = iter(range(1000))

    def ask(token: str | None) -> View:
        answer = _ask(engine, user_id=user, top_k=top_k, next_token=token)
        # A session that the walk has not reached yet goes on: it must keep its place in this walk.
        said(engine, f"late{next(late)}", "x", session="s0")
        return answer

    rows = walk(ask, "sessions")
    counts = Counter(request for _, requests in _shape(rows) for request in requests)
    assert {f"r{number}" for number in range(40)} <= set(counts)
    assert set(counts.values()) == {1}
    assert [session for session, _ in _shape(rows)] == list(dict.fromkeys(session for session, _ in _shape(rows)))


@pytest.mark.parametrize("condition", [{}, {"user_id": "ann"}, {"session_id": "long"}])
def test_a_session_larger_than_an_answer_goes_on_under_its_name(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, condition: dict[str, Any]
) -> None:
    monkeypatch.setattr(sessions, "Budget", lambda rows: paging.Budget(rows, answer_bytes=1500))
    said(engine, "first", "x", session="other")
    for number in range(20):
        said(engine, f"r{number:02}", "x" * 100, session="long")
    rows = walk(lambda token: _ask(engine, top_k=1, next_token=token, **condition), "sessions")
    assert len(rows) > 3
    of_long = [request for session, requests in _shape(rows) if session == "long" for request in requests]
    assert of_long == [f"r{number:02}" for number in range(19, -1, -1)]


def test_a_call_that_looked_enough_stops_and_goes_on_later(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "Budget", lambda rows: paging.Budget(rows, examined=3))
    for number in range(12):
        said(engine, f"r{number}", "x", session=f"s{number % 5}", source="bot" if number % 3 == 0 else "")
    for condition in ({}, {"source": "bot"}, {"user_id": "ann"}, {"offset": 2}, {"session_id": "s1"}):
        asked = dict(condition)
        rows = walk(lambda token, asked=asked: _ask(engine, next_token=token, **asked), "sessions")  # type: ignore[misc]
        monkeypatch.undo()
        whole = _ask(engine, **condition)["sessions"]
        monkeypatch.setattr(sessions, "Budget", lambda rows: paging.Budget(rows, examined=3))
        together = [entry["request"]["request_id"] for row in rows for entry in row["requests"]]
        assert together == [entry["request"]["request_id"] for row in whole for entry in row["requests"]], condition


def _expected(published: list[dict[str, str]], **condition: str) -> list[tuple[str, set[str]]]:
    """Sessions newest first, by reading everything."""
    sessions_seen: dict[str, set[str]] = {}
    for entry in reversed(published):
        if all(entry[name] == value for name, value in condition.items()):
            sessions_seen.setdefault(entry["session_id"], set()).add(entry["request_id"])
    return list(sessions_seen.items())


@pytest.mark.parametrize("seed", range(4))
def test_walks_agree_with_reading_everything(engine: Engine, seed: int) -> None:
    chance = random.Random(seed)
    published: list[dict[str, str]] = []
    for number in range(60):
        entry = {
            "request_id": f"r{number}",
            "user_id": f"u{chance.randrange(4)}",
            "session_id": f"s{chance.randrange(6)}",
            "source": chance.choice(["", "bot"]),
        }
        published.append(entry)
        said(
            engine,
            entry["request_id"],
            "x",
            user=entry["user_id"],
            session=entry["session_id"],
            source=entry["source"],
        )
    conditions: list[dict[str, str]] = [{}, {"user_id": "u1"}, {"source": "bot"}, {"user_id": "u2", "source": "bot"}]
    for condition in [*conditions, {"session_id": "s3"}, {"session_id": "s3", "user_id": "u0"}]:
        top_k = chance.randrange(1, 4)
        rows = walk(
            lambda token, condition=condition, top_k=top_k: _ask(  # type: ignore[misc]
                engine, top_k=top_k, next_token=token, **condition
            ),
            "sessions",
        )
        assert [(session, set(requests)) for session, requests in _shape(rows)] == _expected(published, **condition)
