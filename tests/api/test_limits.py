"""Rates and concurrency: counted by tenant, never starving others, and refused with the time to wait."""

import threading
from typing import Any

import anyio
import httpx
import pytest

from reflexio_core.api.access import Caller, Credentials, Scope
from reflexio_core.api.capacity import MAX_WAITERS, MAX_WAITERS_PER_TENANT, NoCapacity, Slots, Waiters
from reflexio_core.api.limits import MAX_BUCKETS, ProcessRateLimiter, check_rate
from reflexio_core.api.settings import AccessSettings, ApiSettings
from reflexio_core.engine import publish as publishing
from reflexio_core.engine import status
from reflexio_core.errors import LimitExceeded
from tests.api.conftest import Connect

FINALIZE = {"user_id": "u", "session_id": "s"}
LIMITED = ApiSettings(rate_limits=True)


class _TenantHeader:
    """An authenticator for tests: the tenant is a header."""

    async def caller(self, credentials: Credentials) -> Caller:
        return Caller(credentials.all("x-tenant")[0].decode(), frozenset(Scope))


class _Time:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


def test_a_bucket_gives_a_minutes_worth_then_refills_evenly() -> None:
    now = _Time()
    limiter = ProcessRateLimiter(now)
    assert [limiter.take("t", "r", 60) for _ in range(60)] == [0.0] * 60
    assert limiter.take("t", "r", 60) == pytest.approx(1.0)
    now.at += 0.5
    assert limiter.take("t", "r", 60) == pytest.approx(0.5)
    now.at += 0.5
    assert limiter.take("t", "r", 60) == 0.0
    now.at += 3600
    assert [limiter.take("t", "r", 60) for _ in range(61)].count(0.0) == 60


def test_tenants_and_routes_have_buckets_of_their_own() -> None:
    limiter = ProcessRateLimiter(_Time())
    assert [limiter.take(*key, 1) for key in (("a", "x"), ("a", "y"), ("b", "x"))] == [0.0, 0.0, 0.0]
    with pytest.raises(LimitExceeded, match="1 per 1 minute for x"):
        check_rate(limiter, "a", "x", 1)


def test_full_buckets_do_not_pile_up_and_used_ones_are_kept() -> None:
    now = _Time()
    limiter = ProcessRateLimiter(now)
    for number in range(MAX_BUCKETS):
        limiter.take(f"old-{number}", "r", 1)
    now.at += 61
    limiter.take("new", "r", 1)
    assert limiter.take("new", "r", 1) > 0
    assert len(limiter._buckets) == 1


def test_over_the_rate_is_429_with_the_time_to_wait(connect: Connect) -> None:
    client = connect(settings=LIMITED)
    responses = [client.post("/api/finalize_session", json=FINALIZE) for _ in range(62)]
    assert [response.status_code for response in responses[:60]] == [200] * 60
    refused = responses[-1]
    assert refused.status_code == 429
    assert refused.json()["error"] == "limit_exceeded"
    assert refused.json()["detail"].startswith("Rate limit exceeded: 60 per 1 minute")
    assert refused.headers["Retry-After"] == "1"


def test_the_rate_of_one_tenant_leaves_the_others_alone(connect: Connect) -> None:
    client = connect(authenticator=_TenantHeader(), settings=LIMITED)

    def call(tenant: str) -> int:
        return client.post("/api/update_config", json={}, headers={"x-tenant": tenant}).status_code

    assert [call("a") for _ in range(11)] == [200] * 10 + [429]
    assert call("b") == 200


@pytest.mark.parametrize(
    ("access", "limits", "limited"),
    [
        (AccessSettings(), None, False),
        (AccessSettings(api_key="k"), None, True),
        (AccessSettings(api_key="k"), False, False),
        (AccessSettings(), True, True),
    ],
)
def test_rates_are_limited_where_a_key_is_set_unless_switched(
    connect: Connect, access: AccessSettings, limits: bool | None, limited: bool
) -> None:
    client = connect(access, settings=ApiSettings(rate_limits=limits))
    headers = {"Authorization": "Bearer k"}
    statuses = [client.post("/api/update_config", json={}, headers=headers).status_code for _ in range(12)]
    assert (429 in statuses) is limited


