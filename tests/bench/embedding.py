"""What precision, batch bounds and the worker thread cost or gain, as ratios taken in one run.

Run: ``python -m tests.bench.embedding``. Measures the model that ``reflexio model prepare`` installs, and installs it
if need be. Everything runs on one thread. The variants take turns, so that whatever else the machine does falls on all
of them alike.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer

from reflexio_core.adapters.onnx import OnnxInference, prepare
from reflexio_core.adapters.onnx.batches import MAX_TOKENS, plan_batches
from reflexio_core.adapters.onnx.encoder import Encoder
from reflexio_core.adapters.onnx.manifest import TOKENIZER, WEIGHTS, read_manifest
from reflexio_core.adapters.onnx.session import RuntimeSession
from reflexio_core.ports.inference import Vector
from tests.bench.embedding_texts import DOCUMENTS, QUERIES

ROUNDS = 200
BATCH_ROUNDS = 5
BATCH_TEXTS = 64
BOUNDS = (64, 128, 256, 512, 1024, 4096)
QUANTISED: dict[str, list[str]] = {"int8 MatMul": ["MatMul"], "int8 MatMul+Gather": ["MatMul", "Gather"]}

Matrix = NDArray[np.float32]
Rows = list[tuple[str, float]]


@dataclass(frozen=True)
class Variant:
    """One precision, loaded."""

    name: str
    size: int
    session: RuntimeSession
    encoder: Encoder

    def embed(self, texts: tuple[str, ...]) -> Matrix:
        """Vectors, one row a text."""
        vectors: list[Vector] = []
        for _ in self.encoder.steps(texts, "query", vectors):
            pass
        return np.array(vectors, dtype=np.float32)


def main() -> None:
    """Print every ratio, one a line."""
    model = prepare()
    with tempfile.TemporaryDirectory() as scratch:
        variants = list(_variants(model, Path(scratch)))
        for name, value in [*_precision(variants), *_bounds(variants[0]), *_overhead(model, variants[0])]:
            sys.stdout.write(f"{name:62} {value:8.4f}\n")


def _variants(model: Path, scratch: Path) -> Iterator[Variant]:
    yield _load("fp32", model, model / WEIGHTS)
    for name, operators in QUANTISED.items():
        path = scratch / f"{name}.onnx"
        quantize_dynamic(
            model / WEIGHTS, path, op_types_to_quantize=operators, per_channel=True, weight_type=QuantType.QInt8
        )
        yield _load(name, model, path)


def _load(name: str, model: Path, weights: Path) -> Variant:
    encoding = read_manifest(model).encoding
    tokenizer = Tokenizer.from_file(str(model / TOKENIZER))
    tokenizer.no_padding()
    tokenizer.enable_truncation(encoding.token_limit)
    session = RuntimeSession(weights, 1)
    return Variant(name, weights.stat().st_size, session, Encoder(encoding, tokenizer, session))


def _precision(variants: list[Variant]) -> Rows:
    """Each variant against the first: time, size, vectors, neighbours, and whether a vector depends on its batch."""
    batch = tuple((document + ". ") * 3 for document in (DOCUMENTS * 3)[:BATCH_TEXTS])
    query_times = _turns([lambda v=v: v.embed(QUERIES[:1]) for v in variants], ROUNDS)
    batch_times = _turns([lambda v=v: v.embed(batch) for v in variants], BATCH_ROUNDS)
    exact = variants[0].embed(DOCUMENTS)
    exact_order = _ranking(variants[0].embed(QUERIES), exact)
    rows: Rows = []
    for number, variant in enumerate(variants):
        documents = variant.embed(DOCUMENTS)
        agreement = (documents * exact).sum(axis=1)
        order = _ranking(variant.embed(QUERIES), documents)
        alone = np.vstack([variant.embed((document,)) for document in DOCUMENTS])
        together = (alone * documents).sum(axis=1)
        for name, value in (
            ("query time / fp32", query_times[number] / query_times[0]),
            ("batch time / fp32", batch_times[number] / batch_times[0]),
            ("file size / fp32", variant.size / variants[0].size),
            ("cosine with fp32, mean", agreement.mean()),
            ("cosine with fp32, least", agreement.min()),
            ("first neighbour the same as fp32", (order[:, 0] == exact_order[:, 0]).mean()),
            ("first three neighbours shared with fp32", _shared(order[:, :3], exact_order[:, :3])),
            ("right learning first", (order[:, 0] == np.arange(len(QUERIES))).mean()),
            ("right learning in the first three", (order[:, :3] == np.arange(len(QUERIES))[:, None]).any(1).mean()),
            ("cosine of a text alone and in a batch, least", together.min()),
        ):
            rows.append((f"{variant.name}: {name}", float(value)))
    return rows


def _ranking(queries: Matrix, documents: Matrix) -> NDArray[np.int64]:
    return np.argsort(-(queries @ documents.T), axis=1, kind="stable")


def _shared(left: NDArray[np.int64], right: NDArray[np.int64]) -> float:
    return float(np.mean([len(set(a) & set(b)) / len(a) for a, b in zip(left, right, strict=True)]))


def _bounds(variant: Variant) -> Rows:
    """Time of 256 texts in batches of several bounds, and of the longest wait for one batch, in query times."""
    texts = tuple(f"{document} {number}" for number in range(10) for document in DOCUMENTS)[:256]
    encoder = variant.encoder
    tokens = encoder.tokenise(texts, "document")
    plans = {bound: plan_batches([len(t) for t in tokens], 1024, bound) for bound in BOUNDS}

    def run(bound: int) -> None:
        for batch in plans[bound]:
            encoder.encode([tokens[position] for position in batch])

    times = dict(zip(plans, _turns([lambda b=b: run(b) for b in plans], BATCH_ROUNDS), strict=True))
    return [
        (f"fp32: 256 texts in batches of {bound} tokens / of {MAX_TOKENS}", times[bound] / times[MAX_TOKENS])
        for bound in plans
    ]


def _overhead(model: Path, variant: Variant) -> Rows:
    """A query through the adapter and its thread, against the bare run of the session on the same tokens."""
    inference = OnnxInference(model)
    query = QUERIES[0]
    ids = np.array(variant.encoder.tokenise([query], "query"), dtype=np.int64)
    feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    inference.embed([query], "query", 30)
    bare, encoder, adapter = _turns(
        [
            lambda: variant.session.run(feeds),
            lambda: variant.embed((query,)),
            lambda: inference.embed([query], "query", 30),
        ],
        ROUNDS,
    )
    inference.close()
    return [
        ("a bare run of one query, ms", bare * 1e3),
        ("encoder on the caller's thread / bare run", encoder / bare),
        ("adapter, with its thread / bare run", adapter / bare),
    ]


def _turns(calls: list[Callable[[], object]], rounds: int) -> list[float]:
    """The median time of each, in seconds; they take turns."""
    times: list[list[float]] = [[] for _ in calls]
    for call in calls:
        call()
    for _ in range(rounds):
        for call, taken in zip(calls, times, strict=True):
            start = time.perf_counter()
            call()
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


if __name__ == "__main__":
    main()
