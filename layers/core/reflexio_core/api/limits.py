"""Rate limits: token buckets per tenant and route, never per address: agents behind one gateway are not one caller."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from reflexio_core.errors import LimitExceeded

MAX_BUCKETS = 10_000
"""Buckets kept at once. A full bucket says nothing, so the full ones are dropped when there are more."""


class RateLimiter(Protocol):
    """Counts calls of a tenant to a route."""

    def take(self, tenant: str, route: str, per_minute: int) -> float:
        """Take one token: 0.0 if there was one, otherwise the seconds until there will be."""
        ...


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


class ProcessRateLimiter:
    """Buckets in this process. A bucket holds a minute's worth of calls and refills evenly.

    ``now`` gives seconds on a clock that never goes back.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._buckets: dict[tuple[str, str], _Bucket] = {}
        self._lock = threading.Lock()

    def take(self, tenant: str, route: str, per_minute: int) -> float:
        """See ``RateLimiter.take``."""
        per_second = per_minute / 60.0
        with self._lock:
            now = self._now()
            bucket = self._buckets.get((tenant, route))
            if bucket is None:
                self._make_room(now)
                bucket = self._buckets[tenant, route] = _Bucket(float(per_minute), now)
            bucket.tokens = min(float(per_minute), bucket.tokens + (now - bucket.at) * per_second)
            bucket.at = now
            if bucket.tokens < 1.0:
                return (1.0 - bucket.tokens) / per_second
            bucket.tokens -= 1.0
            return 0.0

    def _make_room(self, now: float) -> None:
        if len(self._buckets) < MAX_BUCKETS:
            return
        # Every bucket is full again a minute after its last call.
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if now - bucket.at < 60.0}


class NoRateLimits:
    """Lets everything through."""

    def take(self, tenant: str, route: str, per_minute: int) -> float:  # noqa: ARG002
        """See ``RateLimiter.take``."""
        return 0.0


def check_rate(limiter: RateLimiter, tenant: str, route: str, per_minute: int) -> None:
    """Raises ``LimitExceeded`` if the tenant called this route more than ``per_minute`` times in a minute."""
    wait = limiter.take(tenant, route, per_minute)
    if wait > 0.0:
        raise LimitExceeded(f"Rate limit exceeded: {per_minute} per 1 minute for {route}", wait)
