"""The JSON schema that a provider is asked to hold an answer to.

Strict structured output knows a subset of JSON Schema: every property required, no further ones, ``null`` in place of
absence, no lengths and no defaults. Titles and descriptions are left out, the prompt says what fields mean.
"""

from functools import cache
from typing import Any

from pydantic import BaseModel


@cache
def strict_schema(output: type[BaseModel]) -> dict[str, Any]:
    """The strict form of a task output's schema, without references. Do not change what it returns."""
    schema = output.model_json_schema()
    strict: dict[str, Any] = _strict(schema, schema.get("$defs", {}))
    return strict


def _strict(node: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        return _strict(definitions[node["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in node:
        return _nullable(node["anyOf"], definitions)
    if "properties" in node:
        properties = {name: _strict(value, definitions) for name, value in node["properties"].items()}
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
    if node.get("type") == "array":
        return {"type": "array", "items": _strict(node["items"], definitions)}
    return {name: node[name] for name in ("type", "enum") if name in node}


def _nullable(choices: list[dict[str, Any]], definitions: dict[str, Any]) -> dict[str, Any]:
    """``X | None``: the type twice, and null among its values."""
    (choice,) = (choice for choice in choices if choice.get("type") != "null")
    strict = _strict(choice, definitions)
    strict["type"] = [strict["type"], "null"]
    if "enum" in strict:
        strict["enum"] = [*strict["enum"], None]
    return strict
