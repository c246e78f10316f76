"""Carry out decided erasures of a user's stream, so that nothing derived only from what is gone can appear.

An erasure is first decided, in one commit that also raises the stream's generation: from then on nothing computed on
the old stream can be committed. It is then carried out in steps that may be repeated, learnings before their turns,
and stays in the stream head until the last step is done, so that a crash only postpones it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from reflexio.models.enums import Status
from reflexio_core.domain.records import (
    KINDS,
    Erasure,
    ProfileRecord,
    RequestRecord,
    StreamHead,
    UserPlaybookRecord,
)
from reflexio_core.engine.context import Engine
from reflexio_core.engine.projection import project
from reflexio_core.engine.publish import request_item
from reflexio_core.engine.requests import load_request, move_large_turns, pages
from reflexio_core.engine.retrying import until_committed
from reflexio_core.engine.rows import changed_learning, next_version, pointer_key
from reflexio_core.engine.work import head_put, wake
from reflexio_core.ports.store import Delete, Item, Key, Operation, Put, VersionIs

RETRY_SECONDS = 3.0
"""When the sweep takes over an erasure that its caller did not finish."""

_PAGE = 100
_MOST_OPERATIONS = 90


@dataclass(slots=True)
class Erased:
    """How many rows went."""

    interactions: int = 0
    requests: int = 0
    profiles: int = 0
    user_playbooks: int = 0

    def add(self, other: "Erased") -> None:
        """Count the other's rows too."""
        self.interactions += other.interactions
        self.requests += other.requests
        self.profiles += other.profiles
        self.user_playbooks += other.user_playbooks


def decide(
    engine: Engine, tenant: str, user: str, choose: Callable[[StreamHead, int], Erasure], *, create: bool = False
) -> bool:
    """Decide an erasure; ``choose`` makes it from the head and the new generation.

    False if the user has no stream, unless ``create`` says to begin one.
    """
    keys = engine.keys(tenant)

    def attempt() -> bool:
        item = engine.store.get(keys.head(user))
        if item is None and not create:
            return False
        head = StreamHead.of(item) if item else StreamHead(tenant=tenant, user_id=user)
        generation = head.generation + 1
        erasure = choose(head, generation)
        now = engine.clock.now()
        # What waits may now be of another policy: the next turn asks for a look.
        changes = {"generation": generation, "erasures": (*head.erasures, erasure), "full_at": dict.fromkeys(KINDS, 0)}
        fenced = head.model_copy(update=changes)
        engine.store.commit([head_put(keys, wake(engine, fenced, now + RETRY_SECONDS, now), item)])
        return True

    return until_committed(engine, attempt, f"the erasure for user {user!r}")


def run_erasures(engine: Engine, tenant: str, user: str) -> Erased:
    """Carry out whatever is decided for a user. Raises ``IndexUnavailable`` if search could still find it; the
    erasure then stays decided and is taken up again."""
    keys = engine.keys(tenant)
    erased = Erased()

    def outstanding() -> tuple[Item, StreamHead] | None:
        item = engine.store.get(keys.head(user))
        return (item, StreamHead.of(item)) if item else None

    while (found := outstanding()) is not None and found[1].erasures:
        done = found[1].erasures
        for erasure in done:
            until_committed(
                engine,
                lambda erasure=erasure: _carry_out(engine, tenant, user, erasure, erased),  # type: ignore[misc]
                f"the erasure for user {user!r}",
            )

        def strike_off(done: tuple[Erasure, ...] = done) -> None:
            current = outstanding()
            if current is not None:
                left = tuple(erasure for erasure in current[1].erasures if erasure not in done)
                head = current[1].model_copy(update={"erasures": left})
                engine.store.commit([head_put(keys, head, current[0])])

        until_committed(engine, strike_off, f"the erasure for user {user!r}")
    return erased


def _carry_out(engine: Engine, tenant: str, user: str, erasure: Erasure, erased: Erased) -> None:
    if erasure.scope == "user":
        _erase_learnings(engine, tenant, user, erasure.generation, erased)
        requests = engine.keys(tenant).requests(user, _PAGE, before_seq=erasure.through_seq + 1)
        _erase_requests(engine, tenant, list(pages(engine, requests)), erased)
        _erase_windows(engine, tenant, user)
        return
    items = _affected(engine, tenant, user, erasure)
    records = [RequestRecord.of(item) for item in items]
    whole = erasure.scope == "requests"
    gone = {record.interaction_id(seq) for record in records for seq in record.seqs() if whole or seq in erasure.seqs}
    _retract(engine, tenant, user, gone, erased)
    if whole:
        _erase_requests(engine, tenant, items, erased)
    else:
        _erase_turns(engine, tenant, items, set(erasure.seqs), erased)


def _affected(engine: Engine, tenant: str, user: str, erasure: Erasure) -> list[Item]:
    keys = engine.keys(tenant)
    if erasure.scope == "requests":
        found = engine.store.batch_get([keys.request(user, first) for first in erasure.first_seqs])
        return sorted(found.values(), key=lambda item: item.key.sk)
    items: dict[Key, Item] = {}
    for seq in erasure.seqs:
        page = engine.store.query(keys.requests(user, 1, before_seq=seq + 1, reverse=True))
        items.update({item.key: item for item in page.items})
    return list(items.values())


def _erase_learnings(engine: Engine, tenant: str, user: str, generation: int, erased: Erased) -> None:
    """Delete every learning of an earlier generation."""
    doomed = [record for _, record in _learnings(engine, tenant, user) if record.generation < generation]
    _delete_learnings(engine, tenant, doomed, erased)


