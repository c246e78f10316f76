"""The first rows of a listing, and whether there are more."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from reflexio.cli.session import Session

if TYPE_CHECKING:
    from pydantic import BaseModel


def page_size(limit: int) -> int:
    """How many rows to ask for: one more than is shown tells whether there are more."""
    return limit + 1


def in_words(seconds: int) -> str:
    """A time in epoch seconds as ISO-8601, UTC; the number itself if no calendar has it."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
    except (OverflowError, OSError, ValueError):
        return str(seconds)


def show_first(session: Session, rows: "Iterator[BaseModel]", limit: int, columns: Mapping[str, str]) -> None:
    """Print at most ``limit`` rows, and say so if some are left out."""
    show_rows(session, [row.model_dump(mode="json") for row in islice(rows, page_size(limit))], limit, columns)


def show_rows(session: Session, found: Sequence[Mapping[str, Any]], limit: int, columns: Mapping[str, str]) -> None:
    """The same for rows that were read and made up already, at most ``page_size(limit)`` of them."""
    has_more = len(found) > limit
    session.output.rows(found[:limit], columns, limit=limit, has_more=has_more)
    if not found:
        session.output.notice("nothing found")
    if has_more:
        session.output.notice(f"there are more: raise --limit above {limit}")
