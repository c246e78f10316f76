"""An embedder that knows a few meanings, so that tests can tell a hit by meaning from one by words."""

import threading
from collections.abc import Sequence

from reflexio_core.errors import InferenceUnavailable
from reflexio_core.ports.inference import ModelContract, Purpose, Vector

_MEANINGS = (
    ("vegan", "meal", "dinner", "eats"),
    ("region", "deploy", "deployment", "us-west-2"),
    ("nurse", "job", "works"),
    ("terse", "short", "brief"),
)


class Meanings:
    """A vector has one dimension for each meaning, and a last one for texts without any.

    With ``fails`` every call raises, with ``hangs`` it waits for its time-out; ``asked`` are the texts embedded.
    """

    def __init__(self) -> None:
        self.contract = ModelContract("meanings", "m" * 64, len(_MEANINGS) + 1, 0.3)
        self.asked: list[str] = []
        self.fails = False
        self.hangs = False

    def embed(self, texts: Sequence[str], purpose: Purpose, timeout_seconds: float) -> list[Vector]:
        """See ``Inference.embed``."""
        if self.hangs:
            threading.Event().wait(timeout_seconds)
        if self.fails or self.hangs:
            raise InferenceUnavailable("the embedder is out of order")
        self.asked.extend(texts)
        return [_vector(text) for text in texts]


def _vector(text: str) -> Vector:
    words = text.lower().split()
    counts = [float(sum(word in words for word in meaning)) for meaning in _MEANINGS]
    counts.append(0.0 if any(counts) else 1.0)
    length = sum(count * count for count in counts) ** 0.5
    return tuple(count / length for count in counts)
