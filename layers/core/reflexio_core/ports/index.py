"""The search index: derived from the store, rebuilt from it, never the truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Protocol

from reflexio_core.ports.inference import ModelContract, Vector


class DocKind(StrEnum):
    """What can be found."""

    PROFILE = "profile"
    USER_PLAYBOOK = "user_playbook"
    AGENT_PLAYBOOK = "agent_playbook"
    INTERACTION = "interaction"


FILTER_FIELDS: Final = (
    "user_id",
    "source",
    "agent_version",
    "playbook_name",
    "status",
    "approval",
    "request_id",
    "custom_features",
)
"""The names of a document's ``fields``: a closed list, since an index lays out a column for each."""


@dataclass(frozen=True, slots=True)
class DocRef:
    """Identity of a document. Two documents of one kind and tenant never share an id."""

    tenant: str
    kind: DocKind
    id: str


@dataclass(frozen=True, slots=True)
class IndexDoc:
    """One document as searched.

    ``version`` is the item's; an older version never replaces a newer one, nor a newer delete. ``parent`` groups
    documents that live and die together (a request's turns). ``fields`` are what filters compare, by the names in
    ``FILTER_FIELDS``; a missing key means the empty string. ``status`` is "current" for live rows. ``time`` is the
    kind's date for range filters and ``expires_at`` its expiry, both epoch seconds. ``payload`` is the wire view that
    a search returns. ``vector`` None means "not embedded yet": full-text only.
    """

    ref: DocRef
    version: int
    parent: str
    text: str
    fields: Mapping[str, str]
    tags: tuple[str, ...]
    time: int
    expires_at: int
    payload: Mapping[str, Any]
    vector: Vector | None = None


@dataclass(frozen=True, slots=True)
class IndexFilter:
    """Conditions applied inside both arms. ``user_id`` None means any user of the tenant.

    ``equals`` must all match; ``any_of`` maps a field to its allowed values (no value allows no row); ``contains``
    maps a field to text that must occur in it; ``tags`` match if any is present; ``start``/``end`` bound ``time``
    (inclusive, exclusive); rows with ``expires_at <= now`` are left out; ``exclude_ids`` are left out. Field names are
    those of ``FILTER_FIELDS``.
    """

    tenant: str
    kind: DocKind
    now: int
    user_id: str | None = None
    equals: Mapping[str, str] = field(default_factory=dict)
    any_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    start: int | None = None
    end: int | None = None
    exclude_ids: tuple[str, ...] = ()
    contains: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ArmQuery:
    """One kind's search: full-text if ``text`` is set, vector if ``vector`` is set, newest first if neither.

    Any text is legal. A row is a full-text hit if it shares a word with the text that says what the text is about:
    articles, pronouns and the like count only in a text that has nothing else, and then only all of them side by
    side. ``floor`` is the cosine that a vector hit must exceed. ``limit`` is per arm.
    """

    where: IndexFilter
    text: str | None
    vector: Vector | None
    floor: float
    limit: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A found document: id, its arm's score (BM25 relevance or cosine, larger is better) and its payload."""

    id: str
    score: float
    payload: Mapping[str, Any]
    time: int


@dataclass(frozen=True, slots=True)
class ArmResult:
    """Hits of one kind, best first in each list, newer before older at equal scores.

    Without text and vector both, ``newest`` has the rows.
    """

    text: tuple[Hit, ...] = ()
    vector: tuple[Hit, ...] = ()
    newest: tuple[Hit, ...] = ()


class Index(Protocol):
    """Every method may raise ``IndexUnavailable``; none answers an empty list for "cannot answer"."""

    def prepare(self, contract: ModelContract | None) -> None:
        """Create or open the version for this model; None if there is no embedder. Called before anything else.

        Raises ``ModelMismatch``, naming both, if vectors of another model or dimension are there. Full-text search
        goes on after that; what has to do with vectors raises ``ModelMismatch`` again.
        """
        ...

    def upsert(self, docs: Sequence[IndexDoc]) -> None:
        """Write documents; stale versions are dropped without error.

        The version that is there already is written again, so that a vector can follow later; but without a vector
        it never takes away the one that is there. Raises ``ModelMismatch`` for a vector that is not of the model.
        """
        ...

    def delete(self, refs: Sequence[tuple[DocRef, int]]) -> None:
        """Remove documents at a version: a later upsert with a version up to that one is dropped."""
        ...

    def delete_parent(self, tenant: str, kind: DocKind, parent: str, version: int) -> None:
        """Remove all documents of one parent; upserts for it with versions up to this one are dropped."""
        ...

    def delete_user(self, tenant: str, user_id: str, version: int) -> None:
        """Remove every document of one user; upserts for that user with versions up to this one are dropped."""
        ...

    def search(self, queries: Sequence[ArmQuery]) -> list[ArmResult]:
        """All queries in one round trip, answers in order.

        Filters hold inside both arms, so that what they leave out never takes a place. Raises ``ModelMismatch`` for a
        vector of another dimension than the documents', or of an embedder that is not theirs.
        """
        ...

    def versions(self, refs: Sequence[DocRef]) -> dict[DocRef, int]:
        """Versions of those documents that are there, or at which they were deleted: what needs no writing again."""
        ...

    def count(self, tenant: str, kind: DocKind) -> int:
        """Documents of one kind in a tenant."""
        ...

    def missing_vectors(self, limit: int) -> list[IndexDoc]:
        """Documents waiting for an embedding, longest waiting first."""
        ...

    def position(self) -> str | None:
        """The change-feed position up to which the store has been projected, or None."""
        ...

    def set_position(self, position: str) -> None:
        """Remember the change-feed position."""
        ...

    def close(self) -> None:
        """Release resources."""
        ...
