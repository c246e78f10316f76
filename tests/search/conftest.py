"""An engine whose index is the embedded one and whose embedder knows a few meanings."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from reflexio_core.adapters.sqlite_index import SqliteIndex
from reflexio_core.engine.context import Engine
from tests.doubles.engine import make_engine
from tests.search.meanings import Meanings


@pytest.fixture
def embedder() -> Meanings:
    """The embedder."""
    return Meanings()


@pytest.fixture
def engine(tmp_path: Path, embedder: Meanings) -> Iterator[Engine]:
    """An engine over doubles and a real index."""
    index = SqliteIndex(tmp_path / "index.db")
    index.prepare(embedder.contract)
    yield make_engine(index=index, inference=embedder)
    index.close()
