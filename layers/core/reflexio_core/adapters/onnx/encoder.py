"""Text to vectors with ONNX Runtime: tokens, batches, pooling. The one module that knows the runtime's interface."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from reflexio_core.adapters.onnx.batches import plan_batches
from reflexio_core.adapters.onnx.manifest import (
    REMEDY,
    TOKENIZER,
    WEIGHTS,
    Encoding,
    Manifest,
    content_problems,
)
from reflexio_core.errors import InferenceUnavailable
from reflexio_core.ports.inference import Purpose, Vector

_CHARACTERS_PER_TOKEN = 100
"""The longest word that WordPiece splits. Text beyond ``token_limit`` such words is cut before tokenising, since the
tokenizer reads all of a text to keep a few hundred tokens."""

_TOKENISED_AT_ONCE = 128
"""Texts tokenised in one step: about as long as a batch takes."""

Feeds = dict[str, NDArray[np.int64]]


class Session(Protocol):
    """The part of an inference session that the encoder uses."""

    input_names: tuple[str, ...]

    def run(self, feeds: Feeds) -> NDArray[np.float32]:
        """Token vectors of shape (texts, tokens, width)."""
        ...


OpenSession = Callable[[Path, int], Session]
"""Opens the weights at a path for a number of threads."""


class Encoder:
    """A loaded model. Not thread-safe: one thread at a time."""

    def __init__(self, encoding: Encoding, tokenizer: Any, session: Session) -> None:
        self._encoding = encoding
        self._tokenizer = tokenizer
        self._session = session

    def steps(self, texts: Sequence[str], purpose: Purpose, vectors: list[Vector]) -> Iterator[None]:
        """Append the vectors of ``texts`` to ``vectors``, in order, in steps short enough to let others in between.

        Raises ``InferenceUnavailable`` if the model's output is not of the promised form; the runtime's own errors
        pass through.
        """
        tokens: list[list[int]] = []
        for start in range(0, len(texts), _TOKENISED_AT_ONCE):
            if start:
                yield
            tokens.extend(self.tokenise(texts[start : start + _TOKENISED_AT_ONCE], purpose))
        found: list[Vector] = [()] * len(texts)
        for number, batch in enumerate(plan_batches([len(ids) for ids in tokens])):
            if number:
                yield
            encoded = self.encode([tokens[position] for position in batch]).tolist()
            for position, vector in zip(batch, encoded, strict=True):
                found[position] = vector
        vectors.extend(found)

    def tokenise(self, texts: Sequence[str], purpose: Purpose) -> list[list[int]]:
        """Token ids of each text with its prefix, cut to the token limit, not padded."""
        prefix = self._encoding.prefixes[purpose]
        limit = self._encoding.token_limit * _CHARACTERS_PER_TOKEN
        # "replace" because half a surrogate pair is legal in a str and in JSON, but not in UTF-8.
        cleaned = [(prefix + text)[:limit].encode("utf-8", "replace").decode() for text in texts]
        if len(cleaned) == 1:
            return [self._tokenizer.encode(cleaned[0]).ids]
        return [encoded.ids for encoded in self._tokenizer.encode_batch_fast(cleaned)]

    def encode(self, tokens: list[list[int]]) -> NDArray[np.float32]:
        """Vectors of shape (texts, dimension) from one run of the session, padded to the longest of ``tokens``."""
        ids = np.zeros((len(tokens), max(map(len, tokens))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, text in enumerate(tokens):
            ids[row, : len(text)] = text
            mask[row, : len(text)] = 1
        offered = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run({name: offered[name] for name in self._session.input_names})
        return self._pool(hidden, mask)

    def _pool(self, hidden: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        encoding = self._encoding
        if hidden.ndim != 3 or hidden.shape[:2] != mask.shape or hidden.shape[2] < encoding.dimension:
            raise InferenceUnavailable(
                f"the model gave values of shape {hidden.shape} instead of {encoding.dimension} for each token"
            )
        if encoding.pooling == "cls":
            pooled = hidden[:, 0, :]
        else:
            weights = mask.astype(np.float32)
            pooled = (weights[:, None, :] @ hidden)[:, 0, :] / weights.sum(axis=1, keepdims=True)
        pooled = pooled[:, : encoding.dimension]
        if not np.isfinite(pooled).all():
            raise InferenceUnavailable("the model gave values that are not finite")
        if encoding.normalise:
            pooled = pooled / np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), 1e-12)
        return pooled


def load_encoder(folder: Path, manifest: Manifest, threads: int, open_session: OpenSession) -> Encoder:
    """Check every file against its digest, then load. Raises ``InferenceUnavailable`` naming what is wrong."""
    from tokenizers import Tokenizer

    problems = content_problems(folder, manifest)
    if problems:
        raise InferenceUnavailable(f"{'; '.join(problems)}: {REMEDY}")
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    # Published tokenizers come set to pad to a fixed length; here padding belongs to the batch.
    tokenizer.no_padding()
    tokenizer.enable_truncation(manifest.encoding.token_limit)
    return Encoder(manifest.encoding, tokenizer, open_session(folder / WEIGHTS, threads))
