"""Time on the wire: whole epoch seconds for what is stored, ISO-8601 for filters, UTC everywhere."""

from datetime import UTC, datetime
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator

from reflexio.models.base import NEVER_EXPIRES, WireModel


def _in_range(seconds: int) -> int:
    if not 0 <= seconds <= NEVER_EXPIRES:
        raise ValueError(
            f"times are epoch seconds from 0 to {NEVER_EXPIRES} (1970 to 2100), got {seconds}; "
            "milliseconds must be divided by 1000"
        )
    return seconds


def _as_utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("the date is outside the years 1 to 9999 in UTC") from None


def read_iso(text: str) -> datetime | None:
    """The moment that an ISO-8601 date with a time names, or None if ``text`` is no such date.

    A result without ``tzinfo`` means that the text has no offset.
    """
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        return None


def _turn_seconds(value: object) -> object:
    if isinstance(value, str) and value.strip().lstrip("-").isdigit():
        return value
    if not isinstance(value, str | datetime):
        return value
    shown = repr(str(value)[:40])
    moment = value if isinstance(value, datetime) else read_iso(value)
    if moment is None:
        raise ValueError(f"not a time: {shown}; send epoch seconds or ISO-8601 such as 2026-05-01T09:30:00+02:00")
    if moment.tzinfo is None:
        raise ValueError(f"{shown} has no UTC offset; add one, such as Z or +02:00")
    return int(_as_utc(moment).timestamp())


def utc_offset_minutes(value: Any) -> int | None:
    """The offset of a date or of an ISO-8601 text, in minutes east of UTC, or None if there is none to read."""
    moment = read_iso(value) if isinstance(value, str) else value
    offset = moment.utcoffset() if isinstance(moment, datetime) else None
    return None if offset is None else int(offset.total_seconds() // 60)


EpochSeconds = Annotated[int, AfterValidator(_in_range)]
"""Whole seconds since 1970, UTC, up to 2100-01-01."""

TurnTime = Annotated[
    int,
    BeforeValidator(_turn_seconds),
    AfterValidator(_in_range),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": NEVER_EXPIRES},
                {"type": "string", "format": "date-time"},
            ]
        },
        mode="validation",
    ),
]
"""When a turn was said: epoch seconds, or ISO-8601 or a datetime with an offset, which are read to epoch seconds."""

UtcDatetime = Annotated[datetime, AfterValidator(_as_utc)]
"""A moment in UTC. Text without an offset is read as UTC."""


class TimeRange(WireModel):
    """Bounds on a row's date: ``start_time`` is in, ``end_time`` is out; None leaves that side open."""

    start_time: UtcDatetime | None = Field(default=None)
    end_time: UtcDatetime | None = Field(default=None)

    @model_validator(mode="after")
    def _end_after_start(self) -> Self:
        if self.start_time and self.end_time and self.end_time <= self.start_time:
            raise ValueError("end_time must be after start_time")
        return self
