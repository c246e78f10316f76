"""Load the corpus, and score what a learner made of one conversation."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Learning:
    """A learning as served: ``kind`` is ``profile`` or ``playbook``; ``text`` joins all its fields."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Expectation:
    """``query`` must find a ``kind`` whose text holds, for each group of ``contains``, one of its strings."""

    kind: str
    query: str
    contains: tuple[tuple[str, ...], ...]

    def met_by(self, found: Sequence[Learning]) -> bool:
        """Whether one of the found learnings satisfies every group."""
        return any(
            item.kind == self.kind
            and all(any(_holds(item.text, option) for option in group) for group in self.contains)
            for item in found
        )


@dataclass(frozen=True, slots=True)
class Case:
    """One user: sessions in order, then the expectations."""

    id: str
    language: str
    category: str
    holdout: bool
    sessions: tuple[dict[str, Any], ...]
    expect: tuple[Expectation, ...]
    never: tuple[str, ...]
    stale: tuple[dict[str, str], ...]
    learns_nothing: bool


@dataclass(slots=True)
class Score:
    """What was found of what was expected, and every broken promise."""

    case: Case
    found: int = 0
    missed: list[Expectation] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)

    @property
    def expected(self) -> int:
        """How many expectations the case has."""
        return len(self.case.expect)


class Backend(Protocol):
    """A learner with a memory."""

    def publish(self, user: str, session: str, turns: Sequence[dict[str, Any]], date: str) -> None:
        """Learn from a finished session before returning."""
        ...

    def search(self, user: str, query: str) -> list[Learning]:
        """What a search serves for ``query``."""
        ...

    def current(self, user: str) -> list[Learning]:
        """Everything that is served of a user."""
        ...

    def stored(self, user: str) -> list[Learning]:
        """Everything kept of a user, archived learnings and quotes included."""
        ...


def load(holdout: bool | None = None) -> Iterator[Case]:
    """Cases in a fixed order; all of them, or only those inside or outside the held-out third."""
    for path in sorted(FOLDER.glob("*/*.json")):
        raw = json.loads(path.read_text(encoding="utf-8"))
        if holdout is not None and raw["holdout"] != holdout:
            continue
        yield Case(
            id=raw["id"],
            language=raw["language"],
            category=raw["category"],
            holdout=raw["holdout"],
            sessions=tuple(raw["sessions"]),
            expect=tuple(
                Expectation(item["kind"], item["query"], tuple(map(tuple, item["contains"])))
                for item in raw.get("expect", [])
            ),
            never=tuple(raw.get("never", [])),
            stale=tuple(raw.get("stale", [])),
            learns_nothing=raw.get("learns_nothing", False),
        )


def run(case: Case, backend: Backend) -> Score:
    """Publish a case session by session and score the result."""
    for number, session in enumerate(case.sessions, start=1):
        backend.publish(case.id, f"{case.id}-{number}", session["turns"], session["date"])
    score = Score(case)
    for expectation in case.expect:
        if expectation.met_by(backend.search(case.id, expectation.query)):
            score.found += 1
        else:
            score.missed.append(expectation)
    current, stored = backend.current(case.id), backend.stored(case.id)
    score.violations += [
        f"{text!r} is kept: {item.text}" for text in case.never for item in stored if _holds(item.text, text)
    ]
    score.violations += [
        f"{pair['old']!r} is served though out of date: {item.text}"
        for pair in case.stale
        for item in current
        if _holds(item.text, pair["old"]) and not _holds(item.text, pair["unless"])
    ]
    if case.learns_nothing:
        score.violations += [f"learned from nothing: {item.text}" for item in current]
    return score


def _holds(text: str, part: str) -> bool:
    return part.casefold() in text.casefold()
