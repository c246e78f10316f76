"""What a candidate is compared with when nobody can tell what is close in meaning."""

from collections.abc import Callable
from typing import Any

import pytest

from reflexio_core.adapters.offline import OfflineLlm
from reflexio_core.adapters.onnx import UnavailableInference
from reflexio_core.engine.context import Engine
from reflexio_core.engine.learn.known import NEIGHBOURS_PER_CANDIDATE
from reflexio_core.errors import IndexUnavailable
from tests.doubles.engine import make_engine
from tests.doubles.ports import RecordingIndex
from tests.doubles.scripted_llm import ScriptedLlm
from tests.engine.learning.conversations import fact, facts, learn, say

WORDS = ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf")


class UnsearchableIndex(RecordingIndex):
    """Takes documents and finds none."""

    def search(self, queries: Any) -> Any:
        """Always raises."""
        raise IndexUnavailable("locked")


def without_embedder(**more: Any) -> Engine:
    return make_engine(inference=UnavailableInference("no model"), **more)


def without_search(**more: Any) -> Engine:
    return make_engine(index=UnsearchableIndex(), **more)


Build = Callable[..., Engine]
BLIND = pytest.mark.parametrize("build", [without_embedder, without_search])


@BLIND
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I live in Rotterdam.", "I've moved to Utrecht."),
        ("Vivo en Zaragoza.", "Me mudé a Gijón."),
        ("我住在成都。", "我搬到深圳了。"),
    ],
)
def test_a_fact_is_replaced_by_one_that_shares_no_word_with_it(build: Build, before: str, after: str) -> None:
    engine = build(llm=OfflineLlm())
    for request_id, said in (("r1", before), ("r2", after)):
        say(engine, request_id, said)
        learn(engine)
        engine.clock.sleep(60)
    [known] = facts(engine)
    assert after.rstrip(".。").split()[-1][-2:] in known


@BLIND
def test_the_latest_rows_are_shown_after_those_with_common_words_and_no_more_than_ever(build: Build) -> None:
    known = [{"profiles": [fact(f"{word} {word}s", f"T{turn}", word)]} for turn, word in enumerate(WORDS, start=1)]
    llm = ScriptedLlm(extract=[*known, {"profiles": [fact("alpha alphas too", "T8", "again")]}])
    engine = build(llm=llm)
    for number, word in enumerate((*WORDS, "again")):
        say(engine, f"r{number}", word)
        learn(engine)
        engine.clock.sleep(60)
    shown = [item.content for item in llm.of("consolidate")[-1].old]
    latest = [f"{word} {word}s" for word in reversed(WORDS)]
    assert shown == ["alpha alphas", *latest[: NEIGHBOURS_PER_CANDIDATE - 1]]
