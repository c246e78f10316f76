"""What is heavy is loaded by who needs it, when it is needed: measured on a fresh interpreter."""

import json
import subprocess
import sys

import pytest

from tests.architecture.sources import modules

HEAVY = {"boto3", "botocore", "litellm", "numpy", "onnx", "onnxruntime", "openai", "tiktoken", "tokenizers"}
SERVER = {"fastapi", "starlette", "uvicorn"}


def loaded_by(statement: str) -> set[str]:
    """Top-level packages in memory after running a statement."""
    code = f"{statement}\nimport sys, json\nprint(json.dumps(sorted({{name.split('.')[0] for name in sys.modules}})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_api_loads_nothing_heavy() -> None:
    assert loaded_by("import reflexio_core.api.app") & HEAVY == set()


def test_no_module_of_the_engine_loads_anything_heavy() -> None:
    names = [
        module.name for layer in ("engine", "domain", "ports", "tasks") for module in modules(f"reflexio_core.{layer}")
    ]
    assert loaded_by("import " + ", ".join(names)) & (HEAVY | SERVER | {"httpx", "sqlite3"}) == set()


def test_the_embedded_service_starts_without_provider_and_model_libraries() -> None:
    assert loaded_by("import reflexio_core.embedded.server") & HEAVY == set()


@pytest.mark.parametrize("module", ["reflexio", "reflexio.cli.app", "reflexio_core.embedded.cli"])
def test_commands_start_without_server_or_http_library(module: str) -> None:
    assert loaded_by(f"import {module}") & (HEAVY | SERVER | {"httpx"}) == set()
