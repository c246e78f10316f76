"""What every Inference adapter promises."""

import math
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from reflexio_core.errors import InferenceUnavailable
from reflexio_core.ports.inference import Inference, Vector
from tests.contract.inference.conftest import Subject

LONG = 30.0
SHORT = 0.05

ODD_TEXTS = [
    "",
    " ",
    "\x00",
    "a\x00b",
    "\ud83d",
    "half \udc00 pair",
    "😀👩‍👩‍👧‍👦",
    "مرحبا بالعالم",
    "她住在杭州",
    "x" * 10_000,
    "cat " * 10_000,
    "\u202e\u0301\ufeff",
]


def near(left: Vector, right: Vector) -> bool:
    """Equal but for the rounding that another batch brings."""
    return list(left) == pytest.approx(list(right), abs=1e-5)


def test_the_contract_describes_the_vectors(inference: Inference) -> None:
    contract = inference.contract
    (vector,) = inference.embed(["the cat"], "document", LONG)
    assert len(vector) == contract.dimension
    assert contract.model
    assert len(contract.revision) == 64
    assert 0.0 < contract.similarity_floor < 1.0


def test_vectors_are_of_unit_length(inference: Inference) -> None:
    for vector in inference.embed(["the cat", "rain", *ODD_TEXTS], "document", LONG):
        assert math.fsum(value * value for value in vector) == pytest.approx(1.0, abs=1e-5)


def test_values_are_plain_floats(inference: Inference) -> None:
    (vector,) = inference.embed(["the cat"], "query", LONG)
    assert {type(value) for value in vector} == {float}


def test_vectors_come_in_the_order_of_the_texts(inference: Inference) -> None:
    texts = ["the red ship on the rain " * 3, "cat", "the dog sleeps", "rain", "blue " * 9, "hola gato"]
    alone = [inference.embed([text], "document", LONG)[0] for text in texts]
    together = inference.embed(texts, "document", LONG)
    assert all(near(a, b) for a, b in zip(alone, together, strict=True))
    assert not near(alone[0], alone[1])


def test_a_text_has_one_vector_whatever_stands_beside_it(inference: Inference) -> None:
    (alone,) = inference.embed(["cat"], "document", LONG)
    many = inference.embed(["cat", *[f"the ship {'rain ' * n}" for n in range(40)], "cat"], "document", LONG)
    assert near(alone, many[0])
    assert near(alone, many[-1])


def test_no_texts_give_no_vectors(inference: Inference) -> None:
    assert inference.embed([], "query", LONG) == []


@pytest.mark.parametrize("text", ODD_TEXTS, ids=ascii)
def test_any_string_is_legal(inference: Inference, text: str) -> None:
    alone = inference.embed([text], "query", LONG)
    beside = inference.embed(["cat", text], "document", LONG)
    assert near(alone[0], beside[1])


def test_callers_at_once_get_their_own_vectors(inference: Inference) -> None:
    texts = [f"the {word} {number}" for number in range(12) for word in ("cat", "dog", "ship")]
    expected = inference.embed(texts, "document", LONG)

    def ask(number: int) -> list[Vector]:
        purpose = "query" if number % 2 else "document"
        return inference.embed(texts[number : number + 5], purpose, LONG)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(len(texts))))
    for number, answer in enumerate(answers):
        assert all(near(a, b) for a, b in zip(answer, expected[number : number + 5], strict=True))


def test_a_model_that_hangs_costs_its_time_out_and_no_more(subject: Subject) -> None:
    subject.inference.embed(["warm"], "query", LONG)
    subject.hang()
    start = time.monotonic()
    with pytest.raises(InferenceUnavailable):
        subject.inference.embed(["cat"], "query", SHORT)
    assert time.monotonic() - start < 10.0


def test_a_model_that_hung_answers_again_once_it_goes_on(subject: Subject) -> None:
    (before,) = subject.inference.embed(["cat"], "query", LONG)
    subject.hang()
    for _ in range(3):
        with pytest.raises(InferenceUnavailable):
            subject.inference.embed(["dog"], "document", SHORT)
    subject.go_on()
    assert near(subject.inference.embed(["cat"], "query", LONG)[0], before)


def test_a_model_that_fails_is_unavailable_until_it_recovers(subject: Subject) -> None:
    subject.break_down()
    with pytest.raises(InferenceUnavailable, match="out of memory"):
        subject.inference.embed(["cat"], "query", LONG)
    subject.recover()
    assert len(subject.inference.embed(["cat"], "query", LONG)) == 1


def test_without_a_model_everything_is_unavailable(subject: Subject) -> None:
    with pytest.raises(InferenceUnavailable):
        subject.without_model.embed(["cat"], "query", LONG)
    with pytest.raises(InferenceUnavailable):
        _ = subject.without_model.contract
