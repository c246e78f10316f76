"""Unified search over HTTP against a bare query embedding and against an empty route, at two sizes."""

from collections.abc import Iterator
from dataclasses import dataclass

from reflexio_core.adapters.onnx import OnnxInference
from tests.bench.embedding_texts import DOCUMENTS
from tests.bench.ratios import Ratio, medians
from tests.bench.seeding import USER, seed
from tests.bench.service import Connection, scratch, service

ROUNDS = 120
QUERY_WORDS = 6
SMALL, LARGE = 1_000, 10_000


@dataclass(frozen=True)
class SearchTimes:
    """Median seconds at one size."""

    new: float
    cached: float
    embedding: float
    empty: float


def ratios(inference: OnnxInference) -> Iterator[Ratio]:
    """Measure both sizes, one service after the other."""
    small, large = _measure(inference, SMALL), _measure(inference, LARGE)
    yield Ratio(f"search, new query, 3 x {SMALL:,} rows / bare query embedding", small.new / small.embedding, 3)
    yield Ratio(f"search, cached query, 3 x {SMALL:,} rows / empty route", small.cached / small.empty, 3)
    yield Ratio(f"search, new query, 3 x {LARGE:,} rows / 3 x {SMALL:,} rows", large.new / small.new, 3)
    yield Ratio(f"search, cached query, 3 x {LARGE:,} rows / 3 x {SMALL:,} rows", large.cached / small.cached, 3)


def _measure(inference: OnnxInference, rows: int) -> SearchTimes:
    with scratch() as data:
        seed(data, rows, inference)
        with service(data) as running:
            connection = Connection(running.port)

            def query(number: int) -> str:
                # The beginning of a learning; a number at the end makes it new without changing its length in tokens.
                beginning = DOCUMENTS[number % len(DOCUMENTS)].split()[:QUERY_WORDS]
                return f"{' '.join(beginning)} {number:04d}"

            def search(text: str) -> None:
                found = connection.post("/api/search", {"query": text, "user_id": USER})
                if len(found["profiles"]) != 5 or found["degraded"]:
                    raise RuntimeError(f"the search did not do its work: {found}")

            taken = medians(
                {
                    "empty": lambda _: connection.get("/health/live"),
                    "new": lambda number: search(query(number)),
                    "embedding": lambda number: inference.embed([query(number)], "query", 10.0),
                    "cached": lambda number: search(query(number)),
                },
                ROUNDS,
            )
            connection.close()
    return SearchTimes(taken["new"], taken["cached"], taken["embedding"], taken["empty"])
