"""Importing the application loads nothing heavy: a cold start pays for what it imports."""

import json
import subprocess
import sys

HEAVY = ("litellm", "onnxruntime", "numpy", "boto3", "botocore", "tokenizers", "tiktoken", "onnx", "uvicorn", "httpx")

PROGRAM = "import json, sys, reflexio_core.api.app; print(json.dumps(sorted(sys.modules)))"


def test_the_application_imports_without_anything_heavy() -> None:
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=True)
    loaded = {name.partition(".")[0] for name in json.loads(run.stdout)}
    assert "fastapi" in loaded
    assert loaded & set(HEAVY) == set()
