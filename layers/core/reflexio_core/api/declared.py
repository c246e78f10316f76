"""What the schema declares beside the wire models' answers: bodies, refusals, readiness."""

from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

REF_TEMPLATE = "#/components/schemas/{model}"

Responses = dict[int | str, dict[str, Any]]
"""Answers by status, as FastAPI takes them."""


class ErrorAnswer(BaseModel):
    """A refusal. ``detail`` is for people, ``error`` is a stable code to branch on."""

    detail: str
    error: str
    correlation_id: str | None = None


class ValidationError(BaseModel):
    """One thing wrong with a request: where, what, and a glimpse of what was sent there."""

    type: str
    loc: list[str | int]
    msg: str
    input: Any = None


class HTTPValidationError(BaseModel):
    """A request that cannot be accepted. ``field`` is its path as ``a.b[0].c``, where there is a single one."""

    detail: list[ValidationError]
    error: str
    field: str | None = None


class ConfigRefusal(BaseModel):
    """Why a configuration was refused: a sentence, what to do, and each offending setting."""

    error: str
    hint: str
    validation_errors: list[dict[str, Any]]


class ConfigAnswer(BaseModel):
    """A configuration that cannot be accepted."""

    detail: ConfigRefusal
    error: str
    field: str


class Readiness(BaseModel):
    """Whether the parts answer. ``degraded``: full-text search only."""

    status: Literal["healthy", "degraded", "unhealthy"]
    checks: dict[str, str] | None = None


REFUSALS: Responses = {
    401: {"model": ErrorAnswer, "description": "No key, a wrong key, or a caller from elsewhere"},
    403: {"model": ErrorAnswer, "description": "The key lacks the scope"},
    404: {"model": ErrorAnswer, "description": "No such thing in this tenant"},
    413: {"model": ErrorAnswer, "description": "More than the server accepts at once"},
    422: {"model": HTTPValidationError, "description": "The request cannot be accepted; names the field"},
    429: {"model": ErrorAnswer, "description": "Too many calls; see Retry-After"},
    503: {"model": ErrorAnswer, "description": "A part cannot answer; nothing is lost, see Retry-After"},
}
"""Refusals that any data route can answer with, by status."""

CONFIG_REFUSALS: Responses = {
    409: {"model": ErrorAnswer, "description": "The configuration changed meanwhile; read it again"},
    422: {"model": ConfigAnswer | HTTPValidationError, "description": "Not a valid configuration"},
}
"""Refusals of the routes that change the configuration."""


def declared_body(model: type[BaseModel] | None) -> dict[str, Any]:
    """The operation's ``requestBody``: a wire model's schema by name, or any object."""
    schema: dict[str, Any] = {"type": "object", "additionalProperties": True}
    if model is not None:
        schema = {"$ref": REF_TEMPLATE.format(model=model.__name__)}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def body_schemas(models: list[type[BaseModel]]) -> dict[str, Any]:
    """The schemas of bodies and of all that they hold, by name."""
    _, schema = models_json_schema([(model, "validation") for model in models], ref_template=REF_TEMPLATE)
    definitions: dict[str, Any] = schema["$defs"]
    return definitions
