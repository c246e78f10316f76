"""Look at a user's stream: which windows are ready, and when to look again. Prepared windows are persisted before
anyone computes on them, so that a crash computes the same ones again."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from reflexio_core.domain.identity import window_id
from reflexio_core.domain.records import KINDS, Cursor, StreamHead, Window
from reflexio_core.engine.context import Engine
from reflexio_core.engine.erasure import RETRY_SECONDS
from reflexio_core.engine.stream import next_selection
from reflexio_core.engine.windows import Selection
from reflexio_core.engine.work import Lease, LeaseLost
from reflexio_core.errors import ConditionFailed
from reflexio_core.keys import TenantKeys
from reflexio_core.ports.store import Absent, Condition, Item, Put, VersionIs
from reflexio_core.tasks.transcript import LearningKind


@dataclass(frozen=True, slots=True)
class CursorState:
    """A cursor with the version of the item it was read from; 0 when there is none yet."""

    kind: LearningKind
    cursor: Cursor
    version: int

    def put(self, keys: TenantKeys, user_id: str, changed: Cursor) -> Put:
        """Write the cursor over what was read."""
        condition: Condition = VersionIs(self.version) if self.version else Absent()
        return Put(Item(keys.cursor(user_id, self.kind), changed.body(), version=self.version + 1), condition)

    def after(self, changed: Cursor) -> "CursorState":
        """The state once ``changed`` has been committed."""
        return CursorState(self.kind, changed, self.version + 1)


@dataclass(frozen=True, slots=True)
class Ready:
    """A window to learn from, and the cursor that it will move."""

    state: CursorState
    window: Window


@dataclass(frozen=True, slots=True)
class Look:
    """The stream as read: its head, what is ready, when it is due again (0: never), and per kind the arrival number
    at which what waits may fill a window."""

    item: Item
    head: StreamHead
    ready: tuple[Ready, ...]
    due_at: float
    full_at: dict[str, int] = field(default_factory=dict)


def look(engine: Engine, lease: Lease) -> Look | None:
    """Read the stream. None if the lease is no longer ours."""
    keys = engine.keys(lease.tenant)
    cursor_keys = {kind: keys.cursor(lease.user_id, kind) for kind in KINDS}
    found = engine.store.batch_get([keys.head(lease.user_id), *cursor_keys.values()])
    item = found.get(keys.head(lease.user_id))
    if item is None:
        return None
    head = StreamHead.of(item)
    if head.lease != lease.token:
        return None
    now = engine.clock.now()
    if head.erasures:
        return Look(item, head, (), now + RETRY_SECONDS)  # whoever decided it is at it
    ready: list[Ready] = []
    due: list[float] = []
    full_at: dict[str, int] = {}
    for kind, key in cursor_keys.items():
        stored = found.get(key)
        state = CursorState(kind, Cursor.of(stored) if stored else Cursor(), stored.version if stored else 0)
        window = state.cursor.window
        if window is None or window.generation != head.generation:
            selection = next_selection(engine, head, kind, state.cursor)
            if not selection.manifest:
                due += [selection.wake_at] if selection.wake_at is not None else []
                full_at |= {kind: head.highwater + selection.missing} if selection.missing else {}
                continue
            window = _window(lease, head, kind, selection, now)
        if state.cursor.retry_at > now:
            due.append(state.cursor.retry_at)
        else:
            ready.append(Ready(state, window))
            due.append(now)
    return Look(item, head, tuple(ready), min(due, default=0.0), full_at)


def persist(engine: Engine, lease: Lease, ready: Sequence[Ready]) -> tuple[Ready, ...]:
    """Store the windows that are not stored yet. Raises ``LeaseLost``."""
    keys = engine.keys(lease.tenant)
    kept: list[Ready] = []
    puts: list[Put] = []
    for entry in ready:
        if entry.state.cursor.window == entry.window:
            kept.append(entry)
            continue
        changed = entry.state.cursor.model_copy(update={"window": entry.window})
        puts.append(entry.state.put(keys, lease.user_id, changed))
        kept.append(Ready(entry.state.after(changed), entry.window))
    if puts:
        try:
            engine.store.commit([lease.fence(keys), *puts])
        except ConditionFailed:
            raise LeaseLost from None
    return tuple(kept)


def _window(lease: Lease, head: StreamHead, kind: LearningKind, selection: Selection, now: float) -> Window:
    end = selection.new[-1]
    return Window(
        window_id=window_id(lease.tenant, lease.user_id, kind, head.generation, selection.new[0], end),
        kind=kind,
        generation=head.generation,
        manifest=selection.manifest,
        new_from=selection.new[0],
        end_seq=end,
        prepared_at=now,
        forced=selection.forced,
        skip_aggregation=selection.skip_aggregation,
    )
