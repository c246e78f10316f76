"""What is sent again, how often, after how long, and under which key."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import httpx
import pytest

from reflexio import RateLimitError, ReflexioConnectionError, ReflexioTimeoutError, ServerError
from tests.sdk.scripted import FOUND, PUBLISHED, TURNS, async_client, client, ok

BUSY = ok({"detail": "busy"}, 503)
PROFILE = {"user_id": "u", "content": "likes tea"}


def keys(requests: list[httpx.Request]) -> list[str]:
    return [request.headers["Idempotency-Key"] for request in requests]


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_publish_is_repeated_under_one_key_until_it_is_answered(status: int) -> None:
    service, script = client(ok({}, status), httpx.ReadError("reset"), ok(PUBLISHED))
    assert service.publish_interaction("u", TURNS, session_id="s").request_id == "r"
    assert len(set(keys(script.requests))) == 1
    assert len({request.content for request in script.requests}) == 1
    assert len(script.requests) == 3


def test_every_publish_has_a_key_of_its_own() -> None:
    service, script = client(ok(PUBLISHED))
    for _ in range(3):
        service.publish_interaction("u", TURNS, session_id="s")
    assert len(set(keys(script.requests))) == 3


def test_a_caller_can_bring_the_key_and_the_request_id() -> None:
    service, script = client(ok(PUBLISHED))
    service.publish_interaction("u", TURNS, session_id="s", idempotency_key="k", request_id="mine")
    assert keys(script.requests) == ["k"]
    assert json.loads(script.requests[0].content)["request_id"] == "mine"


def test_the_asynchronous_client_repeats_alike() -> None:
    service, script = async_client(BUSY, httpx.ConnectError("down"), ok(PUBLISHED))
    asyncio.run(service.publish_interaction("u", TURNS, session_id="s"))
    assert len(set(keys(script.requests))) == 1
    assert script.waits == [0.25, 0.5]


def test_waits_double_from_a_quarter_second() -> None:
    service, script = client(BUSY)
    with pytest.raises(ServerError):
        service.search(query="q")
    assert script.waits == [0.25, 0.5, 1.0]
    assert len(script.requests) == 4


def test_jitter_draws_between_zero_and_the_bound() -> None:
    from reflexio._retry import Repeatable, RetryPolicy

    policy = RetryPolicy(attempts=99, draw=lambda: 0.5)
    waits = [policy.wait_after_status(n, 503, None, Repeatable.ALWAYS) for n in range(1, 9)]
    assert waits == [0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 4.0, 4.0]


def test_a_service_that_says_how_long_is_believed() -> None:
    service, script = client(ok({}, 429, Retry_After="7"), ok(FOUND))
    service.search(query="q")
    assert script.waits == [7.0]


def test_retry_after_may_be_a_date() -> None:
    when = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    service, script = client(ok({}, 503, Retry_After=when), ok(FOUND))
    service.search(query="q")
    assert 10 < script.waits[0] <= 20


@pytest.mark.parametrize("asked", ["31", "3600"])
def test_a_service_that_asks_for_too_long_is_not_waited_for(asked: str) -> None:
    service, script = client(ok({"detail": "slow down"}, 429, Retry_After=asked))
    with pytest.raises(RateLimitError) as caught:
        service.search(query="q")
    assert caught.value.retry_after == float(asked)
    assert len(script.requests) == 1


def test_no_attempt_starts_beyond_the_callers_time() -> None:
    service, script = client(ok({}, 503, Retry_After="5"), timeout=4)
    with pytest.raises(ServerError):
        service.search(query="q")
    assert script.waits == []


def test_an_attempt_that_used_up_the_callers_time_is_the_last() -> None:
    service, script = client(httpx.ReadTimeout("slow"))
    with pytest.raises(ReflexioTimeoutError, match="POST /api/search: no answer in time after 1 attempt"):
        service.search(query="q")
    assert len(script.requests) == 1


def test_a_service_that_is_down_is_tried_four_times_and_named() -> None:
    service, script = client(httpx.ConnectError("refused"))
    with pytest.raises(ReflexioConnectionError, match=r"http://service\.test:9/api/whoami after 4 attempts"):
        service.whoami()
    assert len(script.requests) == 4


@pytest.mark.parametrize("status", [400, 401, 404, 409, 413, 422, 500, 501])
def test_other_refusals_are_final(status: int) -> None:
    service, script = client(ok({"detail": "no"}, status))
    with pytest.raises(Exception, match=f"HTTP {status}"):
        service.search(query="q")
    assert len(script.requests) == 1


WRITES: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("add_user_profile", ([PROFILE],), {}),
    ("update_user_playbook", (1,), {"content": "x"}),
    ("delete_session", ("s",), {}),
    ("clear_user_data", ("u",), {}),
    ("update_config", ({"window_size": 20},), {}),
    ("finalize_session", ("u", "s"), {}),
]


@pytest.mark.parametrize(("method", "args", "kwargs"), WRITES)
@pytest.mark.parametrize("failure", [BUSY, httpx.ReadError("reset"), httpx.RemoteProtocolError("closed")])
def test_a_write_without_a_key_is_not_repeated_once_it_may_have_arrived(
    method: str, args: tuple[Any, ...], kwargs: dict[str, Any], failure: Any
) -> None:
    service, script = client(failure, ok({"success": True}))
    with pytest.raises((ServerError, ReflexioConnectionError)):
        getattr(service, method)(*args, **kwargs)
    assert len(script.requests) == 1


@pytest.mark.parametrize(("method", "args", "kwargs"), WRITES)
def test_a_write_that_never_reached_the_service_is_repeated(
    method: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    service, script = client(httpx.ConnectError("down"), httpx.ConnectTimeout("slow"), ok({"success": True}))
    assert getattr(service, method)(*args, **kwargs).success
    assert len(script.requests) == 3
    assert len({request.content for request in script.requests}) == 1
