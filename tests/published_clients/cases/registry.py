"""Where cases are registered, in the order in which they run."""

from collections.abc import Callable
from typing import Any, NamedTuple

from world import CORRECTION, World


class Case(NamedTuple):
    """A method, the effect that is asserted, and the assertion."""

    method: str
    effect: str
    run: Callable[[World], None]


CASES: list[Case] = []
SAID = [turn["content"] for turn in CORRECTION]


def client(name: str, effect: str) -> Callable[[Callable[[World], None]], Callable[[World], None]]:
    """Register a case for a method of the client."""
    return _register(f"ReflexioClient.{name}", effect)


def session(name: str, effect: str) -> Callable[[Callable[[World], None]], Callable[[World], None]]:
    """Register a case for a method of a client bound to a session."""
    return _register(f"SessionScopedClient.{name}", effect)


def _register(method: str, effect: str) -> Callable[[Callable[[World], None]], Callable[[World], None]]:
    def register(run: Callable[[World], None]) -> Callable[[World], None]:
        CASES.append(Case(method, effect, run))
        return run

    return register


def contents(rows: Any) -> list[str]:
    """The contents of rows as a client returns them."""
    return [row.content for row in rows]
