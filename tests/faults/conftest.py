"""A world for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal

from tests.api.conftest import portal
from tests.faults.world import World

__all__ = ["portal"]


@pytest.fixture
def world(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    """A fresh service."""
    loop: BlockingPortal = request.getfixturevalue("portal")
    made = World(tmp_path, loop)
    yield made
    made.close()
