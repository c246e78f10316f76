"""Reciprocal rank fusion against sums worked out by hand."""

from reflexio_core.engine.search.fusion import fuse
from reflexio_core.ports.index import Hit


def hits(*names: str, time: int = 0) -> list[Hit]:
    return [Hit(name, 0.0, {}, time) for name in names]


def order(*rankings: list[Hit]) -> list[str]:
    return [hit.id for hit in fuse(rankings)]


def test_a_document_high_in_both_rankings_beats_the_first_of_one() -> None:
    # b: 1/62 + 1/61 = .03252; c: 1/63 + 1/62 = .03200; a: 1/61; d: 1/63
    assert order(hits("a", "b", "c"), hits("b", "c", "d")) == ["b", "c", "a", "d"]


def test_a_document_gains_nothing_from_a_ranking_that_lacks_it() -> None:
    # Both stand first once: 1/61. Times break the tie.
    older, newer = hits("a", time=1), hits("x", time=2)
    assert order(older, newer) == ["x", "a"]
    # m: 1/64 + 1/62 = .03175; a and z: 1/61; b: 1/62; c: 1/63
    assert order(hits("a", "b", "c", "m"), hits("z", "m")) == ["m", "a", "z", "b", "c"]


def test_the_only_row_with_a_rare_word_is_not_outdone_by_rows_that_resemble_the_question() -> None:
    resembling = hits(*(f"order-{number:03}" for number in range(100)))
    assert order(hits("x"), resembling).index("x") <= 1
    assert order(hits("order-099"), resembling)[0] == "order-099"


def test_an_empty_ranking_changes_no_order() -> None:
    assert order(hits("c", "a", "b"), []) == ["c", "a", "b"]
    assert order([], []) == []


def test_equal_scores_and_times_are_ordered_by_id() -> None:
    assert order(hits("b"), hits("a")) == ["a", "b"]
