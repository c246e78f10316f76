"""The schema of an answer is of the strict kind that providers take."""

from typing import Any

import pytest

from reflexio_core.adapters.litellm.schema import strict_schema
from reflexio_core.ports.llm import Task
from reflexio_core.tasks import CONSOLIDATE, EXTRACT, GATE


def _nodes(node: Any) -> list[dict[str, Any]]:
    if isinstance(node, list):
        return [found for entry in node for found in _nodes(entry)]
    if not isinstance(node, dict):
        return []
    return [node, *(found for value in node.values() for found in _nodes(value))]


@pytest.mark.parametrize("task", [EXTRACT, GATE, CONSOLIDATE])
def test_every_object_is_closed_and_requires_all_it_has(task: Task[Any, Any]) -> None:
    objects = [node for node in _nodes(strict_schema(task.output)) if node.get("type") == "object"]
    assert objects
    for node in objects:
        assert node["additionalProperties"] is False
        assert node["required"] == list(node["properties"])


@pytest.mark.parametrize("task", [EXTRACT, GATE, CONSOLIDATE])
def test_no_keyword_is_used_that_strict_output_lacks(task: Task[Any, Any]) -> None:
    schema = strict_schema(task.output)
    assert set(schema["properties"]) == set(task.output.model_fields)
    words = {word for node in _nodes(schema) if "type" in node for word in node if isinstance(node["type"], str | list)}
    assert words - set(task.output.model_fields) <= {
        "type", "properties", "required", "additionalProperties", "items", "enum",
    }  # fmt: skip


def test_what_may_be_absent_may_be_null() -> None:
    decision = strict_schema(CONSOLIDATE.output)["properties"]["decisions"]["items"]["properties"]
    assert decision["content"] == {"type": ["string", "null"]}
    assert decision["time_to_live"]["enum"][-1] is None
    assert decision["action"]["type"] == "string"
