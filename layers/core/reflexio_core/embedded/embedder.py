"""The embedding model of this machine: loaded from where ``reflexio model prepare`` put it, or named as missing."""

import logging
from dataclasses import dataclass

from reflexio_core.adapters.onnx import OnnxInference, UnavailableInference, default_model_dir, is_prepared
from reflexio_core.errors import InferenceUnavailable
from reflexio_core.ports.inference import Inference, ModelContract

WARM_UP_SECONDS = 60.0

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Embedder:
    """An inference port and its contract, or None and the ``problem`` if there is no model."""

    inference: Inference
    contract: ModelContract | None
    problem: str = ""

    def warm_up(self) -> None:
        """Load the weights now, so that the first search does not wait for them."""
        if self.contract is None:
            return
        try:
            self.inference.embed(["warm up"], "query", WARM_UP_SECONDS)
        except InferenceUnavailable as error:
            _LOG.warning("the embedding model does not load, so search finds words only: %s", error)

    def close(self) -> None:
        """End its thread."""
        if isinstance(self.inference, OnnxInference):
            self.inference.close()


def open_embedder() -> Embedder:
    """The installed model, or the reason why there is none."""
    folder = default_model_dir()
    if not is_prepared(folder):
        problem = f"no embedding model in {folder}; run `reflexio model prepare`"
        return Embedder(UnavailableInference(problem), None, problem)
    inference = OnnxInference(folder)
    try:
        return Embedder(inference, inference.contract)
    except InferenceUnavailable as error:
        return Embedder(inference, None, str(error))
