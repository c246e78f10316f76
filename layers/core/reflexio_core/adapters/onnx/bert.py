"""BERT weights to an ONNX file, with onnx and numpy alone.

The weights stay in single precision. Measured against it (all-MiniLM-L6-v2, one thread, one run of
``tests/bench/embedding.py``; texts in English, Spanish and Chinese), dynamic int8 has:

==================================================  =============  =================
ratio to single precision                           MatMul         MatMul and Gather
==================================================  =============  =================
time of one short query                             0.46           0.44
time of a batch of 64 texts                         0.45           0.44
file size                                           0.65           0.26
cosine with the same text's vector, mean / least    0.992 / 0.984  0.992 / 0.984
first three neighbours of a query shared            0.86           0.85
cosine of a text alone and in a batch, least        0.981          0.986
==================================================  =============  =================

(The last row is 1.000 in single precision.) Twice the speed is not worth the last three rows. Dynamic int8 scales
activations over the whole batch, so a text's vector depends on its neighbours in the batch: a query that repeats a
learning word for word would not find it at 1, and a rebuilt index would differ from the one that it replaces.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from safetensors.numpy import load_file

from reflexio_core.adapters.onnx.graph import GraphBuilder, Name
from reflexio_core.errors import InvalidInput

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUT = "last_hidden_state"

_MASKED = -10000.0
"""Added to the scores of padding before softmax: e to that power is zero in single precision, and no infinity can
turn a row of nothing but padding into NaN."""


def convert_bert(weights: Path, config: Path, target: Path) -> None:
    """Write the encoder of a BERT checkpoint (safetensors and ``config.json``) as ONNX, in single precision.

    Raises ``InvalidInput`` if it is no BERT encoder with absolute positions and exact GELU.
    """
    settings = _read_config(config)
    tensors = {
        name.removeprefix("bert."): tensor.astype(np.float32)
        for name, tensor in load_file(weights).items()
        if tensor.dtype.kind == "f"
    }
    try:
        model = _BertGraph(settings, tensors).build()
    except KeyError as error:
        raise InvalidInput(str(weights), f"has no tensor named {error}") from error
    onnx.save(model, str(target))


def _read_config(path: Path) -> dict[str, Any]:
    settings: dict[str, Any] = json.loads(path.read_bytes())
    expected = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
    for name, value in expected.items():
        if settings.get(name, value) != value:
            raise InvalidInput(str(path), f"{name} is {settings[name]!r}; only {value!r} can be converted")
    return settings


class _BertGraph:
    def __init__(self, settings: dict[str, Any], tensors: dict[str, NDArray[np.float32]]) -> None:
        self._graph = GraphBuilder(tensors)
        self._width = int(settings["hidden_size"])
        self._heads = int(settings["num_attention_heads"])
        self._layers = int(settings["num_hidden_layers"])
        self._epsilon = float(settings["layer_norm_eps"])

    def build(self) -> Any:
        value = self._embeddings()
        bias = self._padding_bias()
        for number in range(self._layers):
            layer = f"encoder.layer.{number}"
            value = self._residual(self._attention(value, bias, layer), value, f"{layer}.attention.output")
            inner = self._graph.gelu(self._graph.linear(value, f"{layer}.intermediate.dense"))
            value = self._residual(inner, value, f"{layer}.output")
        return self._graph.model(INPUTS, value, OUTPUT, self._width)

    def _embeddings(self) -> Name:
        graph = self._graph
        words = graph.op("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
        types = graph.op("Gather", graph.weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
        length = graph.op("Gather", graph.op("Shape", "input_ids"), graph.integers(1))
        table = graph.weight("embeddings.position_embeddings.weight")
        positions = graph.op("Slice", table, graph.integers(0), length, graph.integers(0))
        total = graph.op("Add", graph.op("Add", words, types), positions)
        return graph.layer_norm(total, "embeddings.LayerNorm", self._epsilon)

    def _padding_bias(self) -> Name:
        graph = self._graph
        mask = graph.op("Cast", "attention_mask", to=onnx.TensorProto.FLOAT)
        mask = graph.op("Unsqueeze", mask, graph.integers(1, 2))
        return graph.op("Mul", graph.op("Sub", graph.number(1.0), mask), graph.number(_MASKED))

    def _attention(self, value: Name, bias: Name, layer: str) -> Name:
        graph = self._graph
        size = self._width // self._heads
        by_head = graph.integers(0, 0, self._heads, size)
        query, key, content = (
            graph.op("Reshape", graph.linear(value, f"{layer}.attention.self.{part}"), by_head)
            for part in ("query", "key", "value")
        )
        query = graph.op("Transpose", query, perm=[0, 2, 1, 3])
        key = graph.op("Transpose", key, perm=[0, 2, 3, 1])
        content = graph.op("Transpose", content, perm=[0, 2, 1, 3])
        scores = graph.op("Div", graph.op("MatMul", query, key), graph.number(size**0.5))
        shares = graph.op("Softmax", graph.op("Add", scores, bias), axis=-1)
        mixed = graph.op("Transpose", graph.op("MatMul", shares, content), perm=[0, 2, 1, 3])
        return graph.op("Reshape", mixed, graph.integers(0, 0, self._width))

    def _residual(self, value: Name, before: Name, layer: str) -> Name:
        total = self._graph.op("Add", self._graph.linear(value, f"{layer}.dense"), before)
        return self._graph.layer_norm(total, f"{layer}.LayerNorm", self._epsilon)
