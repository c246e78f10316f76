"""What became of each test, and which tier and adapter it belongs to."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum

ADAPTERS = {
    "sqlite": "sqlite",
    "dynamodb": "dynamodb",
    "memory": "memory (test double)",
    "sqlite-fts5": "sqlite-fts5",
    "search": "sqlite-fts5",
    "onnx": "onnx",
    "models": "onnx",
    "llm": "litellm",
    "litellm": "litellm",
    "offline": "offline",
    "files": "files",
    "inprocess": "in-process queue",
}
"""How folders, modules and parameters name the adapter under test."""


class Result(IntEnum):
    """Outcomes, the graver the larger: a test that passes and then fails to clean up has failed."""

    PASSED = 0
    SKIPPED = 1
    FAILED = 2


@dataclass(slots=True)
class Outcome:
    """One test. ``reason`` says why it was skipped; ``seconds`` count setup and cleaning up."""

    result: Result = Result.PASSED
    reason: str = ""
    seconds: float = 0.0


@dataclass(slots=True)
class Outcomes:
    """Every test by its node id."""

    by_id: dict[str, Outcome] = field(default_factory=dict)

    def add(self, node_id: str, result: Result, reason: str, seconds: float) -> None:
        """Add a phase of a test, or a module that could not be collected."""
        outcome = self.by_id.setdefault(node_id, Outcome())
        outcome.seconds += seconds
        if result >= outcome.result:
            outcome.result = result
            outcome.reason = reason or outcome.reason

    def count(self, result: Result) -> int:
        """How many tests ended so."""
        return sum(outcome.result is result for outcome in self.by_id.values())

    def skipped(self) -> Iterator[tuple[str, str]]:
        """Node id and reason of each skipped test."""
        for node_id, outcome in self.by_id.items():
            if outcome.result is Result.SKIPPED:
                yield node_id, outcome.reason

    def slowest(self, count: int) -> list[tuple[str, float]]:
        """Node ids and seconds, slowest first."""
        timed = [(node_id, outcome.seconds) for node_id, outcome in self.by_id.items()]
        return sorted(timed, key=lambda entry: -entry[1])[:count]


def tier_of(node_id: str) -> str:
    """The folder under ``tests``: ``tests/contract/store/test_x.py::test_y`` is of ``contract``."""
    parts = node_id.partition("::")[0].split("/")
    return parts[1] if len(parts) > 2 else "(top)"


def adapters_of(node_id: str) -> set[str]:
    """The adapters that a test exercises, from the words of its path and of its parameters."""
    path, _, test = node_id.partition("::")
    words = set(path.removesuffix(".py").split("/"))
    words |= {part.removeprefix("test_").removesuffix("_alone") for part in words}
    found = {ADAPTERS[word] for word in words if word in ADAPTERS}
    left = f"-{test.partition('[')[2].removesuffix(']')}-"
    # The longer name first: "sqlite-fts5" is not also "sqlite".
    for name in sorted(ADAPTERS, key=len, reverse=True):
        if f"-{name}-" in left:
            left = left.replace(f"-{name}-", "--")
            found.add(ADAPTERS[name])
    return found
