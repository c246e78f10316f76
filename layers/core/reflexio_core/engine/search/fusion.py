"""Reciprocal rank fusion: one ranking from several, by places alone, since BM25 and cosine share no scale.

After Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
Methods" (SIGIR 2009), with their constant. A document gains nothing from a ranking that lacks it.
"""

from collections.abc import Sequence

from reflexio_core.ports.index import Hit

K = 60


def fuse(rankings: Sequence[Sequence[Hit]]) -> list[Hit]:
    """The hits of all rankings (best first, places from 1), best first; newer and then smaller ids break ties."""
    hits: dict[str, Hit] = {}
    places: list[dict[str, int]] = []
    for ranking in rankings:
        hits.update((hit.id, hit) for hit in ranking)
        places.append({hit.id: place for place, hit in enumerate(ranking, 1)})
    # No place behind the end for what a ranking lacks: behind the one row that has a rare word, everything that merely
    # resembles the question would stand second, and outdo that row by its place among the resembling.
    scores = {name: sum(1 / (K + ranked[name]) for ranked in places if name in ranked) for name in hits}
    return sorted(hits.values(), key=lambda hit: (-scores[hit.id], -hit.time, hit.id))
