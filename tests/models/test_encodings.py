"""Another encoder is other data: pooling, prefix, dimension, limits and files stand in the manifest."""

import json
import math
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from reflexio_core.adapters.onnx import UnavailableInference, is_prepared, verify
from reflexio_core.adapters.onnx.encoder import Feeds
from reflexio_core.adapters.onnx.manifest import read_manifest
from reflexio_core.errors import InferenceUnavailable
from tests.models.conftest import Open
from tests.models.tiny_bert import TOKEN_LIMIT, forward, tiny_tokenizer, tiny_weights

TEXT = "the cat sleeps on the red ship"
LONG = 30.0


@pytest.fixture
def folder(tiny_folder: Path, tmp_path: Path) -> Path:
    """A copy of the tiny model, to be changed."""
    return Path(shutil.copytree(tiny_folder, tmp_path / "model"))


def change(folder: Path, **settings: object) -> None:
    """Install another encoding of the same weights."""
    manifest = read_manifest(folder)
    encoding = replace(manifest.encoding, **settings)  # type: ignore[arg-type]
    replace(manifest, encoding=encoding).write(folder)


def hidden(text: str) -> NDArray[np.float32]:
    """The reference's token vectors."""
    tokenizer = tiny_tokenizer()
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKEN_LIMIT)
    return forward(tiny_weights(), tokenizer.encode(text).ids)


def unit(vector: NDArray[np.float32]) -> list[float]:
    """Of length 1."""
    return (vector / np.linalg.norm(vector)).tolist()


def test_mean_pooling_is_the_mean_of_the_tokens(open_inference: Open, folder: Path) -> None:
    (vector,) = open_inference(folder).embed([TEXT], "query", LONG)
    assert vector == pytest.approx(unit(hidden(TEXT).mean(axis=0)), abs=1e-5)


def test_mean_pooling_leaves_padding_out(open_inference: Open, folder: Path) -> None:
    vectors = open_inference(folder).embed([TEXT, "cat"], "query", LONG)
    assert vectors[1] == pytest.approx(unit(hidden("cat").mean(axis=0)), abs=1e-5)


def test_cls_pooling_is_the_first_token(open_inference: Open, folder: Path) -> None:
    change(folder, pooling="cls")
    (vector,) = open_inference(folder).embed([TEXT], "query", LONG)
    assert vector == pytest.approx(unit(hidden(TEXT)[0]), abs=1e-5)


def test_each_purpose_has_its_prefix(open_inference: Open, folder: Path) -> None:
    change(folder, prefixes={"document": "ship: ", "query": "rain: "})
    inference = open_inference(folder)
    for purpose, prefix in (("document", "ship: "), ("query", "rain: ")):
        (vector,) = inference.embed([TEXT], purpose, LONG)  # type: ignore[arg-type]
        assert vector == pytest.approx(unit(hidden(prefix + TEXT).mean(axis=0)), abs=1e-5)


def test_a_smaller_dimension_keeps_the_first_values_at_unit_length(open_inference: Open, folder: Path) -> None:
    change(folder, dimension=8)
    inference = open_inference(folder)
    (vector,) = inference.embed([TEXT], "query", LONG)
    assert inference.contract.dimension == 8
    assert vector == pytest.approx(unit(hidden(TEXT).mean(axis=0)[:8]), abs=1e-5)


def test_an_encoder_may_be_used_without_normalising(open_inference: Open, folder: Path) -> None:
    change(folder, normalise=False)
    (vector,) = open_inference(folder).embed([TEXT], "query", LONG)
    assert vector == pytest.approx(hidden(TEXT).mean(axis=0).tolist(), abs=1e-5)


@pytest.mark.parametrize(
    "settings",
    [
        {"pooling": "cls"},
        {"dimension": 8},
        {"token_limit": 12},
        {"normalise": False},
        {"precision": "int8"},
        {"prefixes": {"document": "", "query": "q: "}},
        {"source_sha256": "0" * 64},
        {"tokenizer_sha256": "0" * 64},
    ],
    ids=lambda settings: next(iter(settings)),
)
def test_whatever_changes_vectors_changes_the_revision(
    open_inference: Open, folder: Path, settings: dict[str, object]
) -> None:
    before = read_manifest(folder).contract
    change(folder, **settings)
    assert open_inference(folder).contract.fingerprint != before.fingerprint
    assert open_inference(folder).contract.revision != before.revision


