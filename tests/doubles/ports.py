"""The smaller ports in memory: blobs, queue, clock, ids, inference, index."""

import hashlib
import threading
from collections.abc import Sequence

from reflexio_core.errors import IndexUnavailable
from reflexio_core.ports.index import ArmQuery, ArmResult, DocKind, DocRef, Hit, IndexDoc, IndexFilter
from reflexio_core.ports.inference import ModelContract, Purpose, Vector
from reflexio_core.ports.queue import Hint

START = 1_790_000_000.0
"""Where the fixed clock begins: 2026-09-21T14:13:20Z."""

DIMENSION = 8


class DictBlobs:
    """Blobs in a dictionary, open to assertions as ``data``."""

    def __init__(self) -> None:
        self.data: dict[str, bytes] = {}

    def put(self, name: str, data: bytes) -> None:
        """See ``Blobs.put``."""
        self.data[name] = data

    def get(self, name: str) -> bytes | None:
        """See ``Blobs.get``."""
        return self.data.get(name)

    def delete(self, name: str) -> None:
        """See ``Blobs.delete``."""
        self.data.pop(name, None)


class ListQueue:
    """Hints in a list, with their delays."""

    def __init__(self) -> None:
        self.sent: list[tuple[Hint, float]] = []

    def send(self, hint: Hint, delay_seconds: float = 0.0) -> None:
        """See ``Queue.send``."""
        self.sent.append((hint, delay_seconds))


class FixedClock:
    """Time that moves only by ``advance`` and ``sleep``."""

    def __init__(self, at: float = START) -> None:
        self.at = at

    def now(self) -> float:
        """See ``Clock.now``."""
        return self.at

    def advance(self, seconds: float) -> None:
        """Move forward."""
        self.at += seconds

    def sleep(self, seconds: float) -> None:
        """See ``Clock.sleep``: no time is spent."""
        self.at += seconds


class CountingIds:
    """Ids that count: ``request-1``, ``token-2`` and so on."""

    def __init__(self) -> None:
        self._count = 0
        self._lock = threading.Lock()

    def _next(self) -> int:
        with self._lock:
            self._count += 1
            return self._count

    def request_id(self) -> str:
        """See ``Ids.request_id``."""
        return f"request-{self._next()}"

    def token(self) -> str:
        """See ``Ids.token``."""
        return f"token-{self._next()}"


class HashInference:
    """Unit vectors from the words of a text: texts that share words are near each other."""

    contract = ModelContract("words", "0" * 64, DIMENSION, 0.3)

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str], purpose: Purpose, timeout_seconds: float) -> list[Vector]:
        """See ``Inference.embed``."""
        self.texts.extend(texts)
        return [_word_vector(text) for text in texts]


def _word_vector(text: str) -> Vector:
    vector = [0.0] * DIMENSION
    for word in text.lower().split() or [""]:
        vector[hashlib.sha256(word.encode()).digest()[0] % DIMENSION] += 1.0
    length = sum(value * value for value in vector) ** 0.5
    return [value / length for value in vector]


