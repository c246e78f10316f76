"""One worker's turn for one user: erase what must go, then learn window after window until none is ready."""

import logging

from reflexio_core.engine.context import Engine
from reflexio_core.engine.erasure import run_erasures
from reflexio_core.engine.learn.attempt import learn_windows
from reflexio_core.engine.learn.prepare import look, persist
from reflexio_core.engine.work import Lease, LeaseLost, claim, release, renew
from reflexio_core.ports.queue import Hint

WINDOWS_PER_TURN = 20
"""After so many windows the user goes to the back of the queue, so that one backlog does not hold a worker."""

_LOG = logging.getLogger(__name__)


def run_user(engine: Engine, tenant: str, user_id: str) -> None:
    """Do the due work of one user, if nobody else is at it.

    Harmless to call at any time and any number of times. What fails is recorded and retried later by the sweep;
    raises ``StoreUnavailable`` when the store cannot be reached.
    """
    lease = claim(engine, tenant, user_id)
    if lease is None:
        return
    try:
        _work(engine, lease)
    except LeaseLost:
        _LOG.info("work for a user was taken over or erased; what was computed is thrown away")
    finally:
        _let_go(engine, lease)


def _work(engine: Engine, lease: Lease) -> None:
    run_erasures(engine, lease.tenant, lease.user_id)
    for _ in range(WINDOWS_PER_TURN):
        seen = look(engine, lease)
        if seen is None or not seen.ready:
            return
        learn_windows(engine, lease, seen.head, persist(engine, lease, seen.ready))
        renew(engine, lease)


def _let_go(engine: Engine, lease: Lease) -> None:
    """Release, due again when the stream says so. A stream that changed meanwhile is looked at again first."""
    while True:
        seen = look(engine, lease)
        if seen is None:
            return
        if release(engine, seen.item, seen.head, seen.due_at, seen.full_at):
            if seen.due_at and seen.due_at <= engine.clock.now():
                engine.queue.send(Hint("learn", lease.tenant, lease.user_id))
            return