def _learnings(engine: Engine, tenant: str, user: str) -> Iterator[tuple[Item, ProfileRecord | UserPlaybookRecord]]:
    keys = engine.keys(tenant)
    for item in pages(engine, keys.profiles(user, _PAGE)):
        yield item, ProfileRecord.of(item)
    for item in pages(engine, keys.user_playbooks(user, _PAGE)):
        yield item, UserPlaybookRecord.of(item)


def _delete_learnings(
    engine: Engine, tenant: str, records: Iterable[ProfileRecord | UserPlaybookRecord], erased: Erased
) -> None:
    keys = engine.keys(tenant)
    operations: list[Operation] = []
    doomed = list(records)
    for record in doomed:
        if isinstance(record, ProfileRecord):
            operations.append(Delete(keys.profile(record.user_id, record.profile_id)))
        else:
            operations.append(Delete(keys.user_playbook(record.user_id, record.user_playbook_id)))
        pointer = pointer_key(keys, record)
        if pointer is not None:
            operations.append(Delete(pointer))
    apply(engine, operations)
    profiles = sum(isinstance(record, ProfileRecord) for record in doomed)
    erased.profiles += profiles
    erased.user_playbooks += len(doomed) - profiles


def _retract(engine: Engine, tenant: str, user: str, gone: set[int], erased: Erased) -> None:
    """Take the turns out of the evidence of learnings; what then rests on nothing goes, and what it had replaced
    comes back."""
    keys = engine.keys(tenant)
    now = engine.clock.now()
    rows = list(_learnings(engine, tenant, user))
    doomed: list[ProfileRecord | UserPlaybookRecord] = []
    for _, record in rows:
        own = record.provenance.interaction_ids
        if own and gone.issuperset(own):
            doomed.append(record)
    lost = {_wire_id(record) for record in doomed}
    changes: list[Operation] = []
    for item, record in rows:
        if _wire_id(record) in lost:
            continue
        kept = _without(record, gone, lost)
        if kept != record:
            changes.append(changed_learning(keys, item, kept, now))
    apply(engine, changes)
    _delete_learnings(engine, tenant, doomed, erased)


def _without(
    record: ProfileRecord | UserPlaybookRecord, gone: set[int], lost: set[str | int]
) -> ProfileRecord | UserPlaybookRecord:
    """The record without the gone turns in its evidence, and current again if its successor is lost."""
    update: dict[str, object] = {}
    provenance = record.provenance
    if gone.intersection((*provenance.interaction_ids, *provenance.inherited)):
        update["provenance"] = provenance.model_copy(
            update={
                "interaction_ids": tuple(i for i in provenance.interaction_ids if i not in gone),
                "inherited": tuple(i for i in provenance.inherited if i not in gone),
            }
        )
        if gone.intersection(provenance.interaction_ids):
            update["source_span"] = None
    if record.status is Status.SUPERSEDED and record.superseded_by in lost:
        update["status"] = None
        update["superseded_by"] = None
    return record.model_copy(update=update) if update else record


def _wire_id(record: ProfileRecord | UserPlaybookRecord) -> str | int:
    return record.profile_id if isinstance(record, ProfileRecord) else record.user_playbook_id


def _erase_requests(engine: Engine, tenant: str, items: Sequence[Item], erased: Erased) -> None:
    keys = engine.keys(tenant)
    operations: list[Operation] = []
    blobs: list[str] = []
    for item in items:
        record = RequestRecord.of(item)
        operations += [Delete(item.key), Delete(keys.request_pointer(record.request_id))]
        blobs += [name for name in (record.blob, record.stale_blob) if name]
    # Before the items: once those are gone nothing names the blobs, and a repetition would leave them for ever.
    for name in blobs:
        engine.blobs.delete(name)
    apply(engine, operations)
    erased.requests += len(items)
    erased.interactions += sum(len(RequestRecord.of(item).seqs()) for item in items)


def _erase_turns(engine: Engine, tenant: str, items: Sequence[Item], seqs: set[int], erased: Erased) -> None:
    keys = engine.keys(tenant)
    for item in items:
        record = load_request(engine, item)
        if record.stale_blob:
            engine.blobs.delete(record.stale_blob)
        doomed = seqs.intersection(record.seqs())
        if not doomed:
            continue
        kept = record.model_copy(
            update={
                "gone": tuple(sorted({*record.gone, *doomed})),
                "turns": tuple(turn for turn in record.turns if turn.seq not in doomed),
                "blob": "",
                "stale_blob": record.blob,
            }
        )
        version = next_version(item.version, engine.clock.now())
        rewritten = request_item(keys, move_large_turns(engine, tenant, kept), version)
        apply(engine, [Put(rewritten, VersionIs(item.version))])
        erased.interactions += len(doomed)
        if record.blob:
            engine.blobs.delete(record.blob)


def _erase_windows(engine: Engine, tenant: str, user: str) -> None:
    keys = engine.keys(tenant)
    for kind in KINDS:
        items = list(pages(engine, keys.windows(user, kind, _PAGE)))
        apply(engine, [Delete(item.key) for item in items])


def apply(engine: Engine, operations: Sequence[Operation]) -> None:
    """Commit in as few commits as the store allows, then bring search in line; search must follow."""
    for start in range(0, len(operations), _MOST_OPERATIONS):
        part = operations[start : start + _MOST_OPERATIONS]
        engine.store.commit(part)
        project(engine, [op.item.key if isinstance(op, Put) else op.key for op in part], must=True)
