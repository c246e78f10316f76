"""What a row must be like to be listed. Every condition that is not given holds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from reflexio.models.enums import Status
from reflexio.models.times import TimeRange

CURRENT: frozenset[Status | None] = frozenset({None})


@dataclass(frozen=True, slots=True)
class Between:
    """``start <= time < end`` in epoch seconds; None leaves a side open."""

    start: float | None = None
    end: float | None = None

    @classmethod
    def of(cls, bounds: TimeRange) -> "Between":
        """The bounds that a request names."""
        return cls(_seconds(bounds.start_time), _seconds(bounds.end_time))

    def holds(self, at: float) -> bool:
        """Whether the time lies between."""
        return (self.start is None or at >= self.start) and (self.end is None or at < self.end)


ALWAYS = Between()
"""No bounds."""


def wanted_statuses(status_filter: Sequence[Status | None] | None) -> frozenset[Status | None]:
    """The statuses to list: current rows unless the filter names others; null in it means current."""
    return frozenset(status_filter) if status_filter else CURRENT


def equals(wanted: str | None, value: str) -> bool:
    """Whether the value is the wanted one, if one is wanted."""
    return wanted is None or wanted == value


def mentions(query: str | None, texts: Iterable[str | None]) -> bool:
    """Whether one of the texts contains the query, in whatever case."""
    if not query:
        return True
    needle = query.casefold()
    return any(needle in text.casefold() for text in texts if text)


def shares_tag(wanted: Sequence[str] | None, tags: Sequence[str] | None) -> bool:
    """Whether any of the wanted tags is there."""
    return not wanted or not set(wanted).isdisjoint(tags or ())


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()
