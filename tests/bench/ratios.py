"""Ratios measured side by side: what is compared takes turns in one run, and medians are compared."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Ratio:
    """A measured ratio and its bound. ``at_least`` turns the bound from a ceiling into a floor."""

    name: str
    value: float
    bound: float | None
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Whether the bound holds; always if there is none."""
        if self.bound is None:
            return True
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    def row(self) -> str:
        """A line of the table."""
        if self.bound is None:
            return f"| {self.name} | {self.value:.2f} | | |"
        sign = "≥" if self.at_least else "≤"
        return f"| {self.name} | {self.value:.2f} | {sign} {self.bound:g} | {'met' if self.met else '**missed**'} |"


def medians(actions: Mapping[str, Callable[[int], object]], rounds: int, warm_up: int = 5) -> dict[str, float]:
    """Median seconds of each action. They take turns within a round; each gets the round's number."""
    taken: dict[str, list[float]] = {name: [] for name in actions}
    for number in range(rounds + warm_up):
        for name, action in actions.items():
            started = time.perf_counter()
            action(number)
            seconds = time.perf_counter() - started
            if number >= warm_up:
                taken[name].append(seconds)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}
