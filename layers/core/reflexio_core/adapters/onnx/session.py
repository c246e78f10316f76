"""The ONNX Runtime session."""

from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from reflexio_core.adapters.onnx.encoder import Feeds

_ERRORS_ONLY = 3


class RuntimeSession:
    """See ``encoder.Session``. Runs on the CPU, on ``threads`` threads; the first output is the token vectors."""

    def __init__(self, weights: Path, threads: int) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = _ERRORS_ONLY
        # Spinning threads would take the cores that the rest of the process answers with.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
        self._output = self._session.get_outputs()[0].name
        self.input_names = tuple(entry.name for entry in self._session.get_inputs())

    def run(self, feeds: Feeds) -> NDArray[np.float32]:
        """See ``encoder.Session.run``."""
        hidden: NDArray[np.float32] = self._session.run([self._output], feeds)[0]
        return hidden
