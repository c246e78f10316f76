"""Publish: one commit of a request with its turns, the pointer that reserves its id, and the stream head."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reflexio.models.interactions import PublishUserInteractionRequest
from reflexio_core.domain.identity import digest, first_interaction_id, idempotent_request_id
from reflexio_core.domain.records import (
    KINDS,
    AdmissionPolicy,
    Cursor,
    RequestPointer,
    RequestRecord,
    StoredTurn,
    StreamHead,
)
from reflexio_core.engine.configuration import admission_policy, load_config
from reflexio_core.engine.context import Engine
from reflexio_core.engine.requests import move_large_turns
from reflexio_core.engine.retrying import until_committed
from reflexio_core.engine.work import head_put, wake
from reflexio_core.errors import ConditionFailed
from reflexio_core.keys import TenantKeys
from reflexio_core.ports.index import DocKind
from reflexio_core.ports.queue import Hint
from reflexio_core.ports.store import Absent, Item, Put, SparseIndex
from reflexio_core.tasks.transcript import LearningKind

JsonAnswer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Publication:
    """What one call asks for, before it has a place in the stream."""

    request_id: str
    fingerprint: str
    warnings: tuple[str, ...]
    request: PublishUserInteractionRequest
    agent_version: str
    policy: AdmissionPolicy


@dataclass(frozen=True, slots=True)
class _Admitted:
    """The outcome: a fresh admission, the memory of an earlier one, or a refusal."""

    pointer: RequestPointer
    fresh: bool
    work_due: bool = False


def publish(
    engine: Engine,
    tenant: str,
    request: PublishUserInteractionRequest,
    warnings: list[str],
    idempotency_key: str | None = None,
) -> JsonAnswer:
    """Store a publication durably and answer; learning follows on its own.

    The same ``request_id`` (or ``Idempotency-Key``) with the same body gives the first answer again; with another
    body it is refused: ``success`` false, error ``request_id_reused``. Raises ``StoreUnavailable``.
    """
    config, config_version = load_config(engine, tenant)
    request_id = request.request_id or (
        idempotent_request_id(tenant, idempotency_key) if idempotency_key else engine.ids.request_id()
    )
    publication = _Publication(
        request_id=request_id,
        fingerprint=_fingerprint(request),
        warnings=tuple(warnings),
        request=request,
        agent_version=request.agent_version or engine.settings.default_agent_version,
        policy=admission_policy(config, config_version, source=request.source, evaluation_only=request.evaluation_only),
    )
    admitted = until_committed(
        engine, lambda: _admit(engine, tenant, publication), f"the publication for user {request.user_id!r}"
    )
    if admitted.pointer.fingerprint != publication.fingerprint:
        return _refusal(engine, request_id)
    if admitted.work_due:
        engine.queue.send(Hint("learn", tenant, request.user_id))
    return _acceptance(engine, publication, admitted)


def _fingerprint(request: PublishUserInteractionRequest) -> str:
    """Digest of what the caller sent; times that we filled in do not count."""
    sent = request.model_dump(mode="json", exclude_unset=True)
    return digest(json.dumps(sent, sort_keys=True)).hex()


def _admit(engine: Engine, tenant: str, publication: _Publication) -> _Admitted:
    keys = engine.keys(tenant)
    user = publication.request.user_id
    pointer_key = keys.request_pointer(publication.request_id)
    cursor_keys = {kind: keys.cursor(user, kind) for kind in KINDS}
    found = engine.store.batch_get([pointer_key, keys.head(user), *cursor_keys.values()])
    earlier = found.get(pointer_key)
    if earlier is not None:
        return _Admitted(RequestPointer.of(earlier), fresh=False)

    now = engine.clock.now()
    head_item = found.get(keys.head(user))
    head = StreamHead.of(head_item) if head_item else StreamHead(tenant=tenant, user_id=user)
    record = _record(tenant, publication, head, now)
    cursors = {kind: Cursor.of(found[key]) if key in found else Cursor() for kind, key in cursor_keys.items()}
    advanced = _advanced(head, record, cursors)
    due_at = _due_at(record, advanced, now)
    pointer = RequestPointer(
        user_id=user,
        first_seq=record.first_seq,
        fingerprint=publication.fingerprint,
        warnings=publication.warnings,
        reason=_reason(publication.policy, due_at, now),
    )
    stored = move_large_turns(engine, tenant, record)
    try:
        engine.store.commit(
            [
                Put(Item(pointer_key, pointer.body()), Absent()),
                Put(request_item(keys, stored, version=int(now * 1e6)), Absent()),
                head_put(keys, wake(engine, advanced, due_at, now), head_item),
            ]
        )
    except ConditionFailed:
        _drop_unused_blob(engine, keys, stored)
        raise
    return _Admitted(pointer, fresh=True, work_due=due_at <= now)


def _drop_unused_blob(engine: Engine, keys: TenantKeys, refused: RequestRecord) -> None:
    """Delete the turns of a refused attempt: no record names them, so that no erasure would ever find them.

    Their name holds a place in the stream that is taken now, so that only a twin of this call can have used it.
    """
    if not refused.blob:
        return
    item = engine.store.get(keys.request(refused.user_id, refused.first_seq))
    if item is None or RequestRecord.of(item).blob != refused.blob:
        engine.blobs.delete(refused.blob)


def _record(tenant: str, publication: _Publication, head: StreamHead, now: float) -> RequestRecord:
    request = publication.request
    first_seq = head.highwater + 1
    first_id = first_interaction_id(now, head.last_interaction_id, tenant, publication.request_id)
    return RequestRecord(
        request_id=publication.request_id,
        user_id=request.user_id,
        session_id=request.session_id,
        created_at=int(now),
        admitted_at=now,
        first_seq=first_seq,
        last_seq=head.highwater + len(request.interaction_data_list),
        first_interaction_id=first_id,
        source=request.source,
        agent_version=publication.agent_version,
        force=request.force_extraction,
        finished=request.session_finished,
        skip_aggregation=request.skip_aggregation,
        evaluation_only=request.evaluation_only,
        policy=publication.policy,
        turns=tuple(
            StoredTurn(interaction_id=first_id + offset, seq=first_seq + offset, data=turn)
            for offset, turn in enumerate(request.interaction_data_list)
        ),
    )


def request_item(keys: TenantKeys, record: RequestRecord, version: int) -> Item:
    """The item that holds a request, listed by time and found by its session."""
    return Item(
        keys.request(record.user_id, record.first_seq),
        record.body(),
        version=version,
        index={
            SparseIndex.LISTING: keys.listed(
                DocKind.INTERACTION, record.admitted_at, f"{record.user_id}/{record.first_seq:012d}"
            ),
            SparseIndex.SESSION: keys.in_session(record.session_id, record.user_id, record.first_seq),
        },
    )


def _advanced(head: StreamHead, record: RequestRecord, cursors: Mapping[LearningKind, Cursor]) -> StreamHead:
    """The head after the request. The first turn that waits decides how many make a window, so that a later policy
    does not move ``full_at``."""
    full_at = dict(head.full_at)
    for kind in KINDS:
        policy = record.policy.of_kind(kind)
        if policy.eligible and kind not in full_at:
            wanted = policy.stride_size if cursors[kind].completed_seq else policy.window_size
            full_at[kind] = head.highwater + wanted
    forced = {kind: record.last_seq for kind in KINDS if record.force and record.policy.of_kind(kind).eligible}
    return head.model_copy(
        update={
            "highwater": record.last_seq,
            "last_interaction_id": record.interaction_id(record.last_seq),
            "last_forced": {**head.last_forced, **forced},
            "full_at": full_at,
        }
    )


def _due_at(record: RequestRecord, head: StreamHead, now: float) -> float:
    """When the stream with this request deserves a look: now if a window may be complete, else when the session goes
    idle.

    Counts turns of every source, so it may be early; a look too early finds nothing and re-arms.
    """
    eligible = [kind for kind in KINDS if record.policy.of_kind(kind).eligible]
    full = any(record.last_seq >= full_at for full_at in head.full_at.values())
    if record.finished or full or (record.force and eligible):
        return now
    if eligible and record.policy.idle_timeout_seconds > 0:
        return record.admitted_at + record.policy.idle_timeout_seconds
    return float("inf")


def _reason(policy: AdmissionPolicy, due_at: float, now: float) -> str:
    """The first answer's ``learning_reason``."""
    if not any(policy.of_kind(kind).eligible for kind in KINDS):
        return "not_applicable"
    return "queued" if due_at <= now else "waiting_for_window"


def _refusal(engine: Engine, request_id: str) -> JsonAnswer:
    return {
        "success": False,
        "message": f"request_id {request_id!r} already exists with another body; nothing was stored",
        "error": "request_id_reused",
        "warnings": [],
        "request_id": request_id,
        "storage_type": engine.settings.storage_type,
        "storage_label": engine.settings.storage_label,
    }


def _acceptance(engine: Engine, publication: _Publication, admitted: _Admitted) -> JsonAnswer:
    warnings = list(admitted.pointer.warnings)
    noted = f" with {len(warnings)} warning(s)" if warnings else ""
    reason = admitted.pointer.reason
    return {
        "success": True,
        "message": f"Interaction published successfully{noted}",
        "warnings": warnings,
        "request_id": publication.request_id,
        "storage_type": engine.settings.storage_type,
        "storage_label": engine.settings.storage_label,
        "profiles_added": 0,
        "playbooks_added": 0,
        "learning_status": "done" if reason == "not_applicable" else "deferred",
        "learning_reason": reason,
    }
