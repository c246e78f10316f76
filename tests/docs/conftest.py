"""One service for all commands of a module, and a fresh shell for each."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.live_service import Shell
from tests.embedded.services import Service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A ready service without a key."""
    with Service(tmp_path_factory.mktemp("service") / "data") as running:
        yield running


@pytest.fixture
def shell(service: Service, tmp_path: Path) -> Iterator[Shell]:
    """Where commands run."""
    shell = Shell(tmp_path, service)
    yield shell
    shell.close()
