"""The model that is shipped means what it should. Needs `reflexio model prepare` to have run."""

from collections.abc import Iterator

import pytest

from reflexio_core.adapters.onnx import OnnxInference, is_prepared, verify
from reflexio_core.adapters.onnx.pinned import MINILM, default_model_dir
from reflexio_core.ports.inference import Vector

pytestmark = pytest.mark.skipif(not is_prepared(), reason="the model is not installed: `reflexio model prepare`")

LONG = 60.0

PARAPHRASES = [
    ("The cat sits on the mat.", "A feline is resting on a rug."),
    ("We deploy on Thursdays.", "Releases go out every Thursday."),
    ("He is allergic to peanuts.", "Eating peanuts makes him ill."),
    ("Please answer briefly.", "Keep your replies short."),
]


@pytest.fixture(scope="module")
def minilm() -> Iterator[OnnxInference]:
    """The installed model."""
    inference = OnnxInference(default_model_dir())
    yield inference
    inference.close()


def cosine(left: Vector, right: Vector) -> float:
    """Of unit vectors."""
    return sum(a * b for a, b in zip(left, right, strict=True))


def test_what_is_installed_is_what_is_pinned(minilm: OnnxInference) -> None:
    assert verify(default_model_dir()) == []
    contract = minilm.contract
    assert (contract.model, contract.dimension, contract.similarity_floor) == ("all-MiniLM-L6-v2", 384, 0.30)
    assert contract.revision == MINILM.encoding.revision


def test_paraphrases_are_nearer_than_anything_unrelated(minilm: OnnxInference) -> None:
    left = minilm.embed([a for a, _ in PARAPHRASES], "document", LONG)
    right = minilm.embed([b for _, b in PARAPHRASES], "query", LONG)
    size = range(len(PARAPHRASES))
    related = min(cosine(left[i], right[i]) for i in size)
    unrelated = max(cosine(left[i], right[j]) for i in size for j in size if i != j)
    floor = minilm.contract.similarity_floor
    assert related > floor > unrelated


def test_a_text_finds_itself_at_one_whatever_it_was_stored_beside(minilm: OnnxInference) -> None:
    texts = [sentence for pair in PARAPHRASES for sentence in pair]
    stored = minilm.embed([*texts, *(f"{text} {text}" for text in texts)], "document", LONG)
    for text, vector in zip(texts, stored, strict=False):
        assert cosine(minilm.embed([text], "query", LONG)[0], vector) == pytest.approx(1.0, abs=1e-5)