class RecordingIndex:
    """The index port in memory: versions, deletes that outlast late writes, filters, and plain word matching.

    ``calls`` names every method called. With ``down`` every method raises ``IndexUnavailable``.
    """

    def __init__(self) -> None:
        self.docs: dict[DocRef, IndexDoc] = {}
        self.calls: list[str] = []
        self.down = False
        self._deleted: dict[DocRef, int] = {}
        self._erased: dict[tuple[str, str], int] = {}
        self._position: str | None = None

    def _enter(self, call: str) -> None:
        self.calls.append(call)
        if self.down:
            raise IndexUnavailable("the index is down")

    def prepare(self, contract: ModelContract | None) -> None:
        """See ``Index.prepare``."""
        self._enter("prepare")

    def upsert(self, docs: Sequence[IndexDoc]) -> None:
        """See ``Index.upsert``."""
        self._enter("upsert")
        for doc in docs:
            current = self.docs.get(doc.ref)
            erased = self._erased.get((doc.ref.tenant, doc.fields.get("user_id", "")), 0)
            if doc.version <= max(self._deleted.get(doc.ref, 0), erased):
                continue
            if current is None or doc.version >= current.version:
                self.docs[doc.ref] = doc

    def delete(self, refs: Sequence[tuple[DocRef, int]]) -> None:
        """See ``Index.delete``."""
        self._enter("delete")
        for ref, version in refs:
            current = self.docs.get(ref)
            if current is None or current.version <= version:
                self.docs.pop(ref, None)
                self._deleted[ref] = max(version, self._deleted.get(ref, 0))

    def delete_parent(self, tenant: str, kind: DocKind, parent: str, version: int) -> None:
        """See ``Index.delete_parent``."""
        self._enter("delete_parent")
        for ref in [r for r, d in self.docs.items() if (r.tenant, r.kind, d.parent) == (tenant, kind, parent)]:
            if self.docs[ref].version <= version:
                del self.docs[ref]
                self._deleted[ref] = max(version, self._deleted.get(ref, 0))

    def delete_user(self, tenant: str, user_id: str, version: int) -> None:
        """See ``Index.delete_user``."""
        self._enter("delete_user")
        self._erased[tenant, user_id] = max(version, self._erased.get((tenant, user_id), 0))
        for ref, doc in list(self.docs.items()):
            if ref.tenant == tenant and doc.fields.get("user_id") == user_id and doc.version <= version:
                del self.docs[ref]

    def search(self, queries: Sequence[ArmQuery]) -> list[ArmResult]:
        """See ``Index.search``."""
        self._enter("search")
        return [self._arm(query) for query in queries]

    def _arm(self, query: ArmQuery) -> ArmResult:
        found = [doc for doc in self.docs.values() if _passes(query.where, doc)]
        if query.text is None and query.vector is None:
            found.sort(key=lambda doc: (-doc.time, doc.ref.id))
            return ArmResult(newest=tuple(_hit(doc, 0.0) for doc in found[: query.limit]))
        words = set((query.text or "").lower().split())
        by_text = [(float(len(words & set(doc.text.lower().split()))), doc) for doc in found]
        by_vector = [(_cosine(query.vector, doc.vector), doc) for doc in found]
        return ArmResult(
            text=_best([pair for pair in by_text if pair[0] > 0], query.limit),
            vector=_best([pair for pair in by_vector if pair[0] > query.floor], query.limit),
        )

    def versions(self, refs: Sequence[DocRef]) -> dict[DocRef, int]:
        """See ``Index.versions``."""
        self._enter("versions")
        known = {ref: self._deleted[ref] for ref in refs if ref in self._deleted}
        return known | {ref: self.docs[ref].version for ref in refs if ref in self.docs}

    def count(self, tenant: str, kind: DocKind) -> int:
        """See ``Index.count``."""
        self._enter("count")
        return sum(1 for ref in self.docs if (ref.tenant, ref.kind) == (tenant, kind))

    def missing_vectors(self, limit: int) -> list[IndexDoc]:
        """See ``Index.missing_vectors``."""
        self._enter("missing_vectors")
        return [doc for doc in self.docs.values() if doc.vector is None][:limit]

    def position(self) -> str | None:
        """See ``Index.position``."""
        self._enter("position")
        return self._position

    def set_position(self, position: str) -> None:
        """See ``Index.set_position``."""
        self._enter("set_position")
        self._position = position

    def close(self) -> None:
        """See ``Index.close``."""


def _passes(where: IndexFilter, doc: IndexDoc) -> bool:
    return (
        (doc.ref.tenant, doc.ref.kind) == (where.tenant, where.kind)
        and doc.expires_at > where.now
        and (where.user_id is None or doc.fields.get("user_id", "") == where.user_id)
        and all(doc.fields.get(name, "") == value for name, value in where.equals.items())
        and all(doc.fields.get(name, "") in values for name, values in where.any_of.items())
        and (not where.tags or bool(set(where.tags) & set(doc.tags)))
        and (where.start is None or doc.time >= where.start)
        and (where.end is None or doc.time < where.end)
        and doc.ref.id not in where.exclude_ids
    )


def _cosine(left: Vector | None, right: Vector | None) -> float:
    if left is None or right is None:
        return -1.0
    return sum(a * b for a, b in zip(left, right, strict=True))


def _hit(doc: IndexDoc, score: float) -> Hit:
    return Hit(doc.ref.id, score, doc.payload, doc.time)


def _best(scored: list[tuple[float, IndexDoc]], limit: int) -> tuple[Hit, ...]:
    scored.sort(key=lambda pair: (-pair[0], pair[1].ref.id))
    return tuple(_hit(doc, score) for score, doc in scored[:limit])
