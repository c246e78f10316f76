"""A failed attempt: remember it, wait longer each time, keep everything."""

from collections.abc import Sequence

from reflexio_core.domain.records import Cursor
from reflexio_core.engine.context import Engine
from reflexio_core.engine.learn.prepare import Ready
from reflexio_core.engine.work import Lease, LeaseLost
from reflexio_core.errors import ConditionFailed, LlmUsage

LONGEST_WAIT_SECONDS = 300.0


def retry_delay(attempts: int) -> float:
    """Seconds to wait after so many failures in a row: 1, 2, 4 ... 300."""
    return float(min(LONGEST_WAIT_SECONDS, 2 ** min(attempts - 1, 9)))


def spent_on(cursor: Cursor) -> LlmUsage:
    """What failed attempts at the cursor's window have cost."""
    return LlmUsage(**cursor.spent)


def record_failure(engine: Engine, lease: Lease, group: Sequence[Ready], code: str, usage: LlmUsage) -> None:
    """Set the windows' cursors back to a later time. Of the error only its ``code`` is kept; what the attempt cost is
    counted with the first window. Raises ``LeaseLost``."""
    keys = engine.keys(lease.tenant)
    now = engine.clock.now()
    puts = []
    for number, entry in enumerate(group):
        cursor = entry.state.cursor
        attempts = cursor.attempts + 1
        changed = cursor.model_copy(
            update={
                "attempts": attempts,
                "retry_at": now + retry_delay(attempts),
                "last_error": code,
                "spent": (spent_on(cursor) + (LlmUsage() if number else usage)).as_dict(),
            }
        )
        puts.append(entry.state.put(keys, lease.user_id, changed))
    try:
        engine.store.commit([lease.fence(keys), *puts])
    except ConditionFailed:
        raise LeaseLost from None
