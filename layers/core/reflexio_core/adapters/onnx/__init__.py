"""Embeddings with ONNX Runtime in this process, and the preparation of its model.

Importing this package loads neither the runtime nor numpy; the first embedding does.
"""

from reflexio_core.adapters.onnx.inference import OnnxInference, UnavailableInference
from reflexio_core.adapters.onnx.manifest import verify
from reflexio_core.adapters.onnx.pinned import default_model_dir
from reflexio_core.adapters.onnx.prepare import is_prepared, prepare

__all__ = ["OnnxInference", "UnavailableInference", "default_model_dir", "is_prepared", "prepare", "verify"]
