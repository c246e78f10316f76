"""What a session has been given, so that a search does not give it again.

It lies in the store, since the next search may run in another process. A row is remembered by a digest, so that a
session's memory stays small: at most ``MOST_REMEMBERED`` rows, oldest forgotten first, and none of them after
``IDLE_SECONDS`` without a search.
"""

import base64
import hashlib
import logging
from collections.abc import Iterable, Sequence

from reflexio_core.engine.context import Engine
from reflexio_core.engine.rows import next_version
from reflexio_core.errors import ConditionFailed, StoreError
from reflexio_core.ports.index import DocKind, Hit
from reflexio_core.ports.store import Absent, Condition, Item, Put, VersionIs

MOST_REMEMBERED = 2_000
IDLE_SECONDS = 12 * 3600
BACKFILL = 50
"""Rows fetched beyond those wanted, at most, to stand in for rows served before."""

SESSION = "session"
"""The part that is missing when a session's memory cannot be read or written."""

_ATTEMPTS = 5
_LOG = logging.getLogger(__name__)

Served = list[tuple[DocKind, Hit]]
"""Rows of an answer with their kinds."""


class SessionMemory:
    """One session's memory, as read at the start of one search. Without a session there is nothing to remember.

    ``works`` turns false when the store could not be asked or told: the search goes on without.
    """

    def __init__(self, engine: Engine, tenant: str, session: str | None) -> None:
        self._engine = engine
        self._key = engine.keys(tenant).served(session) if session else None
        self._item: Item | None = None
        self._served: Sequence[str] = ()
        self.works = True
        try:
            self._read()
        except StoreError as error:
            self._fail("read", error)
        self._known: frozenset[str] = frozenset(self._served)

    @property
    def backfill(self) -> int:
        """How many more rows than wanted to fetch."""
        return min(len(self._known), BACKFILL)

    def has(self, kind: DocKind, hit: Hit) -> bool:
        """Whether the session was given the row before this search."""
        return bool(self._known) and _digest(kind, hit) in self._known

    def unserved(self, kind: DocKind, hits: Iterable[Hit]) -> list[Hit]:
        """The hits that are new to the session, in their order."""
        return [hit for hit in hits if not self.has(kind, hit)]

    def remember(self, rows: Served) -> None:
        """Remember the rows of an answer. Never fails; a failure is logged and shows in ``works``."""
        if self._key is None or not rows or not self.works:
            return
        digests = [_digest(kind, hit) for kind, hit in rows]
        try:
            self._write(digests)
        except StoreError as error:
            self._fail("written", error)

    def _read(self) -> None:
        if self._key is None:
            return
        self._item = self._engine.store.get(self._key)
        alive = self._item is not None and (self._item.expires_at or 0) > self._engine.clock.now()
        self._served = self._item.body["served"] if self._item is not None and alive else ()

    def _write(self, digests: Sequence[str]) -> None:
        assert self._key is not None
        for attempt in range(_ATTEMPTS):
            if attempt:
                self._read()
            now = self._engine.clock.now()
            kept = list(dict.fromkeys([*self._served, *digests]))[-MOST_REMEMBERED:]
            version = next_version(self._item.version if self._item else None, now)
            when: Condition = VersionIs(self._item.version) if self._item else Absent()
            item = Item(self._key, {"served": kept}, version, expires_at=int(now) + IDLE_SECONDS)
            try:
                self._engine.store.commit([Put(item, when)])
            except ConditionFailed:
                # Another search of the session was first; its rows are kept too.
                continue
            return
        _LOG.warning("a session's memory kept meeting other searches; what this one gave may be given again")
        self.works = False

    def _fail(self, done: str, error: StoreError) -> None:
        _LOG.warning("a session's memory cannot be %s, so rows may be given again: %s", done, error)
        self.works = False


def _digest(kind: DocKind, hit: Hit) -> str:
    # 72 bits: two of a session's 2,000 rows meet once in 10^15 sessions.
    name = f"{kind.value}\0{hit.id}".encode("utf-8", "replace")
    return base64.b64encode(hashlib.blake2b(name, digest_size=9).digest()).decode()
