"""What a row must be like to be found: requests as index filters. All of it holds inside the arms."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime

from reflexio.models.enums import PlaybookStatus, Status
from reflexio.models.times import TimeRange
from reflexio_core.engine.context import Engine
from reflexio_core.engine.search.documents import CURRENT, status_field
from reflexio_core.ports.index import DocKind, IndexFilter

ALWAYS = TimeRange()
"""No bounds on time."""


def rows_of(
    engine: Engine,
    tenant: str,
    kind: DocKind,
    *,
    user: str | None,
    equals: Mapping[str, str | None],
    any_of: Mapping[str, tuple[str, ...]],
    contains: Mapping[str, str | None] | None = None,
    tags: Sequence[str] | None = None,
    bounds: TimeRange = ALWAYS,
) -> IndexFilter:
    """The filter on unexpired rows of a kind; ``user`` None means rows of the whole tenant.

    A condition without a value (None or empty) holds for every row.
    """
    return engine.keys(tenant).index_filter(
        kind,
        int(engine.clock.now()),
        user=user,
        equals={name: value for name, value in equals.items() if value},
        any_of=any_of,
        contains={name: text for name, text in (contains or {}).items() if text},
        tags=tuple(tags or ()),
        start=_seconds(bounds.start_time),
        end=_seconds(bounds.end_time),
    )


def of_status(statuses: Sequence[Status | None] | None = None) -> dict[str, tuple[str, ...]]:
    """Rows of these statuses; of current ones if none is given. None among them means current."""
    return {"status": tuple(status_field(status) for status in statuses) if statuses else (CURRENT,)}


def of_verdict(verdicts: PlaybookStatus | Sequence[PlaybookStatus] | None) -> dict[str, tuple[str, ...]]:
    """Agent playbooks with these verdicts; approved ones if none is given."""
    if isinstance(verdicts, PlaybookStatus):
        verdicts = [verdicts]
    return {"approval": tuple(verdict.value for verdict in verdicts or [PlaybookStatus.APPROVED])}


def _seconds(moment: datetime | None) -> int | None:
    # Rows have whole seconds: "at or after 10.5" and "before 10.5" are both decided at 11.
    return None if moment is None else math.ceil(moment.timestamp())
