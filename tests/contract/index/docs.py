"""Documents and queries of the suite: three dimensions are enough to tell near from far."""

from collections.abc import Mapping, Sequence
from typing import Any

from reflexio_core.ports.index import ArmQuery, DocKind, DocRef, Hit, Index, IndexDoc, IndexFilter
from reflexio_core.ports.inference import ModelContract, Vector

CONTRACT = ModelContract("model-a", "a" * 64, 3, 0.3)
TENANT = "acme"
NOW = 1_000
NEVER = 4_102_444_800

EAST: Vector = (1.0, 0.0, 0.0)
NORTH: Vector = (0.0, 1.0, 0.0)
NORTH_EAST: Vector = (0.8, 0.6, 0.0)


def ref(name: str, kind: DocKind = DocKind.PROFILE, tenant: str = TENANT) -> DocRef:
    """A document's identity."""
    return DocRef(tenant, kind, name)


def doc(
    name: str,
    text: str = "",
    vector: Vector | None = None,
    *,
    version: int = 1,
    user: str = "u1",
    kind: DocKind = DocKind.PROFILE,
    tenant: str = TENANT,
    parent: str = "",
    time: int = 0,
    expires_at: int = NEVER,
    tags: Sequence[str] = (),
    **fields: str,
) -> IndexDoc:
    """A document; ``fields`` beside user and a current status."""
    return IndexDoc(
        ref=ref(name, kind, tenant),
        version=version,
        parent=parent or name,
        text=text,
        fields={"user_id": user, "status": "current", **fields},
        tags=tuple(tags),
        time=time,
        expires_at=expires_at,
        payload={"name": name, "text": text},
        vector=vector,
    )


def where(
    user: str | None = "u1", *, kind: DocKind = DocKind.PROFILE, tenant: str = TENANT, now: int = NOW, **conditions: Any
) -> IndexFilter:
    """A filter on one user's documents."""
    return IndexFilter(tenant=tenant, kind=kind, now=now, user_id=user, **conditions)


def by_words(index: Index, text: str, condition: IndexFilter | None = None, limit: int = 10) -> list[str]:
    """Names of the full-text hits, best first."""
    [result] = index.search([ArmQuery(condition or where(), text, None, 0.0, limit)])
    assert result.vector == result.newest == ()
    return names(result.text)


def by_vector(
    index: Index, vector: Vector, condition: IndexFilter | None = None, limit: int = 10, floor: float = 0.3
) -> list[str]:
    """Names of the vector hits, best first."""
    [result] = index.search([ArmQuery(condition or where(), None, vector, floor, limit)])
    assert result.text == result.newest == ()
    return names(result.vector)


def newest(index: Index, condition: IndexFilter | None = None, limit: int = 10) -> list[str]:
    """Names of the newest rows, latest first."""
    [result] = index.search([ArmQuery(condition or where(), None, None, 0.0, limit)])
    assert result.text == result.vector == ()
    return names(result.newest)


def names(hits: Sequence[Hit]) -> list[str]:
    """The payloads' names; they must be the hits' own."""
    payloads: list[Mapping[str, Any]] = [hit.payload for hit in hits]
    assert [hit.id for hit in hits] == [payload["name"] for payload in payloads]
    return [hit.id for hit in hits]
