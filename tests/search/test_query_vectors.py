"""The same question is embedded once, for a while, and never under another model."""

import dataclasses

import pytest

from reflexio_core.engine.query_vectors import LIFETIME_SECONDS, MOST_ENTRIES, QueryVectors
from reflexio_core.errors import InferenceUnavailable
from tests.doubles.ports import FixedClock
from tests.search.meanings import Meanings


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def vectors(clock: FixedClock) -> QueryVectors:
    return QueryVectors(clock.now)


def test_a_question_is_embedded_again_only_after_its_lifetime(
    vectors: QueryVectors, clock: FixedClock, embedder: Meanings
) -> None:
    first = vectors.embed(embedder, "dinner", 1.0)
    clock.advance(LIFETIME_SECONDS - 1)
    assert vectors.embed(embedder, "dinner", 1.0) == first
    assert embedder.asked == ["dinner"]
    clock.advance(2)
    vectors.embed(embedder, "dinner", 1.0)
    assert embedder.asked == ["dinner", "dinner"]


def test_texts_are_told_apart_to_the_letter(vectors: QueryVectors, embedder: Meanings) -> None:
    for text in ("dinner", "Dinner", "dinner "):
        vectors.embed(embedder, text, 1.0)
    assert embedder.asked == ["dinner", "Dinner", "dinner "]


def test_another_model_is_asked_itself(vectors: QueryVectors, embedder: Meanings) -> None:
    vectors.embed(embedder, "dinner", 1.0)
    embedder.contract = dataclasses.replace(embedder.contract, revision="n" * 64)
    vectors.embed(embedder, "dinner", 1.0)
    assert embedder.asked == ["dinner", "dinner"]


def test_the_question_asked_longest_ago_goes_first(vectors: QueryVectors, embedder: Meanings) -> None:
    for number in range(MOST_ENTRIES):
        vectors.embed(embedder, f"q{number}", 1.0)
    vectors.embed(embedder, "q0", 1.0)
    vectors.embed(embedder, "one more", 1.0)
    embedder.asked.clear()
    vectors.embed(embedder, "q0", 1.0)
    vectors.embed(embedder, "q1", 1.0)
    assert embedder.asked == ["q1"]


def test_a_failure_is_not_remembered(vectors: QueryVectors, embedder: Meanings) -> None:
    embedder.fails = True
    with pytest.raises(InferenceUnavailable):
        vectors.embed(embedder, "dinner", 1.0)
    embedder.fails = False
    assert vectors.embed(embedder, "dinner", 1.0)
