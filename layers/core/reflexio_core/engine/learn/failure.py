"""A failed attempt: remember it, wait longer each time, keep everything."""

from collections.abc import Sequence

from reflexio_core.engine.context import Engine
from reflexio_core.engine.learn.prepare import Ready
from reflexio_core.engine.work import Lease, LeaseLost
from reflexio_core.errors import ConditionFailed, LlmError, LlmUsage, ReflexioError

LONGEST_WAIT_SECONDS = 300.0


def retry_delay(attempts: int) -> float:
    """Seconds to wait after so many failures in a row: 1, 2, 4 ... 300."""
    return float(min(LONGEST_WAIT_SECONDS, 2 ** min(attempts - 1, 9)))


def record_failure(engine: Engine, lease: Lease, group: Sequence[Ready], error: ReflexioError) -> None:
    """Set the windows' cursors back to a later time. Only the kind of the error is kept. Raises ``LeaseLost``."""
    keys = engine.keys(lease.tenant)
    now = engine.clock.now()
    usage = error.usage if isinstance(error, LlmError) else LlmUsage()
    puts = []
    for entry in group:
        cursor = entry.state.cursor
        attempts = cursor.attempts + 1
        changed = cursor.model_copy(
            update={
                "attempts": attempts,
                "retry_at": now + retry_delay(attempts),
                "last_error": error.code,
                "spent": {name: cursor.spent.get(name, 0) + count for name, count in usage.as_dict().items()},
            }
        )
        puts.append(entry.state.put(keys, lease.user_id, changed))
    try:
        engine.store.commit([lease.fence(keys), *puts])
    except ConditionFailed:
        raise LeaseLost from None