def test_the_contract_needs_no_weights(open_inference: Open, folder: Path) -> None:
    (folder / "model.onnx").unlink()
    contract = open_inference(folder).contract
    assert (contract.model, contract.dimension, contract.similarity_floor) == ("tiny-bert", 32, 0.25)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_named_with_the_remedy(open_inference: Open, folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert not is_prepared(folder)
    assert name in verify(folder)[0]
    with pytest.raises(InferenceUnavailable, match=f"{name} is missing.*reflexio model prepare"):
        open_inference(folder).embed([TEXT], "query", LONG)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_file_with_one_wrong_byte_is_never_loaded(open_inference: Open, folder: Path, name: str) -> None:
    data = bytearray((folder / name).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / name).write_bytes(data)
    assert is_prepared(folder), "sizes are right: this is the cheap look"
    assert name in verify(folder)[0]
    with pytest.raises(InferenceUnavailable, match=f"{name} is damaged.*reflexio model prepare"):
        open_inference(folder).embed([TEXT], "query", LONG)


def test_a_model_that_is_repaired_is_used_without_a_restart(
    open_inference: Open, folder: Path, tiny_folder: Path
) -> None:
    (folder / "model.onnx").write_bytes(b"")
    inference = open_inference(folder)
    with pytest.raises(InferenceUnavailable):
        inference.embed([TEXT], "query", LONG)
    shutil.copy(tiny_folder / "model.onnx", folder)
    assert len(inference.embed([TEXT], "query", LONG)) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        b'{"encoding": {}, "files": {}, "similarity_floor": 0.3}',
    ],
    ids=ascii,
)
def test_a_damaged_manifest_is_no_model(open_inference: Open, folder: Path, body: bytes) -> None:
    (folder / "manifest.json").write_bytes(body)
    assert not is_prepared(folder)
    assert len(verify(folder)) == 1
    with pytest.raises(InferenceUnavailable, match="reflexio model prepare"):
        _ = open_inference(folder).contract


@pytest.mark.parametrize(
    ("name", "value"), [("pooling", "max"), ("dimension", 0), ("dimension", "384"), ("token_limit", -1)]
)
def test_settings_that_cannot_be_are_refused(open_inference: Open, folder: Path, name: str, value: object) -> None:
    change(folder, **{name: value})
    with pytest.raises(InferenceUnavailable, match=name):
        _ = open_inference(folder).contract


def test_a_manifest_edited_by_hand_is_refused(open_inference: Open, folder: Path) -> None:
    path = folder / "manifest.json"
    body = json.loads(path.read_text())
    body["encoding"]["pooling"] = "cls"
    path.write_text(json.dumps(body))
    with pytest.raises(InferenceUnavailable, match="was changed"):
        _ = open_inference(folder).contract


class FixedSession:
    """Gives the same value for everything, in ``width`` values a token."""

    input_names = ("input_ids", "attention_mask")

    def __init__(self, value: float, width: int) -> None:
        self.value = value
        self.width = width

    def run(self, feeds: Feeds) -> NDArray[np.float32]:
        """See ``encoder.Session.run``."""
        assert set(feeds) == set(self.input_names), "an encoder gets the inputs that it has"
        return np.full((*feeds["input_ids"].shape, self.width), self.value, dtype=np.float32)


@pytest.mark.parametrize(
    ("value", "width", "complaint"),
    [(math.nan, 32, "finite"), (math.inf, 32, "finite"), (1.0, 16, "32 for each token")],
)
def test_output_that_breaks_the_promise_is_not_passed_on(
    open_inference: Open, folder: Path, value: float, width: int, complaint: str
) -> None:
    inference = open_inference(folder, open_session=lambda weights, threads: FixedSession(value, width))
    with pytest.raises(InferenceUnavailable, match=complaint):
        inference.embed([TEXT], "query", LONG)


def test_a_vector_of_zeros_stays_finite(open_inference: Open, folder: Path) -> None:
    inference = open_inference(folder, open_session=lambda weights, threads: FixedSession(0.0, 32))
    assert inference.embed([TEXT], "query", LONG) == [[0.0] * 32]


def test_the_unavailable_model_says_why() -> None:
    inference = UnavailableInference("nobody installed it")
    with pytest.raises(InferenceUnavailable, match="nobody installed it"):
        _ = inference.contract
    with pytest.raises(InferenceUnavailable, match="nobody installed it"):
        inference.embed([TEXT], "query", LONG)


def test_nothing_heavy_is_imported_before_the_first_embedding(tiny_folder: Path) -> None:
    script = (
        "import sys; from pathlib import Path; import reflexio_core.adapters.onnx as o;"
        "folder = Path(sys.argv[1]); assert o.is_prepared(folder) and o.OnnxInference(folder).contract;"
        "heavy = {'numpy', 'onnx', 'onnxruntime', 'tokenizers', 'safetensors'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", script, str(tiny_folder)], check=True, timeout=60)
