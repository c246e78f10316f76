"""Who works for a user, and when: the lease and the due time in the stream head. One claim at a time."""

from dataclasses import dataclass

from reflexio_core.domain.records import StreamHead
from reflexio_core.engine.context import Engine
from reflexio_core.engine.retrying import until_committed
from reflexio_core.errors import ConditionFailed
from reflexio_core.keys import TenantKeys
from reflexio_core.ports.store import Absent, AttributeIs, Check, Item, Put, SparseIndex, VersionIs


class LeaseLost(Exception):
    """Somebody else took the work over, or an erasure changed the stream: throw away what was computed."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work for one user, until somebody else's token stands in the head.

    ``generation`` is the stream's at the claim. A commit that carries both fences fails after a takeover or an
    erasure.
    """

    tenant: str
    user_id: str
    token: str
    generation: int

    def fence(self, keys: TenantKeys) -> Check:
        """Holds while the lease and the generation are what they were. One attribute, since a key is checked once."""
        return Check(keys.head(self.user_id), AttributeIs("fence", fence_value(self.token, self.generation)))


def fence_value(lease: str, generation: int) -> str:
    """The head's attribute that fences work: who holds the lease, on which generation of the stream."""
    return f"{generation}:{lease}"


def head_put(keys: TenantKeys, head: StreamHead, before: Item | None) -> Put:
    """Write a head over the item it was read from. It stands in the due index while there is something to do."""
    item = Item(
        keys.head(head.user_id),
        head.body(),
        version=before.version + 1 if before else 1,
        attrs={"fence": fence_value(head.lease, head.generation), "generation": head.generation},
        index={SparseIndex.DUE: keys.due(head.user_id, head.due_at)} if head.due_at else {},
    )
    return Put(item, VersionIs(before.version) if before else Absent())


def is_leased(engine: Engine, head: StreamHead, now: float) -> bool:
    """Whether somebody alive holds the lease. Where this process is alone, another owner is a dead one."""
    if not head.lease or head.lease_until <= now:
        return False
    return not (engine.settings.exclusive and head.lease_owner != engine.settings.owner)


def wake(engine: Engine, head: StreamHead, due_at: float, now: float) -> StreamHead:
    """The head with its due time brought forward. Under a living lease nothing changes: its holder looks again
    before it lets go, since letting go is conditional on the head's version."""
    if is_leased(engine, head, now) or due_at == float("inf") or (head.due_at and head.due_at <= due_at):
        return head
    return head.model_copy(update={"due_at": due_at})


def claim(engine: Engine, tenant: str, user: str) -> Lease | None:
    """Take the lease of a user with due work. None if nothing is due, or somebody else is at it."""
    keys = engine.keys(tenant)
    token = engine.ids.token()

    def attempt() -> Lease | None:
        item = engine.store.get(keys.head(user))
        if item is None:
            return None
        head = StreamHead.of(item)
        now = engine.clock.now()
        if is_leased(engine, head, now):
            return None
        if not head.lease and (head.due_at == 0 or head.due_at > now):
            return None
        engine.store.commit([head_put(keys, _leased(engine, head, token, now), item)])
        return Lease(tenant, user, token, head.generation)

    return until_committed(engine, attempt, f"the work of user {user!r}")


def renew(engine: Engine, lease: Lease) -> None:
    """Extend the lease by its full time. Raises ``LeaseLost``."""
    keys = engine.keys(lease.tenant)

    def attempt() -> bool:
        item = engine.store.get(keys.head(lease.user_id))
        if item is None:
            return False
        head = StreamHead.of(item)
        if head.lease != lease.token or head.generation != lease.generation:
            return False
        engine.store.commit([head_put(keys, _leased(engine, head, lease.token, engine.clock.now()), item)])
        return True

    if not until_committed(engine, attempt, f"the lease of user {lease.user_id!r}"):
        raise LeaseLost


def release(engine: Engine, head_item: Item, head: StreamHead, due_at: float, full_at: dict[str, int]) -> bool:
    """Let go, due again at ``due_at`` (0: never) or when a turn arrives with a number in ``full_at``.

    False if the head changed since it was read: look again first.
    """
    free = head.model_copy(
        update={"lease": "", "lease_owner": "", "lease_until": 0.0, "due_at": due_at, "full_at": full_at}
    )
    try:
        engine.store.commit([head_put(engine.keys(head.tenant), free, head_item)])
    except ConditionFailed:
        return False
    return True


def _leased(engine: Engine, head: StreamHead, token: str, now: float) -> StreamHead:
    until = now + engine.settings.lease_seconds
    return head.model_copy(
        update={"lease": token, "lease_owner": engine.settings.owner, "lease_until": until, "due_at": until}
    )
