"""The index adapters under contract."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reflexio_core.adapters.sqlite_index import SqliteIndex
from reflexio_core.ports.index import Index
from tests.contract.index.docs import CONTRACT

OpenIndex = Callable[[], Index]
"""Opens one more index on the same data, as another process would, prepared for ``CONTRACT``."""


@pytest.fixture(params=["sqlite-fts5"])
def open_unprepared(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenIndex]:
    """Indexes on one empty data set; closed at the end of the test."""
    opened: list[Index] = []
    makers: dict[str, OpenIndex] = {"sqlite-fts5": lambda: SqliteIndex(tmp_path / "index.db")}

    def open_one() -> Index:
        opened.append(makers[request.param]())
        return opened[-1]

    yield open_one
    for index in opened:
        index.close()


@pytest.fixture
def open_index(open_unprepared: OpenIndex) -> OpenIndex:
    """Opens prepared indexes on the same data."""

    def open_one() -> Index:
        index = open_unprepared()
        index.prepare(CONTRACT)
        return index

    return open_one


@pytest.fixture
def index(open_index: OpenIndex) -> Index:
    """An empty index, prepared."""
    return open_index()
