"""A terminal, and a real engine behind it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from reflexio_core.api.app import create_app
from reflexio_core.api.settings import AccessSettings
from reflexio_core.embedded.data_folder import IN_PROCESS
from reflexio_core.embedded.settings import EmbeddedSettings
from reflexio_core.embedded.wiring import Runtime, build_engine
from tests.cli.terminal import InProcess, Terminal


@pytest.fixture(autouse=True)
def bare_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No setting of the person who runs the tests; what a command reads from ``.env`` files is gone afterwards."""
    before = dict(os.environ)
    for name in before:
        if name.startswith("REFLEXIO_") or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    inside = dict(os.environ)
    yield
    for name in set(os.environ) - set(inside):
        del os.environ[name]


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal without a service."""
    return Terminal(capsys, monkeypatch)


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    """One event loop for a module's tests."""
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    """A real engine without a model: it learns by rules and finds words."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFLEXIO_MODEL_DIR", str(tmp_path_factory.mktemp("no-model")))
        settings = EmbeddedSettings(data=tmp_path_factory.mktemp("data"))
        with build_engine(settings, IN_PROCESS, environment={}) as runtime:
            yield runtime


@pytest.fixture
def service(terminal: Terminal, runtime: Runtime, portal: BlockingPortal) -> InProcess:
    """Lets the terminal's commands reach the engine; knows what was called."""
    transport = InProcess(create_app(runtime.engine, AccessSettings()), portal)
    terminal.connect(transport)
    return transport
