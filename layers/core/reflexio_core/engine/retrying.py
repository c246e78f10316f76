"""Try a commit again when somebody else was first."""

import random
from collections.abc import Callable
from typing import TypeVar

from reflexio_core.engine.context import Engine
from reflexio_core.errors import ConditionFailed, StoreUnavailable

Result = TypeVar("Result")

PATIENCE_SECONDS = 20.0
FEWEST_ATTEMPTS = 3
_FIRST_PAUSE = 0.002
_LONGEST_PAUSE = 0.25


def until_committed(engine: Engine, attempt: Callable[[], Result], what: str) -> Result:
    """Call ``attempt``, which reads and then commits, until its conditions hold.

    Pauses grow with full jitter. Raises ``StoreUnavailable`` naming ``what`` after ``PATIENCE_SECONDS``, but not before
    ``FEWEST_ATTEMPTS``: one slow attempt, or a machine that slept meanwhile, says nothing about the others.
    """
    deadline = engine.clock.now() + PATIENCE_SECONDS
    pause = _FIRST_PAUSE
    attempts = 0
    while True:
        attempts += 1
        try:
            return attempt()
        except ConditionFailed:
            if attempts >= FEWEST_ATTEMPTS and engine.clock.now() >= deadline:
                raise StoreUnavailable(f"{what} kept meeting other writers; try again") from None
        engine.clock.sleep(random.uniform(0, pause))  # noqa: S311 - jitter, not a secret
        pause = min(pause * 2, _LONGEST_PAUSE)
