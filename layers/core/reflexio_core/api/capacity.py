"""How many calls run at once: worker threads, slots of a tenant, and callers that wait for learning.

Engine calls block, so they run in threads. Waiting for learning has threads of its own: a crowd of waiters then
takes no thread from a search, and health checks have theirs.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

import anyio
from anyio import CapacityLimiter, to_thread

from reflexio_core.errors import LimitExceeded

Result = TypeVar("Result")

WORKER_THREADS = 40
HEALTH_THREADS = 2
MAX_WAITERS = 64
MAX_WAITERS_PER_TENANT = 8


class NoCapacity(LimitExceeded):
    """The tenant's slots stayed taken for as long as a call may queue. Nothing was done; retrying is safe."""

    code = "capacity_exceeded"


class Slots:
    """At most ``count`` calls of a tenant at once; others queue in order, for at most ``queue_seconds``."""

    def __init__(self, what: str, count: int, queue_seconds: float) -> None:
        self._what = what
        self._count = count
        self._queue_seconds = queue_seconds
        self._tenants: dict[str, anyio.Semaphore] = {}

    @asynccontextmanager
    async def hold(self, tenant: str) -> AsyncIterator[None]:
        """Hold a slot. Raises ``NoCapacity`` if none came free in time."""
        semaphore = self._tenants.setdefault(tenant, anyio.Semaphore(self._count))
        acquired = False
        with anyio.move_on_after(self._queue_seconds):
            await semaphore.acquire()
            acquired = True
        if not acquired:
            raise NoCapacity(
                f"{self._count} {self._what} calls are running already; nothing was done, retry", self._queue_seconds
            )
        try:
            yield
        finally:
            semaphore.release()
            if semaphore.value == self._count and not semaphore.statistics().tasks_waiting:
                self._tenants.pop(tenant, None)


class Waiters:
    """Callers that wait for learning. Confined to the event loop, so plain counts suffice."""

    def __init__(self, most: int = MAX_WAITERS, most_per_tenant: int = MAX_WAITERS_PER_TENANT) -> None:
        self._most = most
        self._most_per_tenant = most_per_tenant
        self._by_tenant: dict[str, int] = {}
        self._threads = CapacityLimiter(most)

    async def run(self, tenant: str, wait: Callable[[], Result]) -> Result | None:
        """Run a blocking wait, or give None at once if too many wait already."""
        waiting = self._by_tenant.get(tenant, 0)
        if waiting >= self._most_per_tenant or sum(self._by_tenant.values()) >= self._most:
            return None
        self._by_tenant[tenant] = waiting + 1
        try:
            # A wait changes nothing, so a server that stops need not see it to its end.
            return await to_thread.run_sync(wait, limiter=self._threads, abandon_on_cancel=True)
        finally:
            self._by_tenant[tenant] -= 1
            if not self._by_tenant[tenant]:
                del self._by_tenant[tenant]


@dataclass(frozen=True, slots=True)
class Capacity:
    """Everything that bounds concurrency in one application."""

    search: Slots
    publish: Slots
    waiters: Waiters
    workers: CapacityLimiter
    health: CapacityLimiter

    async def work(self, call: Callable[[], Result]) -> Result:
        """Run a blocking engine call in a worker thread."""
        return await to_thread.run_sync(call, limiter=self.workers)

    async def check(self, call: Callable[[], Result]) -> Result:
        """Run a health check in a thread that no engine call can take."""
        return await to_thread.run_sync(call, limiter=self.health)


def make_capacity(search: Slots, publish: Slots) -> Capacity:
    """Capacity with the default numbers of threads."""
    return Capacity(search, publish, Waiters(), CapacityLimiter(WORKER_THREADS), CapacityLimiter(HEALTH_THREADS))
