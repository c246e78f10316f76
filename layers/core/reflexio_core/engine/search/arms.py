"""Ask the index: embed the question once, search all kinds in one round trip, fuse each kind's rankings.

Without an embedder that answers, or over vectors of another model, words alone are searched and the outcome says so.
An index that cannot answer is an error, never an empty result.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reflexio.models.enums import SearchMode
from reflexio_core.engine.context import Engine
from reflexio_core.engine.search.fusion import fuse
from reflexio_core.errors import InferenceUnavailable, ModelMismatch
from reflexio_core.ports.index import ArmQuery, ArmResult, Hit, IndexFilter
from reflexio_core.ports.inference import Vector

CANDIDATES = 5
"""Each arm gives this many times the rows wanted: what one arm ranks low, the other may rank high."""

EMBEDDINGS = "embeddings"
"""The part that is missing when words alone are searched."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. Without a text, or with a blank one, the newest rows are the answer.

    ``threshold`` is the cosine that a hit by meaning must exceed; None takes the model's own.
    """

    text: str | None
    mode: SearchMode = SearchMode.HYBRID
    threshold: float | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """Hits of each kind asked for, best first; how they were searched; why embeddings are missing, if they are."""

    hits: list[list[Hit]]
    mode: SearchMode
    missing: str = ""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as the index takes it."""

    text: str | None
    mode: SearchMode
    vector: Vector | None = None
    floor: float = 0.0
    missing: str = ""


def find(engine: Engine, question: Question, filters: Sequence[IndexFilter], wanted: int) -> Findings:
    """At least ``wanted`` hits for each filter, where there are so many.

    Raises ``IndexUnavailable``.
    """
    if not filters:
        return Findings([], question.mode)
    asked = _ask(engine, question)
    try:
        results = _search(engine, asked, filters, wanted)
    except ModelMismatch as error:
        asked = replace(asked, text=question.text, mode=SearchMode.FTS, vector=None, missing=str(error))
        results = _search(engine, asked, filters, wanted)
    return Findings([_ranked(asked, result) for result in results], asked.mode, asked.missing)


def _ask(engine: Engine, question: Question) -> _Asked:
    text = question.text if question.text and question.text.strip() else None
    if text is None or question.mode is SearchMode.FTS:
        return _Asked(text, question.mode)
    try:
        vector = engine.query_vectors.embed(engine.inference, text, engine.settings.query_embed_timeout_seconds)
        floor = engine.inference.contract.similarity_floor if question.threshold is None else question.threshold
    except InferenceUnavailable as error:
        return _Asked(text, SearchMode.FTS, missing=str(error))
    return _Asked(text if question.mode is SearchMode.HYBRID else None, question.mode, vector, floor)


def _search(engine: Engine, asked: _Asked, filters: Sequence[IndexFilter], wanted: int) -> list[ArmResult]:
    limit = wanted * (1 if asked.text is None and asked.vector is None else CANDIDATES)
    return engine.index.search([ArmQuery(where, asked.text, asked.vector, asked.floor, limit) for where in filters])


def _ranked(asked: _Asked, result: ArmResult) -> list[Hit]:
    if asked.text is not None and asked.vector is not None:
        return fuse([result.text, result.vector])
    if asked.vector is not None:
        return list(result.vector)
    return list(result.newest if asked.text is None else result.text)
