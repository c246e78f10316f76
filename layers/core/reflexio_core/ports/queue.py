"""Hints that there may be work. Losing one loses nothing: the sweep finds due work in the store."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Hint:
    """Something to look at: a tenant's user with new input. At-least-once, in no order."""

    topic: str  # "learn"
    tenant: str
    user_id: str


class Queue(Protocol):
    """At-least-once hints with delay."""

    def send(self, hint: Hint, delay_seconds: float = 0.0) -> None:
        """Deliver the hint at least once, not before the delay. Never blocks on a consumer."""
        ...


class QueueConsumer(Protocol):
    """The receiving side of an in-process queue. Cloud queues invoke a function instead."""

    def run(self, handle: Callable[[Hint], None]) -> None:
        """Call ``handle`` for each due hint until closed; a raising handler does not stop the loop."""
        ...

    def close(self) -> None:
        """Stop ``run`` after the hint in hand."""
        ...