def test_slots_queue_and_refuse_only_after_the_queue_time() -> None:
    async def crowd() -> tuple[int, int]:
        slots = Slots("search", 2, queue_seconds=0.05)
        running = most = refused = 0

        async def call(seconds: float) -> None:
            nonlocal running, most, refused
            try:
                async with slots.hold("t"):
                    running += 1
                    most = max(most, running)
                    await anyio.sleep(seconds)
                    running -= 1
            except NoCapacity:
                refused += 1

        async with anyio.create_task_group() as group:
            for _ in range(6):
                group.start_soon(call, 0.005)
        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(call, 0.2)
        async with slots.hold("t"):
            pass
        return most, refused

    assert anyio.run(crowd) == (2, 1)


def test_twenty_publishers_of_one_tenant_at_once_are_all_served(connect: Connect, conversation: dict[str, Any]) -> None:
    client = connect()

    async def crowd() -> list[int]:
        statuses: list[int] = []

        async def publish(number: int) -> None:
            body = {**conversation, "user_id": f"user-{number % 3}", "request_id": f"r-{number}"}
            statuses.append((await client.asynchronous.post("/api/publish_interaction", json=body)).status_code)

        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(publish, number)
        return statuses

    assert client.portal.call(crowd) == [200] * 20


def test_waiters_leave_searches_health_checks_and_publishers_alone(
    connect: Connect, conversation: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    release = threading.Event()

    def wait(engine: Any, tenant: str, answer: dict[str, Any]) -> dict[str, Any]:
        release.wait(30)
        return {**answer, "learning_status": "done", "learning_reason": "covered"}

    monkeypatch.setattr(status, "wait_for_learning", wait)
    monkeypatch.setattr(
        publishing, "publish", lambda *_: {"success": True, "request_id": "r", "learning_status": "deferred"}
    )
    client = connect(authenticator=_TenantHeader())

    async def crowd() -> tuple[list[str], dict[str, int]]:
        reasons: list[str] = []
        all_answered_or_waiting = anyio.Event()

        async def publish(tenant: str) -> None:
            response = await client.asynchronous.post(
                "/api/publish_interaction?wait_for_response=true", json=conversation, headers={"x-tenant": tenant}
            )
            reasons.append(response.json()["learning_reason"])
            if len(reasons) == 10 * MAX_WAITERS_PER_TENANT - MAX_WAITERS:
                all_answered_or_waiting.set()

        async def others() -> dict[str, int]:
            get = client.asynchronous.get
            answers: dict[str, httpx.Response] = {
                "live": await get("/health/live"),
                "ready": await get("/health/ready"),
                "config": await get("/api/get_config", headers={"x-tenant": "tenant-0"}),
            }
            return {name: answer.status_code for name, answer in answers.items()}

        async with anyio.create_task_group() as group:
            for number in range(10):
                for _ in range(MAX_WAITERS_PER_TENANT):
                    group.start_soon(publish, f"tenant-{number}")
            with anyio.fail_after(10):
                await all_answered_or_waiting.wait()
            statuses = await others()
            release.set()
        return reasons, statuses

    reasons, statuses = client.portal.call(crowd)
    assert statuses == {"live": 200, "ready": 200, "config": 200}
    assert reasons.count("waiter_capacity") == 10 * MAX_WAITERS_PER_TENANT - MAX_WAITERS
    assert reasons.count("covered") == MAX_WAITERS


def test_one_tenant_has_at_most_its_share_of_the_waiters() -> None:
    async def crowd() -> list[str | None]:
        waiters = Waiters(most=10, most_per_tenant=2)
        release, refused = threading.Event(), anyio.Event()
        answers: list[str | None] = []

        def wait() -> str:
            release.wait(10)
            return "waited"

        async def caller(tenant: str) -> None:
            answers.append(await waiters.run(tenant, wait))
            refused.set()

        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(caller, "a")
            group.start_soon(caller, "b")
            await refused.wait()
            release.set()
        answers.append(await waiters.run("a", wait))
        return answers

    assert anyio.run(crowd) == [None, "waited", "waited", "waited", "waited"]
