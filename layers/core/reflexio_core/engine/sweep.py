"""Find due work by the store alone, and hint at it: idle sessions, retries, the work of the dead, lost hints."""

from collections.abc import Iterator

from reflexio_core.domain.records import StreamHead
from reflexio_core.engine.context import Engine
from reflexio_core.keys import DUE_SHARDS, due_work
from reflexio_core.ports.queue import Hint
from reflexio_core.ports.store import IndexQuery

LONGEST_PAUSE_SECONDS = 1.0
_PAGE = 100
_MOST_PER_SHARD = 500  # of one sweep; the rest stays due for the next


def sweep(engine: Engine) -> int:
    """Send a hint for every user with due work; returns how many."""
    return _hint(engine, engine.clock.now())


def recover(engine: Engine) -> int:
    """Send a hint also for work whose lease is not over yet: for the start of a process that is alone on its store,
    where every lease of an earlier process is a dead one's. Returns how many."""
    return _hint(engine, engine.clock.now() + engine.settings.lease_seconds)


def _hint(engine: Engine, until: float) -> int:
    sent = 0
    for shard in range(DUE_SHARDS):
        for number, head in enumerate(_due(engine, shard, until)):
            if number >= _MOST_PER_SHARD:
                break
            engine.queue.send(Hint("learn", head.tenant, head.user_id))
            sent += 1
    return sent


def _due(engine: Engine, shard: int, until: float) -> Iterator[StreamHead]:
    token: str | None = None
    while True:
        query: IndexQuery = due_work(shard, until, _PAGE, token)
        page = engine.store.query_index(query)
        for item in page.items:
            yield StreamHead.of(item)
        token = page.token
        if token is None:
            return
