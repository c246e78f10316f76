"""Engine tests that depend on what a store does run on the double and on SQLite."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from reflexio_core.adapters.sqlite.store import SqliteStore
from reflexio_core.engine.context import Engine
from reflexio_core.ports.store import Store
from tests.doubles.engine import make_engine
from tests.doubles.memory_store import MemoryStore
from tests.doubles.ports import FixedClock


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A fresh store of each kind."""
    opened: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "record.db")
    yield opened
    opened.close()


@pytest.fixture
def clock() -> FixedClock:
    """The engine's clock."""
    return FixedClock()


@pytest.fixture
def engine(store: Store, clock: FixedClock) -> Engine:
    """An engine over doubles and the store."""
    return make_engine(store=store, clock=clock)
