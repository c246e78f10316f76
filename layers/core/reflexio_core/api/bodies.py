"""Reading JSON bodies: any content type, hostile input, and the mending that a publish is given.

Content types are not looked at: ``curl -d`` calls its JSON a form. Everything here is plain computation and runs in
the worker thread that serves the call, so that a large body does not hold up the event loop.
"""

import json
from typing import Any, NoReturn, TypeVar

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError

from reflexio.models.chat_messages import ROWS
from reflexio.models.interactions import PublishUserInteractionRequest
from reflexio.models.lenient import EmptyPublishError, kept_rows, prepare_publish
from reflexio.models.text import clean_json

MAX_BODY_DEPTH = 100
"""Levels of nesting in a body: above what any field allows, far below what exhausts a stack further in."""

Model = TypeVar("Model", bound=BaseModel)


class _NoNumberError(ValueError):
    """NaN or Infinity, which Python's decoder would take."""


def read_model(raw: bytes, model: type[Model]) -> Model:
    """The body as a wire model. Raises ``RequestValidationError``."""
    return _validated(model, decode_json(raw), None)


def read_object(raw: bytes) -> dict[str, Any]:
    """The body as a free-form object, with characters replaced that cannot be stored.

    Raises ``RequestValidationError``.
    """
    value = decode_json(raw)
    if not isinstance(value, dict):
        _refuse("dict_type", ["body"], "Input should be a JSON object", value)
    cleaned: dict[str, Any] = clean_json(value, MAX_BODY_DEPTH)[0]
    return cleaned


def read_publish(raw: bytes) -> tuple[PublishUserInteractionRequest, list[str], list[int]]:
    """A publish body, what was mended in it, and each row's position as it was sent.

    Raises ``RequestValidationError``, whose locations count the rows as sent too.
    """
    sent = decode_json(raw)
    if not isinstance(sent, dict):
        return _validated(PublishUserInteractionRequest, sent, None), [], []
    try:
        mended, warnings = prepare_publish(sent)
    except EmptyPublishError as error:
        _refuse("value_error", ["body"], str(error), sent)
    rows = kept_rows(sent)
    return _validated(PublishUserInteractionRequest, mended, rows), warnings, rows


def decode_json(raw: bytes) -> Any:
    """Decode strictly: one JSON value in UTF-8, UTF-16 or UTF-32, no NaN, at most ``MAX_BODY_DEPTH`` levels.

    Raises ``RequestValidationError``.
    """
    if not raw:
        _refuse("missing", ["body"], "Field required: this route needs a JSON body")
    try:
        value = json.loads(raw, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        _refuse("json_invalid", ["body", error.pos], f"JSON decode error at character {error.pos}: {error.msg}")
    except RecursionError:
        _refuse_depth()
    except UnicodeDecodeError as error:
        _refuse("json_invalid", ["body", error.start], f"the body is not valid {error.encoding} text")
    except _NoNumberError as error:
        _refuse("json_invalid", ["body"], f"JSON decode error: {error}")
    except ValueError:
        _refuse("json_invalid", ["body"], "JSON decode error: a number has too many digits")
    if raw.count(b"[") + raw.count(b"{") > MAX_BODY_DEPTH and _deeper_than(value, MAX_BODY_DEPTH):
        _refuse_depth()
    return value


def _validated(model: type[Model], value: Any, sent_rows: list[int] | None) -> Model:
    try:
        return model.model_validate(value)
    except ValidationError as invalid:
        errors = invalid.errors(include_url=False, include_context=False)
    raise RequestValidationError([{**error, "loc": _location(error["loc"], sent_rows)} for error in errors])


def _location(loc: tuple[int | str, ...], sent_rows: list[int] | None) -> list[int | str]:
    steps = ["body", *loc]
    if sent_rows is not None and len(loc) > 1 and loc[0] == ROWS and isinstance(loc[1], int):
        steps[2] = sent_rows[loc[1]]
    return steps


def _deeper_than(value: Any, limit: int) -> bool:
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(limit):
        level = [
            item
            for container in level
            for item in (container.values() if isinstance(container, dict) else container)
            if isinstance(item, dict | list)
        ]
    return bool(level)


def _no_constant(name: str) -> NoReturn:
    raise _NoNumberError(f"{name} is not a JSON number")


def _refuse_depth() -> NoReturn:
    _refuse("json_invalid", ["body"], f"the body is nested deeper than {MAX_BODY_DEPTH} levels")


def _refuse(kind: str, loc: list[str | int], message: str, sent: Any = None) -> NoReturn:
    raise RequestValidationError([{"type": kind, "loc": loc, "msg": message, "input": sent}])
