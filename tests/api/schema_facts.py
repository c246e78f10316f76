"""An OpenAPI schema as flat facts (names, types, bounds), so that two schemas can be compared line by line."""

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]
Facts = dict[str, str]

REF = "#/components/schemas/"
_BOUNDS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "pattern",
    "format",
)


def facts_of(schema: Json) -> Facts:
    """``operation ...`` and ``model ...`` facts of a schema."""
    facts: Facts = {}
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            facts.update(_operation_facts(f"operation {method.upper()} {path}", operation))
    for name, model in schema["components"]["schemas"].items():
        facts.update(_model_facts(f"model {name}", model))
    return facts


def models_of(facts: Facts, operations: set[str]) -> set[str]:
    """Names of the models that the named operations use, directly or through other models."""
    found: set[str] = set()
    waiting = {name for key, value in facts.items() if owner(key) in operations for name in _references(value)}
    while waiting:
        name = waiting.pop()
        found.add(name)
        prefix = f"model {name}"
        used = {ref for key, value in facts.items() if owner(key) == prefix for ref in _references(value)}
        waiting |= used - found
    return found


def operations_of(facts: Facts) -> set[str]:
    """``operation METHOD path`` of each operation."""
    return {owner(key) for key in facts if key.startswith("operation ")}


def owner(key: str) -> str:
    """The operation or model that a fact is about."""
    return key.split(" > ", 1)[0]


def _references(value: str) -> Iterator[str]:
    for word in value.replace("[", " ").replace("]", " ").replace("|", " ").split():
        if word.startswith("@"):
            yield word[1:]


def _operation_facts(name: str, operation: Json) -> Facts:
    facts = {f"{name} > security": "key" if operation.get("security") else "open"}
    for parameter in operation.get("parameters", []):
        required = "required" if parameter.get("required") else "optional"
        where = f"{name} > {parameter['in']} {parameter['name'].lower()}"
        facts[where] = f"{required} {_shape(parameter['schema'])}"
    if "requestBody" in operation:
        facts[f"{name} > body"] = _content(operation["requestBody"])
    for status, response in operation["responses"].items():
        facts[f"{name} > {status}"] = _content(response)
    return facts


def _model_facts(name: str, model: Json) -> Facts:
    if "enum" in model:
        return {f"{name} > values": " ".join(map(str, sorted(model["enum"])))}
    required = set(model.get("required", []))
    return {
        f"{name} > {field}": f"{'required' if field in required else 'optional'} {_shape(shape)}"
        for field, shape in model.get("properties", {}).items()
    } or {f"{name} > shape": _shape(model)}


def _content(part: Json) -> str:
    content = part.get("content", {}).get("application/json", {}).get("schema")
    return "nothing" if content is None else _shape(content)


def _shape(schema: Json) -> str:
    text = _type(schema)
    bounds = [f"{bound}={_plain(schema[bound])}" for bound in _BOUNDS if bound in schema]
    if schema.get("default") is not None:
        bounds.append(f"default={schema['default']}")
    return f"{text} ({', '.join(bounds)})" if bounds else text


def _type(schema: Json) -> str:
    if "$ref" in schema:
        return "@" + str(schema["$ref"]).removeprefix(REF)
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            return " | ".join(sorted(_shape(part) for part in schema[choice]))
    if "enum" in schema or "const" in schema:
        return "one of " + " ".join(map(str, sorted(schema.get("enum", [schema.get("const")]))))
    if schema.get("type") == "array":
        return f"list [ {_shape(schema.get('items', {}))} ]"
    if schema.get("type") == "object" or "properties" in schema:
        values = schema.get("additionalProperties")
        if isinstance(values, dict):
            return f"object of [ {_shape(values)} ]"
        fields = " ".join(sorted(schema.get("properties", {})))
        return f"object with {fields}" if fields else "object"
    return str(schema.get("type", "any"))


def _plain(bound: Any) -> Any:
    return int(bound) if isinstance(bound, float) and bound.is_integer() else bound
