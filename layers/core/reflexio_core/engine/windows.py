"""Which stretch of a user's stream is learned from next. Pure: requests and a cursor in, a selection out.

A window is full when enough new turns have come; a forced request, a finished session or an idle one closes a partial
window. Turns count across requests, in arrival order; each kind of learning has its own cursor.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from reflexio_core.domain.records import Cursor, RequestRecord
from reflexio_core.tasks.transcript import LearningKind


@dataclass(frozen=True, slots=True)
class Selection:
    """What to learn from now (``manifest`` empty: nothing), and otherwise when time alone may change that.

    ``manifest`` are arrival numbers, context first; ``new`` those of them (or before them) that were not judged yet.
    ``missing`` is how many turns are missing to a full window.
    """

    manifest: tuple[int, ...] = ()
    new: tuple[int, ...] = ()
    forced: bool = False
    skip_aggregation: bool = False
    wake_at: float | None = None
    missing: int = 0


@dataclass(frozen=True, slots=True)
class _Row:
    seq: int
    request: RequestRecord


def select(
    kind: LearningKind,
    cursor: Cursor,
    context: Sequence[RequestRecord],
    pending: Sequence[RequestRecord],
    now: float,
    forced_beyond: bool = False,
) -> Selection:
    """Select the next window of a kind.

    ``context`` are the requests up to the cursor and ``pending`` those with turns after it (one may be in both), in
    arrival order. ``forced_beyond`` says that a forced request lies behind the last of ``pending``.
    """
    after = cursor.completed_seq
    rows = _eligible(kind, pending, first=after + 1)
    if not rows:
        return Selection()
    policy = rows[0].request.policy.of_kind(kind)
    overlap = [row.seq for row in _eligible(kind, context, last=after)][-policy.window_size :]
    need = max(policy.stride_size, policy.window_size - len(overlap))  # a first window has no overlap
    new = rows[: policy.window_size]

    wake_at: float | None = None
    barrier: float | None = None
    forced = [
        request.last_seq
        for request in pending
        if request.force and request.policy.of_kind(kind).eligible and request.last_seq > after and request.seqs()
    ]
    if forced:
        barrier = min(forced)
    elif forced_beyond:
        barrier = float("inf")
    if barrier is None:
        barrier = _finished(pending, rows)
    if barrier is None and len(new) < need:
        barrier, wake_at = _idle(pending, rows, now)

    if barrier is not None:
        new = [row for row in new if row.seq <= barrier]
    elif len(new) < need:
        return Selection(wake_at=wake_at, missing=need - len(new))
    new = new[:need]
    if not new:
        return Selection(wake_at=wake_at)
    seqs = tuple(row.seq for row in new)
    return Selection(
        manifest=(*overlap, *seqs)[-policy.window_size :],
        new=seqs,
        forced=bool(forced) or forced_beyond,
        skip_aggregation=any(row.request.skip_aggregation for row in new),
    )


def _eligible(
    kind: LearningKind, requests: Sequence[RequestRecord], first: int = 0, last: float = float("inf")
) -> list[_Row]:
    return [
        _Row(seq, request)
        for request in requests
        if request.policy.of_kind(kind).eligible
        for seq in request.seqs()
        if first <= seq <= last
    ]


def _finished(pending: Sequence[RequestRecord], rows: Sequence[_Row]) -> int | None:
    """The first completion mark whose session has turns waiting before it."""
    earliest: dict[str, int] = {}
    for row in rows:
        earliest.setdefault(row.request.session_id, row.seq)
    marks = [
        request.last_seq
        for request in pending
        if request.finished and earliest.get(request.session_id, request.last_seq + 1) <= request.last_seq
    ]
    return min(marks, default=None)


def _idle(pending: Sequence[RequestRecord], rows: Sequence[_Row], now: float) -> tuple[int | None, float | None]:
    """The first end of a session that has been silent for its time, else when the next one will have been."""
    waiting = {row.request.session_id for row in rows}
    latest = {request.session_id: request for request in pending if request.session_id in waiting}
    ends: list[int] = []
    deadlines: list[float] = []
    for request in latest.values():
        timeout = request.policy.idle_timeout_seconds
        if timeout <= 0:
            continue
        deadline = request.admitted_at + timeout
        if deadline <= now:
            ends.append(request.last_seq)
        else:
            deadlines.append(deadline)
    return min(ends, default=None), min(deadlines, default=None)
