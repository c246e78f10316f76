"""The Inference port on ONNX Runtime, in this process."""

import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from reflexio_core.adapters.onnx.manifest import Manifest, read_manifest
from reflexio_core.adapters.onnx.worker import Worker
from reflexio_core.errors import InferenceUnavailable
from reflexio_core.ports.inference import ModelContract, Purpose, Vector

if TYPE_CHECKING:
    from reflexio_core.adapters.onnx.encoder import Encoder, OpenSession

NEEDS_EXTRA = "embeddings need more packages: pip install 'reflexio-serverless[embedded]'"


class OnnxInference:
    """See ``ports.inference.Inference``. Thread-safe.

    ``model_dir`` holds ``manifest.json`` and the files that it names (``prepare`` makes one). The weights are loaded
    by the first ``embed``, within its time-out or, failing that, for the next call. ``threads`` is the number of
    threads that one inference uses. ``open_session`` opens the weights; the default is ONNX Runtime on the CPU.
    """

    def __init__(self, model_dir: Path, threads: int = 1, open_session: "OpenSession | None" = None) -> None:
        self._folder = model_dir
        self._threads = threads
        self._open_session = open_session
        self._worker = Worker("reflexio-embedding")
        self._lock = threading.Lock()
        self._manifest: Manifest | None = None
        self._encoder: Encoder | None = None

    @cached_property
    def contract(self) -> ModelContract:
        """See ``Inference.contract``. Raises ``InferenceUnavailable`` if no model is installed."""
        return self._read_manifest().contract

    def embed(self, texts: Sequence[str], purpose: Purpose, timeout_seconds: float) -> list[Vector]:
        """See ``Inference.embed``. Any string is legal; queries go before documents."""
        if not texts:
            return []
        self._read_manifest()
        vectors: list[Vector] = []
        try:
            self._worker.run(self._steps(texts, purpose, vectors), timeout_seconds, first=purpose == "query")
        except InferenceUnavailable:
            raise
        except ImportError as error:
            raise InferenceUnavailable(f"{NEEDS_EXTRA} ({error})") from error
        except Exception as error:
            raise InferenceUnavailable(f"the embedding model failed: {type(error).__name__}: {error}") from error
        return vectors

    def close(self) -> None:
        """End the worker thread; later calls raise ``InferenceUnavailable``."""
        self._worker.close()

    def _steps(self, texts: Sequence[str], purpose: Purpose, vectors: list[Vector]) -> Iterator[None]:
        if self._encoder is None:
            self._encoder = self._load()
        yield from self._encoder.steps(texts, purpose, vectors)

    def _load(self) -> "Encoder":
        from reflexio_core.adapters.onnx.encoder import load_encoder
        from reflexio_core.adapters.onnx.session import RuntimeSession

        return load_encoder(self._folder, self._read_manifest(), self._threads, self._open_session or RuntimeSession)

    def _read_manifest(self) -> Manifest:
        with self._lock:
            if self._manifest is None:
                self._manifest = read_manifest(self._folder)
            return self._manifest


class UnavailableInference:
    """The Inference port without a model: everything raises ``InferenceUnavailable`` with ``reason``."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    @property
    def contract(self) -> ModelContract:
        """Always raises."""
        raise InferenceUnavailable(self._reason)

    def embed(self, texts: Sequence[str], purpose: Purpose, timeout_seconds: float) -> list[Vector]:  # noqa: ARG002 - the port's form
        """Always raises, at once."""
        raise InferenceUnavailable(self._reason)
