"""A small builder of ONNX graphs: each method adds nodes and gives back the name of their result."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

OPSET = 17
"""The first with LayerNormalization as one operator."""

IR_VERSION = 8

Name = str


class GraphBuilder:
    """Collects nodes and constants; ``weights`` are the named tensors that layers are made from."""

    def __init__(self, weights: Mapping[str, NDArray[np.float32]]) -> None:
        self._weights = weights
        self._nodes: list[Any] = []
        self._constants: dict[Name, Any] = {}

    def op(self, kind: str, *inputs: Name, **attributes: Any) -> Name:
        """One operator with one result."""
        result = f"{kind}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [result], name=result, **attributes))
        return result

    def integers(self, *values: int) -> Name:
        """A constant vector of 64-bit integers."""
        return self._constant(f"integers{list(values)}", np.array(values, dtype=np.int64))

    def number(self, value: float) -> Name:
        """A constant scalar."""
        return self._constant(f"number({value})", np.array(value, dtype=np.float32))

    def weight(self, name: str, *, transposed: bool = False) -> Name:
        """A tensor of the weights. Raises ``KeyError`` if there is none of that name."""
        tensor = self._weights[name]
        if transposed:
            return self._constant(f"{name}.transposed", tensor.T)
        return self._constant(name, tensor)

    def linear(self, value: Name, layer: str) -> Name:
        """``value @ weight.T + bias``."""
        product = self.op("MatMul", value, self.weight(f"{layer}.weight", transposed=True))
        return self.op("Add", product, self.weight(f"{layer}.bias"))

    def layer_norm(self, value: Name, layer: str, epsilon: float) -> Name:
        """Normalised over the last axis, scaled and shifted."""
        scale, shift = self.weight(f"{layer}.weight"), self.weight(f"{layer}.bias")
        return self.op("LayerNormalization", value, scale, shift, axis=-1, epsilon=epsilon)

    def gelu(self, value: Name) -> Name:
        """The exact form, with the error function: x/2 * (1 + erf(x / sqrt 2))."""
        error = self.op("Erf", self.op("Div", value, self.number(2**0.5)))
        half = self.op("Mul", value, self.number(0.5))
        return self.op("Mul", half, self.op("Add", error, self.number(1.0)))

    def model(self, inputs: tuple[Name, ...], result: Name, output: Name, width: int) -> Any:
        """The finished, checked model: integer inputs of (texts, tokens), one output of (texts, tokens, width)."""
        self._nodes.append(helper.make_node("Identity", [result], [output], name=output))
        shape = ["texts", "tokens"]
        graph = helper.make_graph(
            self._nodes,
            "encoder",
            [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in inputs],
            [helper.make_tensor_value_info(output, TensorProto.FLOAT, [*shape, width])],
            list(self._constants.values()),
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
        onnx.checker.check_model(model)
        return model

    def _constant(self, name: Name, value: NDArray[Any]) -> Name:
        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name
