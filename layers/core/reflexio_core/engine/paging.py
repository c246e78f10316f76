"""Pages of a listing: opaque tokens, and how much one call may look at and answer.

A token says where the next page begins. It is bound to the tenant, the listing and its conditions, not to the page
size. It leads only to places inside the tenant's own listing, so a forged one could do no more than skip rows.
"""

import base64
import binascii
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from reflexio_core.domain.identity import digest
from reflexio_core.errors import InvalidInput

View = dict[str, Any]

MAX_EXAMINED = 10_000
"""Rows that one call reads before it answers with what it has found so far."""

MAX_ANSWER_BYTES = 4_000_000
"""Lambda takes 6 MB of answer; the rest is room for the envelope. A single larger row still goes out, alone."""


class Place(BaseModel):
    """Where a listing goes on, as its token carries it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


Spot = Annotated[str, Field(pattern=r"^[!-~]*$", max_length=1024)]
"""A place in an index: keys are encoded, so it is printable ASCII."""

PlaceT = TypeVar("PlaceT", bound=Place)


@dataclass(frozen=True, slots=True)
class Tokens(Generic[PlaceT]):
    """Tokens of one listing: of one tenant, with one set of conditions."""

    scope: str
    place: type[PlaceT]

    @classmethod
    def of(cls, tenant: str, listing: str, conditions: dict[str, Any], place: type[PlaceT]) -> "Tokens[PlaceT]":
        """The tokens of ``listing`` under ``conditions`` (JSON-ready; without page size and token)."""
        return cls(digest(tenant, listing, json.dumps(conditions, sort_keys=True)).hex(), place)

    def make(self, place: PlaceT | None) -> str | None:
        """The token that leads to the place; None when there is nothing more."""
        if place is None:
            return None
        state = place.model_dump_json(exclude_defaults=True)
        raw = json.dumps([self._seal(state), state], separators=(",", ":"))
        return base64.urlsafe_b64encode(raw.encode()).decode().rstrip("=")

    def read(self, token: str | None) -> PlaceT | None:
        """The place that a token leads to. Raises ``InvalidInput`` for ``next_token``."""
        if token is None:
            return None
        try:
            seal, state = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
            belongs_here = seal == self._seal(state)
            place = self.place.model_validate_json(state) if belongs_here else None
        except (binascii.Error, ValueError, TypeError, RecursionError) as error:
            raise InvalidInput("next_token", "this is not a token that a former page returned") from error
        if place is None:
            raise InvalidInput("next_token", "the token belongs to another query; start again without it")
        return place

    def _seal(self, state: str) -> str:
        return digest(self.scope, state).hex()[:16]


class Budget:
    """What one call may still do. At least one row is always granted, so that every page gets further."""

    def __init__(self, rows: int, *, examined: int = MAX_EXAMINED, answer_bytes: int = MAX_ANSWER_BYTES) -> None:
        self._rows = rows
        self._examined = examined
        self._bytes = answer_bytes
        self._granted = False

    def look(self, rows: int = 1) -> None:
        """Count rows that were read, whether or not they are answered."""
        self._examined -= rows

    @property
    def spent(self) -> bool:
        """Whether enough was looked at."""
        return self._examined <= 0

    def grant(self, view: View, rows: int = 1) -> bool:
        """Whether the view, which counts as ``rows`` of the page, still goes into this answer."""
        size = len(json.dumps(view, ensure_ascii=False, separators=(",", ":")).encode())
        if self._granted and (rows > self._rows or size > self._bytes):
            return False
        self._granted = True
        self._rows -= rows
        self._bytes -= size
        return True


@dataclass(frozen=True, slots=True)
class Row(Generic[PlaceT]):
    """A row that was looked at: its place, and its view if it fits the conditions."""

    place: PlaceT
    view: View | None


def collect(rows: Iterable[Row[PlaceT]], budget: Budget) -> tuple[list[View], PlaceT | None]:
    """The views of one page, and the place behind which the next begins, None at the end.

    Looks one fitting row ahead, so that a full page that is also the last says so.
    """
    views: list[View] = []
    behind: PlaceT | None = None
    for row in rows:
        if row.view is not None:
            if not budget.grant(row.view):
                return views, behind
            views.append(row.view)
        behind = row.place
        budget.look()
        if budget.spent:
            return views, behind
    return views, None


def listing_answer(name: str, rows: list[View], noun: str, next_token: str | None) -> View:
    """The answer of a listing whose rows go under ``name``; ``noun`` is what its message counts."""
    answer: View = {"success": True, name: rows, "msg": found(f"{len(rows)} {noun}(s)", next_token)}
    if next_token is not None:
        answer["next_token"] = next_token
    return answer


def found(what: str, next_token: str | None) -> str:
    """The message of a listing; says that there is more to those who do not look for a token."""
    return f"Found {what}" if next_token is None else f"Found {what}; next_token leads to more"
