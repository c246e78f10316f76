"""An embedder that knows words and nothing else: texts without a common word are at right angles."""

import hashlib
import re
from collections.abc import Sequence

from reflexio_core.ports.inference import ModelContract, Purpose, Vector

DIMENSION = 384
_IGNORED = frozenset(["a", "an", "and", "for", "in", "is", "it", "my", "of", "on", "the", "to", "with", "user"])


class WordInference:
    """Each word has a direction of its own, up to rare collisions."""

    def __init__(self, dimension: int = DIMENSION, name: str = "words") -> None:
        self.contract = ModelContract(name, "0" * 64, dimension, 0.3)

    def embed(self, texts: Sequence[str], purpose: Purpose, timeout_seconds: float) -> list[Vector]:
        """See ``Inference.embed``."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        vector = [0.0] * self.contract.dimension
        words = [word for word in re.findall(r"\w+", text.casefold()) if word not in _IGNORED]
        for word in words or [text]:
            digest = hashlib.sha256(word.encode("utf-8", "replace")).digest()
            vector[int.from_bytes(digest[:4]) % len(vector)] += 1.0
        length = sum(value * value for value in vector) ** 0.5
        return [value / length for value in vector]
