"""When a failed call is sent again, and how long to wait before."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from random import random

RETRIED_STATUSES = frozenset({429, 502, 503, 504})


class Repeatable(Enum):
    """What sending a call twice does.

    ``ALWAYS``: nothing that once would not (reads, and writes that carry a key). ``UNSENT``: it might do the work
    twice, so it is sent again only if the first never reached the service.
    """

    ALWAYS = "always"
    UNSENT = "unsent"


class Failure(Enum):
    """How an attempt failed."""

    NOT_SENT = "not_sent"  # no connection was made
    BROKEN = "broken"  # the connection broke after something was sent
    TIMED_OUT = "timed_out"  # the caller's time is used up


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long. Times are in seconds.

    Waits double from ``first_wait`` up to ``longest_wait``, each drawn evenly from zero to that bound ("full
    jitter"), so that clients which failed together do not come back together. A service that asks for a longer wait
    than ``longest_asked_wait`` is not waited for.
    """

    attempts: int = 4
    first_wait: float = 0.25
    longest_wait: float = 8.0
    longest_asked_wait: float = 30.0
    draw: Callable[[], float] = random

    def wait_after_status(self, attempt: int, status: int, asked: float | None, repeatable: Repeatable) -> float | None:
        """Seconds to wait after attempt number ``attempt`` (from 1) got ``status``; None: give up."""
        if attempt >= self.attempts or status not in RETRIED_STATUSES or repeatable is Repeatable.UNSENT:
            return None
        if asked is None:
            return self._backoff(attempt)
        return asked if asked <= self.longest_asked_wait else None

    def wait_after_failure(self, attempt: int, failure: Failure, repeatable: Repeatable) -> float | None:
        """Seconds to wait after attempt number ``attempt`` (from 1) got no answer; None: give up."""
        if attempt >= self.attempts or failure is Failure.TIMED_OUT:
            return None
        if failure is Failure.BROKEN and repeatable is Repeatable.UNSENT:
            return None
        return self._backoff(attempt)

    def _backoff(self, attempt: int) -> float:
        return self.draw() * min(self.longest_wait, self.first_wait * 2.0 ** (attempt - 1))
