"""One table from the error tree to HTTP, and the shape of every refusal.

422 has FastAPI's shape, a list of ``{type, loc, msg, input}``, wherever it comes from; every other error has one
sentence in ``detail``. ``error`` is a stable code in both.
"""

import logging
import math
import re
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from reflexio_core import errors
from reflexio_core.api.access import ScopeMissing
from reflexio_core.api.answers import JsonAnswer
from reflexio_core.api.capacity import NoCapacity
from reflexio_core.api.envelope import correlation_id
from reflexio_core.api.rejections import rejection, scrub_errors

_logger = logging.getLogger(__name__)


class BodyTooLarge(errors.ReflexioError):
    """A body over the server's limit."""

    code = "body_too_large"


STATUS: dict[type[errors.ReflexioError], int] = {
    errors.InvalidInput: 422,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.AccessDenied: 401,
    ScopeMissing: 403,
    errors.LimitExceeded: 429,
    BodyTooLarge: 413,
    NoCapacity: 503,
    errors.ItemTooLarge: 413,
    errors.ConditionFailed: 503,
    errors.StoreUnavailable: 503,
    errors.IndexUnavailable: 503,
    errors.InferenceUnavailable: 503,
    errors.ModelMismatch: 503,
    errors.LlmUnavailable: 503,
    errors.LlmRejected: 502,
    errors.LlmInvalidOutput: 502,
    errors.ReflexioError: 500,
}
"""Status of an error, or of its nearest ancestor here."""

PUBLIC_TEXT: dict[type[errors.ReflexioError], str] = {
    errors.ConditionFailed: "Somebody else changed the same data at the same time; retry",
    errors.StoreUnavailable: "The store cannot answer right now; retry",
    errors.IndexUnavailable: "The search index cannot answer right now; retry",
    errors.InferenceUnavailable: "The embedding model cannot answer right now; retry",
    errors.LlmUnavailable: "The language model cannot answer right now; retry",
    errors.LlmRejected: "The language model's provider refused; check its key and model name",
    errors.LlmInvalidOutput: "The language model gave no usable answer",
}
"""What callers read where the error's own message is about the inside: names of hosts, files, items."""

RETRY_SECONDS = 1
"""How soon a 503 may be tried again: outages that heal at all mostly heal within moments."""

_STEP = re.compile(r"[^.\[\]]+")


def answer_for(error: errors.ReflexioError) -> JsonAnswer:
    """The HTTP answer for an error of the tree."""
    status = _nearest(STATUS, error)
    if isinstance(error, errors.InvalidInput):
        return _invalid(error)
    body = {"detail": _public_text(error, status), "error": error.code}
    if status >= 500:
        body["correlation_id"] = correlation_id.get()
        _logger.error("answered %s, correlation %s: %s: %s", status, correlation_id.get(), error.code, error)
    return JsonAnswer(body, status, headers=_headers(error, status))


def add_error_handlers(app: FastAPI) -> None:
    """Make every refusal of ``app`` follow this module."""
    app.add_exception_handler(errors.ReflexioError, _reflexio_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)


async def _reflexio_error(_: Request, error: Exception) -> JsonAnswer:
    assert isinstance(error, errors.ReflexioError)
    return answer_for(error)


async def _validation_error(_: Request, error: Exception) -> JsonAnswer:
    assert isinstance(error, RequestValidationError)
    return JsonAnswer(rejection(scrub_errors(error.errors())), 422)


async def _http_error(_: Request, error: Exception) -> JsonAnswer:
    assert isinstance(error, HTTPException)
    body = {"detail": str(error.detail), "error": HTTPStatus(error.status_code).name.lower()}
    return JsonAnswer(body, error.status_code, headers=error.headers)


def _invalid(error: errors.InvalidInput) -> JsonAnswer:
    if isinstance(error, errors.InvalidConfiguration):
        return JsonAnswer({"detail": error.detail, "error": error.code, "field": error.field}, 422)
    steps = [int(step) if step.isdecimal() else step for step in _STEP.findall(error.field)]
    entry = {"type": "value_error", "loc": ["body", *steps], "msg": error.message, "input": None}
    return JsonAnswer({**rejection(scrub_errors([entry])), "field": error.field}, 422)


def _public_text(error: errors.ReflexioError, status: int) -> str:
    if status == 500:
        return "Internal error"
    return next((PUBLIC_TEXT[kind] for kind in type(error).__mro__ if kind in PUBLIC_TEXT), str(error))


def _headers(error: errors.ReflexioError, status: int) -> dict[str, str]:
    if status == 401:
        return {"WWW-Authenticate": "Bearer"}
    if isinstance(error, errors.LimitExceeded):
        return {"Retry-After": str(max(1, math.ceil(error.retry_after)))}
    if status == 503 and not isinstance(error, errors.ModelMismatch):
        return {"Retry-After": str(RETRY_SECONDS)}
    return {}


def _nearest(table: dict[type[errors.ReflexioError], int], error: errors.ReflexioError) -> int:
    return next(table[kind] for kind in type(error).__mro__ if kind in table)
