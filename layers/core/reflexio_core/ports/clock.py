"""Time and randomness as arguments."""

from typing import Protocol


class Clock(Protocol):
    """The current time."""

    def now(self) -> float:
        """Seconds since 1970, UTC."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let that much time pass, for a bounded retry."""
        ...


class Ids(Protocol):
    """Fresh random identifiers. What must survive a retry is derived instead, in ``domain.identity``."""

    def request_id(self) -> str:
        """A new request id (UUID text)."""
        ...

    def token(self) -> str:
        """A new unguessable token, for leases."""
        ...
