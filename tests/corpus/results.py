"""The table of what each learner achieved on the corpus, and the bars it has to meet."""

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from tests.corpus.cases import Score, load

BAR = 0.80
TABLE = Path(__file__).with_name("RESULTS.md")
MEASURED = Path(__file__).with_name("results.json")
REAL_MODELS = ("openai/gpt-5-mini", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash")

Row = dict[str, int]
Rows = dict[str, Row]

_HEAD = """# What the learners find

Written by `make bench-learning` (`MODEL=` empty: the offline rules; otherwise a LiteLLM name). Each conversation is
published through the SDK to an embedded service; *found* counts the expected facts and lessons that a search for the
expectation's query returns. *Broken* counts promises broken: something learned from small talk, something out of date
served as current, a secret or somebody else's fact kept. "Held out" is the third of the corpus whose misses did not
guide the rules; promises broken there were mended as a kind. Rules and corpus have the same author: expect less of
real conversations (README.md here has first readings of unseen batches).

The bar: at least 80 % found, 0 broken.
"""


def missed_bars(scores: Sequence[Score]) -> list[str]:
    """What is below the bar, in words; empty when all is met."""
    failures = [f"{score.case.id}: {violation}" for score in scores for violation in score.violations]
    rate = found_rate(scores)
    if rate < BAR:
        failures.append(f"{rate:.0%} of the expected facts and lessons were found; the bar is {BAR:.0%}")
    return failures


def found_rate(scores: Sequence[Score]) -> float:
    """Share of the expectations that were met; 1.0 when there are none."""
    expected = sum(score.expected for score in scores)
    return sum(score.found for score in scores) / expected if expected else 1.0


def summary(model: str, scores: Sequence[Score]) -> str:
    """One line for the end of a run."""
    tuned = [score for score in scores if not score.case.holdout]
    held_out = [score for score in scores if score.case.holdout]
    broken = sum(len(score.violations) for score in scores)
    return (
        f"{model}: {found_rate(scores):.0%} found ({found_rate(tuned):.0%} tuned on, "
        f"{found_rate(held_out):.0%} held out), "
        f"{broken} broken, {len(scores)} conversations"
    )


def write(model: str, scores: Sequence[Score]) -> None:
    """Record one model's rows and rewrite the table; rows of other models stay as they were measured."""
    measured: dict[str, Rows] = json.loads(MEASURED.read_text()) if MEASURED.exists() else {}
    rows: Rows = defaultdict(lambda: {"conversations": 0, "expected": 0, "found": 0, "broken": 0})
    for score in scores:
        keys = (
            f"{score.case.category} | {score.case.language}",
            "**held out** | all" if score.case.holdout else "**tuned on** | all",
            "**all** | all",
        )
        for key in keys:
            rows[key]["conversations"] += 1
            rows[key]["expected"] += score.expected
            rows[key]["found"] += score.found
            rows[key]["broken"] += len(score.violations)
    measured[model] = {key: rows[key] for key in sorted(rows)}
    MEASURED.write_text(json.dumps(measured, indent=1, sort_keys=True) + "\n")
    TABLE.write_text(_table(measured), encoding="utf-8")


def _table(measured: dict[str, Rows]) -> str:
    lines = [
        _HEAD,
        "| category | language | conversations | expected | found | broken | measured with |",
        "|---|---|---|---|---|---|---|",
    ]
    for model, rows in sorted(measured.items()):
        for key, row in rows.items():
            lines.append(
                f"| {key} | {row['conversations']} | {row['expected']} | {row['found']} | {row['broken']} | {model} |"
            )
    count = sum(1 for _ in load())
    for model in REAL_MODELS:
        if model not in measured:
            lines.append(f"| **all** | all | {count} | – | – | – | {model}: not measured here |")
    return "\n".join(lines) + "\n"
