"""The one commit of a window: learnings, cursors and window records move together, fenced by lease and generation."""

from collections.abc import Sequence
from dataclasses import dataclass

from reflexio.models.enums import ProfileTimeToLive, Status
from reflexio_core.domain.identity import playbook_id, profile_id
from reflexio_core.domain.records import (
    CompletedWindow,
    Cursor,
    ProfileRecord,
    Provenance,
    UserPlaybookRecord,
    Window,
)
from reflexio_core.engine.context import Engine
from reflexio_core.engine.learn.consolidation import NewRow, Plan
from reflexio_core.engine.learn.extraction import Cited, Extraction
from reflexio_core.engine.learn.known import KnownRow, wire_id
from reflexio_core.engine.learn.prepare import Ready
from reflexio_core.engine.rows import changed_learning, expiry, new_learning, pointer_key
from reflexio_core.engine.work import Lease, LeaseLost
from reflexio_core.errors import ConditionFailed, LlmUsage
from reflexio_core.keys import TenantKeys
from reflexio_core.ports.store import Absent, Delete, Item, Key, Operation, Put, VersionIs
from reflexio_core.tasks.extract import PlaybookCandidate

_MOST_TURNS = 50  # enough evidence; a row must not grow with every repetition
_SALTS = 8  # ids collide once in thousands of windows of one millisecond; eight in a row never


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was computed for windows that share their turns. ``usage`` counts failed attempts too."""

    group: tuple[Ready, ...]
    found: Extraction
    plan: Plan
    usage: LlmUsage


def commit_outcome(engine: Engine, lease: Lease, outcome: Outcome) -> list[Key] | None:
    """Write it all or nothing; returns the keys that search must learn of.

    None if a row that was to be replaced changed meanwhile: plan again. Raises ``LeaseLost`` when the lease or the
    stream's generation is no longer ours.
    """
    keys = engine.keys(lease.tenant)
    for salt in range(_SALTS):
        rows = _Rows(keys, lease, outcome, engine.clock.now(), salt)
        learned = rows.operations()
        fixed: list[Operation] = [lease.fence(keys), *_progress(keys, lease, outcome, rows.learned, engine.clock.now())]
        try:
            engine.store.commit([*fixed, *learned])
        except ConditionFailed as failed:
            if any(position < len(fixed) for position in failed.positions):
                raise LeaseLost from None
            if any(position - len(fixed) in rows.replacing for position in failed.positions):
                return None
            continue  # an id of ours is taken: derive it anew
        return [operation.item.key if isinstance(operation, Put) else operation.key for operation in learned]
    raise LeaseLost


class _Rows:
    """The writes of a plan. ``replacing`` are the positions of those that touch existing rows."""

    def __init__(self, keys: TenantKeys, lease: Lease, outcome: Outcome, now: float, salt: int) -> None:
        self._keys = keys
        self._lease = lease
        self._outcome = outcome
        self._now = now
        self._salt = salt
        self._windows = {entry.window.kind: entry.window for entry in outcome.group}
        self.learned: dict[str, list[str]] = {kind: [] for kind in self._windows}
        self.replacing: set[int] = set()

    def operations(self) -> list[Operation]:
        """Writes in order; each key once."""
        operations: list[Operation] = []

        def replace(operation: Operation) -> None:
            self.replacing.add(len(operations))
            operations.append(operation)

        plan = self._outcome.plan
        for row in plan.new:
            record = self._record(row)
            operations.extend(new_learning(self._keys, record, self._now))
            for old in row.replaces:
                replace(changed_learning(self._keys, old.item, self._superseded(old, record), self._now))
        for old, trigger in plan.sharpened:
            sharpened = old.record.model_copy(update={"trigger": trigger})
            replace(changed_learning(self._keys, old.item, sharpened, self._now))
        for old in plan.forgotten:
            replace(Delete(old.item.key, VersionIs(old.item.version)))
            pointer = pointer_key(self._keys, old.record)
            if pointer is not None:
                operations.append(Delete(pointer))
        touched = {op.item.key if isinstance(op, Put) else op.key for op in operations}
        for old in {row.item.key: row for row, _ in plan.confirmed if row.item.key not in touched}.values():
            cited = [cited for row, cited in plan.confirmed if row.item.key == old.item.key]
            if (confirmed := _confirmed(old, cited)) != old.record:
                replace(changed_learning(self._keys, old.item, confirmed, self._now))
        return operations

    def _record(self, row: NewRow) -> ProfileRecord | UserPlaybookRecord:
        kind = row.cited.kind
        window = self._windows[kind]
        ordinal = len(self.learned[kind])
        if kind == "profile":
            profile = self._profile(row, window, ordinal)
            self.learned[kind].append(profile.profile_id)
            return profile
        salt = self._salt
        # Twelve bits tell the playbooks of one window apart: too few to leave it to chance.
        while str((playbook := self._playbook(row, window, ordinal, salt)).user_playbook_id) in self.learned[kind]:
            salt += _SALTS
        self.learned[kind].append(str(playbook.user_playbook_id))
        return playbook

    def _profile(self, row: NewRow, window: Window, ordinal: int) -> ProfileRecord:
        at = int(window.prepared_at)
        time_to_live = ProfileTimeToLive(row.time_to_live)
        request = row.cited.request
        return ProfileRecord(
            profile_id=profile_id(self._lease.tenant, self._lease.user_id, window.window_id, ordinal, self._salt),
            user_id=self._lease.user_id,
            content=row.content,
            created_at=at,
            last_modified_timestamp=at,
            generated_from_request_id=request.request_id,
            profile_time_to_live=time_to_live,
            expiration_timestamp=expiry(time_to_live, at),
            source=request.source,
            source_span=row.cited.span or None,
            generation=window.generation,
            provenance=self._provenance(row, window),
        )

    def _playbook(self, row: NewRow, window: Window, ordinal: int, salt: int) -> UserPlaybookRecord:
        request = row.cited.request
        candidate = row.cited.candidate
        lesson = candidate if isinstance(candidate, PlaybookCandidate) else None
        return UserPlaybookRecord(
            user_playbook_id=playbook_id(
                self._lease.tenant, self._lease.user_id, window.window_id, ordinal, window.prepared_at, salt
            ),
            user_id=self._lease.user_id,
            agent_version=request.agent_version,
            request_id=request.request_id,
            created_at=int(window.prepared_at),
            playbook_name="playbook",
            content=row.content,
            trigger=row.trigger,
            rationale=(lesson.rationale or None) if lesson else None,
            pitfall=row.pitfall,
            source=request.source,
            source_span=row.cited.span or None,
            reader_angle=lesson.evidence_kind if lesson else None,
            skip_aggregation=window.skip_aggregation,
            generation=window.generation,
            provenance=self._provenance(row, window),
        )

    def _provenance(self, row: NewRow, window: Window) -> Provenance:
        inherited = {
            interaction
            for old in row.replaces
            for interaction in (*old.record.provenance.interaction_ids, *old.record.provenance.inherited)
        }
        return Provenance(
            window_id=window.window_id,
            said_at=max((turn.stored.data.created_at for turn in row.cited.turns), default=0),
            interaction_ids=tuple(sorted(turn.stored.interaction_id for turn in row.cited.turns)),
            inherited=tuple(sorted(inherited)),
            model=self._outcome.found.model,
            prompt_version=self._outcome.found.prompt_version,
            replaced=tuple(wire_id(old) for old in row.replaces),
        )

    def _superseded(self, old: KnownRow, by: ProfileRecord | UserPlaybookRecord) -> ProfileRecord | UserPlaybookRecord:
        successor = by.profile_id if isinstance(by, ProfileRecord) else by.user_playbook_id
        update: dict[str, object] = {"status": Status.SUPERSEDED, "superseded_by": successor}
        if isinstance(old.record, ProfileRecord):
            update["last_modified_timestamp"] = int(self._now)
        return old.record.model_copy(update=update)


def _confirmed(old: KnownRow, cited: Sequence[Cited]) -> ProfileRecord | UserPlaybookRecord:
    """The row with the turns that say it again in its evidence, so that it outlives the ones before."""
    provenance = old.record.provenance
    if not provenance.interaction_ids or len(provenance.interaction_ids) >= _MOST_TURNS:
        return old.record  # what a person wrote rests on no turn
    turns = {turn.stored.interaction_id: turn.stored.data.created_at for one in cited for turn in one.turns}
    update = {
        "interaction_ids": tuple(sorted({*provenance.interaction_ids, *turns})),
        "said_at": max(provenance.said_at, *turns.values()),
    }
    return old.record.model_copy(update={"provenance": provenance.model_copy(update=update)})


def _progress(
    keys: TenantKeys, lease: Lease, outcome: Outcome, learned: dict[str, list[str]], now: float
) -> Sequence[Operation]:
    """Cursors past their windows, and what each window came to. A shared call is counted with the first."""
    operations: list[Operation] = []
    for number, entry in enumerate(outcome.group):
        window = entry.window
        usage = outcome.usage if number == 0 else LlmUsage()
        completed = CompletedWindow(
            window=window,
            completed_at=now,
            useful=outcome.found.useful.get(window.kind, False),
            learned=tuple(learned.get(window.kind, ())),
            model=outcome.found.model,
            prompt_version=outcome.found.prompt_version,
            calls=usage.calls,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            dropped=outcome.found.dropped + outcome.plan.ignored if number == 0 else 0,
            shared_call=len(outcome.group) > 1,
        )
        operations.append(entry.state.put(keys, lease.user_id, Cursor(completed_seq=window.end_seq)))
        operations.append(
            Put(Item(keys.window(lease.user_id, window.kind, window.end_seq), completed.body()), Absent())
        )
    return operations
