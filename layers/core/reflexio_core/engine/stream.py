"""Reading a user's stream for learning: the next selection, and the requests of a prepared window."""

from reflexio_core.domain.records import Cursor, RequestRecord, StreamHead, Window
from reflexio_core.engine.context import Engine
from reflexio_core.engine.requests import load_request, pages
from reflexio_core.engine.windows import Selection, select
from reflexio_core.tasks.transcript import LearningKind

_PAGE = 50
_HORIZON_REQUESTS = 200
"""How many waiting requests are looked at for a mark beyond the first full window."""


def next_selection(engine: Engine, head: StreamHead, kind: LearningKind, cursor: Cursor) -> Selection:
    """What the cursor of a kind would learn from now."""
    pending, complete = _pending(engine, head, kind, cursor)
    if not pending:
        return Selection()
    window_size = pending[0].policy.of_kind(kind).window_size
    for request in pending:
        if request.policy.of_kind(kind).eligible and request.last_seq > cursor.completed_seq:
            window_size = request.policy.of_kind(kind).window_size
            break
    context = _context(engine, head, kind, cursor, window_size)
    beyond = not complete and head.last_forced.get(kind, 0) > pending[-1].last_seq
    return select(kind, cursor, context, pending, engine.clock.now(), forced_beyond=beyond)


def window_requests(engine: Engine, head: StreamHead, window: Window) -> list[RequestRecord]:
    """The requests that hold a window's turns, with their turns loaded, in arrival order."""
    first, last = min(window.manifest), max(window.manifest)
    wanted = set(window.manifest)
    query = engine.keys(head.tenant).requests(head.user_id, _PAGE, before_seq=last + 1, reverse=True)
    found: list[RequestRecord] = []
    for item in pages(engine, query):
        record = RequestRecord.of(item)
        if wanted.intersection(record.seqs()):
            found.append(load_request(engine, item))
        if record.first_seq <= first:
            break
    return found[::-1]


def _pending(engine: Engine, head: StreamHead, kind: LearningKind, cursor: Cursor) -> tuple[list[RequestRecord], bool]:
    """Requests with turns after the cursor, and whether those are all of them."""
    keys = engine.keys(head.tenant)
    records: list[RequestRecord] = []
    # The request that straddles the cursor begins before it.
    before = keys.requests(head.user_id, 1, before_seq=cursor.completed_seq + 1, reverse=True)
    straddling = [RequestRecord.of(item) for item in engine.store.query(before).items]
    records.extend(record for record in straddling if record.last_seq > cursor.completed_seq)
    rows = sum(_count(record, kind, cursor.completed_seq) for record in records)
    needed = records[0].policy.of_kind(kind).window_size if records else 0
    for item in pages(engine, keys.requests(head.user_id, _PAGE, from_seq=cursor.completed_seq + 1)):
        record = RequestRecord.of(item)
        records.append(record)
        needed = max(needed, record.policy.of_kind(kind).window_size)
        rows += _count(record, kind, cursor.completed_seq)
        if len(records) >= _HORIZON_REQUESTS and rows >= needed:
            return records, False
    return records, True


def _context(
    engine: Engine, head: StreamHead, kind: LearningKind, cursor: Cursor, window_size: int
) -> list[RequestRecord]:
    """Enough requests up to the cursor to give a window its overlap."""
    if cursor.completed_seq == 0:
        return []
    query = engine.keys(head.tenant).requests(head.user_id, _PAGE, before_seq=cursor.completed_seq + 1, reverse=True)
    found: list[RequestRecord] = []
    rows = 0
    for item in pages(engine, query):
        record = RequestRecord.of(item)
        found.append(record)
        if record.policy.of_kind(kind).eligible:
            rows += sum(1 for seq in record.seqs() if seq <= cursor.completed_seq)
        if rows >= window_size:
            break
    return found[::-1]


def _count(record: RequestRecord, kind: LearningKind, after: int) -> int:
    if not record.policy.of_kind(kind).eligible:
        return 0
    return sum(1 for seq in record.seqs() if seq > after)
