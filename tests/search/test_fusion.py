"""Reciprocal rank fusion against sums worked out by hand."""

from reflexio_core.engine.search.fusion import fuse
from reflexio_core.ports.index import Hit


def hits(*names: str, time: int = 0) -> list[Hit]:
    return [Hit(name, 0.0, {}, time) for name in names]


def order(*rankings: list[Hit]) -> list[str]:
    return [hit.id for hit in fuse(rankings)]


def test_a_document_high_in_both_rankings_beats_the_first_of_one() -> None:
    # b: 1/62 + 1/61 = .03252; a: 1/61 + 1/64 = .03202; c: 1/63 + 1/62 = .03200
    assert order(hits("a", "b", "c"), hits("b", "c", "d")) == ["b", "a", "c", "d"]


def test_a_missing_document_stands_one_place_behind_the_end() -> None:
    # In the short ranking everything missing is second: x: 1/62 + 1/61, a: 1/61 + 1/62. Times break the tie.
    older, newer = hits("a", time=1), hits("x", time=2)
    assert order(older, newer) == ["x", "a"]
    # m: 1/64 + 1/62 = .03175; a: 1/61 + 1/63 = .03227; b: 1/62 + 1/63; z: 1/65 + 1/61 = .03178
    assert order(hits("a", "b", "c", "m"), hits("z", "m")) == ["a", "b", "z", "m", "c"]


def test_an_empty_ranking_changes_no_order() -> None:
    assert order(hits("c", "a", "b"), []) == ["c", "a", "b"]
    assert order([], []) == []


def test_equal_scores_and_times_are_ordered_by_id() -> None:
    assert order(hits("b"), hits("a")) == ["a", "b"]
