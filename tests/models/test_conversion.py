"""The converted graph computes what the checkpoint means."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from reflexio_core.adapters.onnx.bert import convert_bert
from reflexio_core.adapters.onnx.session import RuntimeSession
from reflexio_core.errors import InvalidInput
from tests.models.tiny_bert import WIDTH, Array, forward, tiny_config, tiny_weights

TEXTS = [[2, 5, 6, 3], [2, 9, 4, 7, 12, 5, 6, 3], [2, 3]]


def convert(folder: Path, weights: dict[str, Array], **config: object) -> RuntimeSession:
    """The runtime's session on converted ``weights``."""
    save_file(weights, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(tiny_config() | config))
    convert_bert(folder / "model.safetensors", folder / "config.json", folder / "model.onnx")
    return RuntimeSession(folder / "model.onnx", 1)


def run(session: RuntimeSession, texts: list[list[int]]) -> Array:
    """Token vectors of padded texts."""
    longest = max(map(len, texts))
    ids = np.array([text + [0] * (longest - len(text)) for text in texts], dtype=np.int64)
    mask = np.array([[1] * len(text) + [0] * (longest - len(text)) for text in texts], dtype=np.int64)
    return session.run({"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)})


def test_the_graph_equals_the_reference_forward_pass(tmp_path: Path) -> None:
    weights = tiny_weights()
    session = convert(tmp_path, weights)
    for text in TEXTS:
        np.testing.assert_allclose(run(session, [text])[0], forward(weights, text), atol=2e-5)


def test_padding_changes_no_token_of_a_text(tmp_path: Path) -> None:
    weights = tiny_weights(seed=8)
    hidden = run(convert(tmp_path, weights), TEXTS)
    assert hidden.shape == (len(TEXTS), max(map(len, TEXTS)), WIDTH)
    for row, text in zip(hidden, TEXTS, strict=True):
        np.testing.assert_allclose(row[: len(text)], forward(weights, text), atol=2e-5)


def test_prefixed_and_half_precision_tensors_are_read(tmp_path: Path) -> None:
    halves = {name: tensor.astype(np.float16) for name, tensor in tiny_weights().items()}
    session = convert(tmp_path, {f"bert.{name}": tensor for name, tensor in halves.items()})
    np.testing.assert_allclose(run(session, TEXTS[:1])[0], forward(halves, TEXTS[0]), atol=2e-5)


def test_the_same_weights_give_the_same_file(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    for folder in ("a", "b"):
        convert(tmp_path / folder, tiny_weights())
    assert (tmp_path / "a" / "model.onnx").read_bytes() == (tmp_path / "b" / "model.onnx").read_bytes()


@pytest.mark.parametrize(
    ("name", "value"), [("model_type", "roberta"), ("hidden_act", "relu"), ("position_embedding_type", "relative_key")]
)
def test_another_architecture_is_refused_by_name(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(InvalidInput, match=f"{name} is '{value}'"):
        convert(tmp_path, tiny_weights(), **{name: value})


def test_a_missing_tensor_is_named(tmp_path: Path) -> None:
    weights = tiny_weights()
    del weights["encoder.layer.1.output.dense.bias"]
    with pytest.raises(InvalidInput, match=r"encoder\.layer\.1\.output\.dense\.bias"):
        convert(tmp_path, weights)
