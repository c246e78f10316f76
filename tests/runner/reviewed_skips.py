"""The skips that somebody looked at and found right, in ``allowed_skips.txt``: ``node id prefix | reason`` a line."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parent / "allowed_skips.txt"


@dataclass(frozen=True, slots=True)
class ReviewedSkip:
    """Tests whose id begins with ``prefix`` may be skipped for a reason that holds ``reason``."""

    prefix: str
    reason: str

    def covers(self, node_id: str, reason: str) -> bool:
        """Whether this skip is the reviewed one."""
        return node_id.startswith(self.prefix) and self.reason in reason


def read_reviewed(text: str) -> list[ReviewedSkip]:
    """The entries of a file's text; ``#`` begins a comment line. Raises ``ValueError`` for a line of another form."""
    entries: list[ReviewedSkip] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        prefix, bar, reason = (part.strip() for part in line.partition(" | "))
        # A blank side would cover everything, and a review that covers everything is none.
        if not (prefix and bar and reason):
            raise ValueError(f"line {number} is not 'node id prefix | reason': {line!r}")
        entries.append(ReviewedSkip(prefix, reason))
    return entries


def unreviewed(skips: Iterable[tuple[str, str]], reviewed: list[ReviewedSkip]) -> list[tuple[str, str]]:
    """Those skips that no entry covers."""
    return [skip for skip in skips if not any(entry.covers(*skip) for entry in reviewed)]
