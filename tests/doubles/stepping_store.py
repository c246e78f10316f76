"""A store that stops the world: before its n-th call, something else happens first."""

from collections.abc import Callable
from typing import Any

METHODS = ("get", "batch_get", "query", "query_index", "commit", "changes")


class SteppingStore:
    """Passes every call on. Before call number ``at`` (from 1) it runs ``meanwhile`` once, which may use the store."""

    def __init__(self, inner: Any, at: int = 0, meanwhile: Callable[[], object] | None = None) -> None:
        self.inner = inner
        self.calls = 0
        self._at = at
        self._meanwhile = meanwhile

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.inner, name)
        if name not in METHODS:
            return method

        def stepped(*args: Any) -> Any:
            self.calls += 1
            if self.calls == self._at and self._meanwhile is not None:
                self._meanwhile()
            return method(*args)

        return stepped


class Crash(BaseException):
    """The process dies here."""


def crash() -> None:
    """Use as ``meanwhile``."""
    raise Crash
