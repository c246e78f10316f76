"""The last lines of a run."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from tests.runner.outcomes import Outcomes, Result, adapters_of, tier_of

SLOWEST = 15


def summary(outcomes: Outcomes) -> Iterator[str]:
    """The slowest tests, a table for each tier and adapter, and the totals as the last line."""
    yield f"slowest {SLOWEST}"
    for node_id, seconds in outcomes.slowest(SLOWEST):
        yield f"  {seconds:6.1f} s  {node_id}"
    yield ""
    yield from _table("tier", outcomes, lambda node_id: [tier_of(node_id)])
    yield ""
    yield from _table("adapter", outcomes, adapters_of)
    yield ""
    yield totals(outcomes)


def totals(outcomes: Outcomes) -> str:
    """``N passed, N failed, N skipped``."""
    counts = {result: outcomes.count(result) for result in Result}
    return f"{counts[Result.PASSED]} passed, {counts[Result.FAILED]} failed, {counts[Result.SKIPPED]} skipped"


def _table(heading: str, outcomes: Outcomes, groups_of: Callable[[str], Iterable[str]]) -> Iterator[str]:
    counts: dict[str, Counter[Result]] = {}
    seconds: Counter[str] = Counter()
    for node_id, outcome in outcomes.by_id.items():
        for group in groups_of(node_id):
            counts.setdefault(group, Counter())[outcome.result] += 1
            seconds[group] += outcome.seconds
    width = max(map(len, [heading, *counts]))
    yield f"{heading:<{width}}  passed  failed  skipped  seconds"
    for group in sorted(counts):
        of = counts[group]
        numbers = f"{of[Result.PASSED]:>6}  {of[Result.FAILED]:>6}  {of[Result.SKIPPED]:>7}"
        yield f"{group:<{width}}  {numbers}  {seconds[group]:>7.1f}"
