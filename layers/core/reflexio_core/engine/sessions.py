"""Completion hints: the saved part of a session may be learned from now, without waiting for more turns."""

from typing import Any

from reflexio.models.interactions import FinalizeSessionRequest
from reflexio_core.domain.records import RequestRecord, StreamHead
from reflexio_core.engine.context import Engine
from reflexio_core.engine.retrying import until_committed
from reflexio_core.engine.work import head_put, wake
from reflexio_core.keys import TenantKeys
from reflexio_core.ports.queue import Hint
from reflexio_core.ports.store import Item, Key, Put, VersionIs

_END_OF_STREAM = 10


def finalize_session(engine: Engine, tenant: str, request: FinalizeSessionRequest) -> dict[str, Any]:
    """Mark the session's latest request as its end. The session may still receive more.

    ``accepted`` false when nothing of the session is saved. Raises ``StoreUnavailable``.
    """
    accepted = until_committed(
        engine,
        lambda: _mark(engine, tenant, request.user_id, request.session_id),
        f"the completion of session {request.session_id!r}",
    )
    if not accepted:
        return {"success": True, "accepted": False, "message": "No saved session to finalize."}
    engine.queue.send(Hint("learn", tenant, request.user_id))
    return {
        "success": True,
        "accepted": True,
        "message": "Completion hint accepted; learning is asynchronous.",
    }


def _mark(engine: Engine, tenant: str, user: str, session: str) -> bool:
    keys = engine.keys(tenant)
    latest = _latest(engine, keys, user, session)
    if latest is None:
        return False
    found = engine.store.batch_get([keys.head(user), latest])
    head_item, item = found.get(keys.head(user)), found.get(latest)
    if head_item is None or item is None:
        return False
    head = StreamHead.of(head_item)
    now = engine.clock.now()
    woken = wake(engine, head, now, now)
    finished = RequestRecord.of(item).model_copy(update={"finished": True})
    marked = Item(item.key, finished.body(), item.version + 1, item.attrs, item.index, item.expires_at)
    engine.store.commit([Put(marked, VersionIs(item.version)), head_put(keys, woken, head_item)])
    return True


def _latest(engine: Engine, keys: TenantKeys, user: str, session: str) -> Key | None:
    """The session's latest request. The end of the stream is read first: the index may not know it yet, and a hint
    often follows at once on what it completes."""
    for item in engine.store.query(keys.requests(user, _END_OF_STREAM, reverse=True)).items:
        if RequestRecord.of(item).session_id == session:
            return item.key
    found = engine.store.query_index(keys.session(session, 1, user=user, reverse=True)).items
    return found[0].key if found else None
