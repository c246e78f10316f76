"""Embeddings and reranking."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Purpose = Literal["document", "query"]
Vector = Sequence[float]


@dataclass(frozen=True, slots=True)
class ModelContract:
    """What makes two vectors comparable: model name, revision (a digest) and dimension.

    ``similarity_floor`` is the cosine below which this model's neighbours mean nothing.
    """

    model: str
    revision: str
    dimension: int
    similarity_floor: float

    @property
    def fingerprint(self) -> str:
        """``model@revision/dimension``: one index version per fingerprint."""
        return f"{self.model}@{self.revision[:12]}/{self.dimension}"


class Inference(Protocol):
    """Turns text into unit vectors. Raises ``InferenceUnavailable``."""

    @property
    def contract(self) -> ModelContract:
        """The contract of the loaded model; does not load the weights."""
        ...

    def embed(self, texts: Sequence[str], purpose: Purpose, timeout_seconds: float) -> list[Vector]:
        """One L2-normalised vector of ``contract.dimension`` floats per text, in order.

        Waits at most ``timeout_seconds``, then raises ``InferenceUnavailable``.
        """
        ...
