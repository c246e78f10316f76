"""Deleting what was published: turns, requests, sessions, everything of a user. Learnings that rest on it alone go
with it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reflexio.models.interactions import (
    DeleteRequestRequest,
    DeleteRequestsByIdsRequest,
    DeleteSessionRequest,
    DeleteUserInteractionRequest,
)
from reflexio.models.service import ClearUserDataRequest
from reflexio_core.domain.records import Erasure, RequestPointer, RequestRecord, StreamHead
from reflexio_core.engine.context import Engine
from reflexio_core.engine.erasure import Erased, decide, run_erasures
from reflexio_core.ports.index import DocKind
from reflexio_core.ports.store import IndexQuery, Item

JsonAnswer = dict[str, Any]
_PAGE = 100
_REQUESTS_PER_ERASURE = 1_000


def delete_interaction(engine: Engine, tenant: str, request: DeleteUserInteractionRequest) -> JsonAnswer:
    """Delete one turn. Succeeds also when there is none of that id."""
    seq = _seq_of(engine, tenant, request.user_id, request.interaction_id)
    if seq is not None:
        decide(
            engine,
            tenant,
            request.user_id,
            lambda _head, generation: Erasure(scope="turns", generation=generation, seqs=(seq,)),
        )
        run_erasures(engine, tenant, request.user_id)
    return {"success": True, "message": "Deleted successfully"}


def delete_request(engine: Engine, tenant: str, request: DeleteRequestRequest) -> JsonAnswer:
    """Delete one request with its turns. Succeeds also when there is none of that id."""
    _delete_requests(engine, tenant, _places(engine, tenant, [request.request_id]))
    return {"success": True, "message": "Deleted successfully"}


def delete_requests_by_ids(engine: Engine, tenant: str, request: DeleteRequestsByIdsRequest) -> JsonAnswer:
    """Delete requests; counts those that were there."""
    erased = _delete_requests(engine, tenant, _places(engine, tenant, request.request_ids))
    return _bulk(erased.requests)


def delete_session(engine: Engine, tenant: str, request: DeleteSessionRequest) -> JsonAnswer:
    """Delete all requests of a session, whoever's they are; counts them."""
    erased = Erased()
    query = engine.keys(tenant).session(request.session_id, _PAGE)
    while places := _group(engine.store.query_index(query).items):
        before = erased.requests
        _delete_requests(engine, tenant, places, erased)
        if erased.requests == before:
            break  # the index has yet to notice what is gone already
    count = erased.requests
    return {"success": True, "message": f"Deleted {count} item(s)", "deleted_requests_count": count}


def delete_all_interactions(engine: Engine, tenant: str) -> JsonAnswer:
    """Delete everything that was published in the tenant; counts turns."""
    erased = Erased()
    query: IndexQuery = engine.keys(tenant).listing(DocKind.INTERACTION, _PAGE)
    while places := _group(engine.store.query_index(query).items):
        before = erased.requests
        _delete_requests(engine, tenant, places, erased)
        if erased.requests == before:
            break
    return _bulk(erased.interactions)


def clear_user_data(engine: Engine, tenant: str, request: ClearUserDataRequest) -> JsonAnswer:
    """Delete all that is stored of a user: publications and what was learned from them. Agent playbooks stay."""

    def everything(head: StreamHead, generation: int) -> Erasure:
        return Erasure(scope="user", generation=generation, through_seq=head.highwater)

    erased = Erased()
    user = request.user_id
    if decide(engine, tenant, user, everything, create=_has_learnings(engine, tenant, user)):
        erased = run_erasures(engine, tenant, user)
    counts = {
        "session_outcomes": 0,
        "interactions": erased.interactions,
        "user_playbooks": erased.user_playbooks,
        "profiles": erased.profiles,
        "requests": erased.requests,
        "purged_profiles": 0,
        "purged_user_playbooks": 0,
    }
    total = sum(counts.values())
    return {"success": True, "deleted_counts": counts, "message": f"Cleared {total} row(s) for user {user!r}"}


def _bulk(count: int) -> JsonAnswer:
    return {"success": True, "deleted_count": count, "message": f"Deleted {count} item(s)"}


def _seq_of(engine: Engine, tenant: str, user: str, interaction_id: int) -> int | None:
    """Arrival number of a turn, by bisection: ids and arrival numbers grow together."""
    keys = engine.keys(tenant)
    head = engine.store.get(keys.head(user))
    low, high = 1, StreamHead.of(head).highwater if head else 0
    while low <= high:
        middle = (low + high) // 2
        page = engine.store.query(keys.requests(user, 1, before_seq=middle + 1, reverse=True))
        if not page.items:
            low = middle + 1
            continue
        record = RequestRecord.of(page.items[0])
        if interaction_id < record.first_interaction_id:
            high = record.first_seq - 1
        elif interaction_id > record.interaction_id(record.last_seq):
            low = max(middle, record.last_seq) + 1
        else:
            seq = record.first_seq + interaction_id - record.first_interaction_id
            return seq if seq in record.seqs() else None
    return None


def _places(engine: Engine, tenant: str, request_ids: Sequence[str]) -> dict[str, list[int]]:
    """Where requests lie: first arrival numbers by user."""
    keys = engine.keys(tenant)
    pointers = engine.store.batch_get([keys.request_pointer(name) for name in dict.fromkeys(request_ids)])
    places: dict[str, list[int]] = {}
    for item in pointers.values():
        pointer = RequestPointer.of(item)
        places.setdefault(pointer.user_id, []).append(pointer.first_seq)
    return places


def _group(items: Iterable[Item]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for item in items:
        record = RequestRecord.of(item)
        places.setdefault(record.user_id, []).append(record.first_seq)
    return places


def _delete_requests(
    engine: Engine, tenant: str, places: Mapping[str, Sequence[int]], erased: Erased | None = None
) -> Erased:
    """Erase requests of several users; adds to ``erased``."""
    total = erased or Erased()
    for user, first_seqs in places.items():
        for start in range(0, len(first_seqs), _REQUESTS_PER_ERASURE):
            part = tuple(sorted(first_seqs[start : start + _REQUESTS_PER_ERASURE]))

            def chosen(_head: StreamHead, generation: int, part: tuple[int, ...] = part) -> Erasure:
                return Erasure(scope="requests", generation=generation, first_seqs=part)

            if decide(engine, tenant, user, chosen):
                total.add(run_erasures(engine, tenant, user))
    return total


def _has_learnings(engine: Engine, tenant: str, user: str) -> bool:
    keys = engine.keys(tenant)
    return any(engine.store.query(query).items for query in (keys.profiles(user, 1), keys.user_playbooks(user, 1)))
