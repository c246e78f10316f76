"""The corpus against the rules alone, without a service: the part of ``make bench-learning`` that needs no search."""

from collections import Counter

import pytest

from tests.corpus.cases import Score, load, run
from tests.corpus.results import BAR, found_rate
from tests.offline.memory import Memory


@pytest.fixture(scope="module")
def scores() -> list[Score]:
    return [run(case, Memory()) for case in load()]


def test_enough_of_what_is_expected_is_learned(scores: list[Score]) -> None:
    assert found_rate(scores) >= BAR
    assert found_rate([score for score in scores if score.case.holdout]) >= BAR


def test_no_promise_is_broken(scores: list[Score]) -> None:
    assert [violation for score in scores for violation in score.violations] == []


def test_the_corpus_covers_what_it_claims() -> None:
    cases = list(load())
    languages = Counter(case.language for case in cases)
    assert len({case.id for case in cases}) == len(cases) >= 48
    assert languages["en"] >= 24
    assert min(languages["es"], languages["zh"]) >= 12
    assert sum(case.holdout for case in cases) >= 0.3 * len(cases)
    assert {"correction", "preference", "reversal", "numeric", "forget", "third-person", "hypothetical", "code"} | {
        "small-talk",
        "quoted-memory",
        "secret",
        "instruction-like",
        "roleplay",
        "mixed",
        "expert",
    } <= {case.category for case in cases}
    assert all(case.expect or case.learns_nothing for case in cases)
