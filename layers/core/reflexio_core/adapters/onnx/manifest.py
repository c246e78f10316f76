"""``manifest.json``: all that distinguishes one encoder from another, so that an encoder is data and not code."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from reflexio_core.errors import InferenceUnavailable
from reflexio_core.ports.inference import ModelContract, Purpose

MANIFEST = "manifest.json"
WEIGHTS = "model.onnx"
TOKENIZER = "tokenizer.json"
REMEDY = "run `reflexio model prepare`"

Pooling = Literal["mean", "cls"]


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What a file must be: its SHA-256 in hex and its size in bytes."""

    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Encoding:
    """Everything that shapes a vector.

    ``source_sha256`` is the digest of the weights as published, ``tokenizer_sha256`` that of ``tokenizer.json``;
    ``precision`` names what conversion did to the weights. Texts get the ``prefixes`` of their purpose and are cut to
    ``token_limit`` tokens, special ones included. ``dimension`` below the encoder's width keeps the first values.
    """

    model: str
    source_sha256: str
    tokenizer_sha256: str
    precision: str
    pooling: Pooling
    dimension: int
    token_limit: int
    normalise: bool
    prefixes: Mapping[Purpose, str]

    @property
    def revision(self) -> str:
        """A digest over all fields: two vectors are comparable only if it is the same."""
        canonical = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Manifest:
    """The encoding, the cosine below which neighbours mean nothing, and the files that must stand beside."""

    encoding: Encoding
    similarity_floor: float
    files: Mapping[str, FileRecord]

    @property
    def contract(self) -> ModelContract:
        """See ``ModelContract``."""
        encoding = self.encoding
        return ModelContract(encoding.model, encoding.revision, encoding.dimension, self.similarity_floor)

    def write(self, folder: Path) -> None:
        """Write ``manifest.json``; the revision is in it for its readers."""
        body = {"revision": self.encoding.revision, **asdict(self)}
        (folder / MANIFEST).write_text(json.dumps(body, indent=2) + "\n", encoding="utf-8")


def read_manifest(folder: Path) -> Manifest:
    """Raises ``InferenceUnavailable`` if there is none, or it is damaged, or its revision is not that of its fields."""
    path = folder / MANIFEST
    try:
        body = json.loads(path.read_bytes())
        manifest = _parse(body)
    except OSError as error:
        raise InferenceUnavailable(f"no embedding model in {folder}: {REMEDY}") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InferenceUnavailable(f"{path} is not a model manifest ({error!r}): {REMEDY}") from error
    if body.get("revision") != manifest.encoding.revision:
        raise InferenceUnavailable(f"{path} was changed: its revision is not that of its settings: {REMEDY}")
    return manifest


def size_problems(folder: Path, manifest: Manifest) -> list[str]:
    """Files that are missing or of the wrong size, one line each. Reads no content."""
    problems = []
    for name, record in manifest.files.items():
        try:
            size = (folder / name).stat().st_size
        except OSError:
            problems.append(f"{folder / name} is missing")
            continue
        if size != record.size:
            problems.append(f"{folder / name} has {size} bytes instead of {record.size}")
    return problems


def content_problems(folder: Path, manifest: Manifest) -> list[str]:
    """Files that are missing or whose content is not the recorded one, one line each. Reads all of it."""
    problems = size_problems(folder, manifest)
    if problems:
        return problems
    return [
        f"{folder / name} is damaged: its SHA-256 is not {record.sha256[:12]}…"
        for name, record in manifest.files.items()
        if file_record(folder / name).sha256 != record.sha256
    ]


def verify(model_dir: Path) -> list[str]:
    """What is wrong with an installed model, one line each; empty if nothing is. Hashes every file."""
    try:
        manifest = read_manifest(model_dir)
        return content_problems(model_dir, manifest)
    except InferenceUnavailable as error:
        return [str(error)]
    except OSError as error:
        return [f"{model_dir} cannot be read: {error}"]


def file_record(path: Path) -> FileRecord:
    """Digest and size of a file as it is."""
    with path.open("rb") as file:
        return FileRecord(hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size)


def _parse(body: dict[str, Any]) -> Manifest:
    fields = body["encoding"]
    encoding = Encoding(
        model=str(fields["model"]),
        source_sha256=str(fields["source_sha256"]),
        tokenizer_sha256=str(fields["tokenizer_sha256"]),
        precision=str(fields["precision"]),
        pooling=fields["pooling"],
        dimension=_positive(fields, "dimension"),
        token_limit=_positive(fields, "token_limit"),
        normalise=bool(fields["normalise"]),
        prefixes={purpose: str(fields["prefixes"][purpose]) for purpose in get_args(Purpose)},
    )
    if encoding.pooling not in get_args(Pooling):
        raise ValueError(f"unknown pooling {encoding.pooling!r}")
    files = {str(name): FileRecord(str(entry["sha256"]), int(entry["size"])) for name, entry in body["files"].items()}
    for needed in (WEIGHTS, TOKENIZER):
        if needed not in files:
            raise ValueError(f"{needed} is not among its files")
    return Manifest(encoding, float(body["similarity_floor"]), files)


def _positive(fields: dict[str, Any], name: str) -> int:
    value = fields[name]
    if not isinstance(value, int) or value < 1:
        raise ValueError(f"{name} must be a whole number of at least 1")
    return value
