"""Texts are grouped by length, within bounds, each exactly once."""

import itertools
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from reflexio_core.adapters.onnx.batches import MAX_TOKENS, plan_batches
from reflexio_core.adapters.onnx.inference import OnnxInference
from reflexio_core.adapters.onnx.manifest import read_manifest
from tests.models.sessions import SpySession

lengths = st.lists(st.integers(2, 300), max_size=200)


@given(lengths)
def test_every_text_is_in_one_batch(lengths: list[int]) -> None:
    assert sorted(position for batch in plan_batches(lengths) for position in batch) == list(range(len(lengths)))


@given(lengths, st.integers(1, 20), st.integers(1, 1000))
def test_batches_keep_their_bounds(lengths: list[int], texts: int, tokens: int) -> None:
    for batch in plan_batches(lengths, texts, tokens):
        assert len(batch) <= texts
        assert len(batch) == 1 or len(batch) * max(lengths[position] for position in batch) <= tokens


@given(lengths)
def test_no_batch_mixes_the_lengths_of_two_others(lengths: list[int]) -> None:
    batches = plan_batches(lengths)
    for shorter, longer in itertools.pairwise(batches):
        assert max(lengths[i] for i in shorter) <= min(lengths[i] for i in longer)


def test_texts_are_padded_to_the_longest_of_their_own_batch_only(spied: OnnxInference, spy: SpySession) -> None:
    spied.embed(["cat", *["the ship " * 20] * 3, "dog", *["rain on the ship"] * 60], "document", 30)
    assert len(spy.runs) > 1
    for mask in spy.runs:
        assert mask.sum(axis=1).max() == mask.shape[1]
        assert mask.size <= MAX_TOKENS


def test_a_single_text_is_not_padded_at_all(spied: OnnxInference, spy: SpySession) -> None:
    spied.embed(["cat"], "query", 30)
    assert [mask.tolist() for mask in spy.runs] == [[[1, 1, 1]]]


def test_a_long_text_is_cut_to_the_token_limit(spied: OnnxInference, spy: SpySession, tiny_folder: Path) -> None:
    spied.embed(["cat " * 500], "document", 30)
    limit = read_manifest(tiny_folder).encoding.token_limit
    assert [mask.shape for mask in spy.runs] == [(1, limit)]
