"""The adapters under contract, one parameter each."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from reflexio_core.adapters.onnx import OnnxInference, prepare
from reflexio_core.ports.inference import Inference
from tests.models.sessions import SpySession
from tests.models.tiny_bert import tiny_contents, tiny_model, write_wheel


@dataclass(frozen=True)
class Subject:
    """An adapter, and what the suite does to the model behind it."""

    inference: Inference
    without_model: Inference
    hang: Callable[[], None]
    go_on: Callable[[], None]
    break_down: Callable[[], None]
    recover: Callable[[], None]


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model, installed."""
    folder = tmp_path_factory.mktemp("tiny")
    contents = tiny_contents()
    return prepare(folder / "model", write_wheel(folder, contents), model=tiny_model(contents))


@pytest.fixture(params=["onnx"])
def subject(request: pytest.FixtureRequest, tiny_folder: Path, tmp_path: Path) -> Iterator[Subject]:
    """One adapter with its model."""
    spy = SpySession()
    inference = OnnxInference(tiny_folder, open_session=spy.open)
    yield Subject(
        inference,
        OnnxInference(tmp_path / "nothing"),
        hang=spy.gate.clear,
        go_on=spy.gate.set,
        break_down=lambda: setattr(spy, "error", RuntimeError("out of memory")),
        recover=lambda: setattr(spy, "error", None),
    )
    spy.gate.set()
    inference.close()


@pytest.fixture
def inference(subject: Subject) -> Inference:
    """The adapter alone."""
    return subject.inference
