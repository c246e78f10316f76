"""Data goes one way: handler, engine, port. Each layer imports only what it may."""

import pytest

from tests.architecture.sources import begins, modules

OUTSIDE = (
    "aiohttp",
    "boto3",
    "botocore",
    "fastapi",
    "http",
    "httpx",
    "litellm",
    "numpy",
    "onnx",
    "onnxruntime",
    "openai",
    "opensearchpy",
    "requests",
    "socket",
    "sqlite3",
    "starlette",
    "tiktoken",
    "tokenizers",
    "urllib.request",
    "uvicorn",
)
"""AWS, HTTP, SQL, models: everything that belongs behind a port."""

INNER = ("domain", "engine", "errors", "keys", "ports", "tasks")

FORBIDDEN: dict[str, tuple[str, ...]] = {
    **{
        f"reflexio_core.{layer}": (
            *OUTSIDE,
            "reflexio_core.adapters",
            "reflexio_core.api",
            "reflexio_core.embedded",
            "reflexio.cli",
            "reflexio._client",
        )
        for layer in INNER
    },
    "reflexio_core.adapters": ("reflexio_core.engine", "reflexio_core.api", "reflexio_core.embedded", "fastapi"),
    "reflexio_core.api": ("reflexio_core.adapters", "reflexio_core.embedded", "sqlite3", "boto3", "botocore"),
    "reflexio": ("reflexio_core", "localstack", "fastapi", "uvicorn", "sqlite3", "boto3"),
    "reflexio.models": ("httpx", "typer", "rich", "reflexio.cli", "reflexio._client"),
}

SAME_FILE = {("sqlite_index", "sqlite")}
"""The embedded index lies in the store's file and opens it the same way."""

DIRECTION = {
    "reflexio_core.errors": ("reflexio_core",),
    "reflexio_core.ports": ("reflexio_core.engine", "reflexio_core.domain", "reflexio_core.tasks"),
    "reflexio_core.keys": ("reflexio_core.engine", "reflexio_core.domain"),
    "reflexio_core.domain": ("reflexio_core.engine",),
    "reflexio_core.tasks": ("reflexio_core.engine",),
}
"""Inside: the engine knows domain, tasks, keys and ports; none of these knows it."""


@pytest.mark.parametrize("layer", FORBIDDEN)
def test_a_layer_imports_nothing_from_outside_its_reach(layer: str) -> None:
    assert violations(layer, FORBIDDEN[layer]) == []


@pytest.mark.parametrize("layer", DIRECTION)
def test_the_inner_layers_do_not_know_the_outer_ones(layer: str) -> None:
    assert violations(layer, DIRECTION[layer]) == []


def test_no_adapter_knows_the_adapter_of_another_port() -> None:
    """Modules beside the folders may compose them, such as the choice between two learners."""
    folders = {module.name for module in modules("reflexio_core.adapters") if module.file.name == "__init__.py"}
    found = [
        f"{module.where(line)} imports {name}"
        for folder in folders - {"reflexio_core.adapters"}
        for module in modules(folder)
        for name, line in module.imports()
        for other in folders - {"reflexio_core.adapters"}
        if begins(name, other) and not begins(folder, other) and not begins(other, folder)
        if (folder.split(".")[2], other.split(".")[2]) not in SAME_FILE
    ]
    assert found == []


def violations(layer: str, forbidden: tuple[str, ...]) -> list[str]:
    return [
        f"{module.where(line)} imports {name}"
        for module in modules(layer)
        for name, line in module.imports()
        if any(begins(name, prefix) for prefix in forbidden) and not begins(name, layer)
    ]
