"""What a client call can raise.

    ReflexioError                     base: catch this to catch them all
    ├── ApiError                      the service answered with a status of 400 or more
    │   ├── ValidationError           400, 413, 415, 422: the request itself; ``field`` says where
    │   ├── AuthenticationError       401, 403: no key, a wrong key, or a key without the scope
    │   ├── NotFoundError             404: nothing with that id
    │   ├── ConflictError             409: it contradicts what is stored
    │   ├── RateLimitError            429: too much at once; ``retry_after`` in seconds, if the service says
    │   └── ServerError               500 and up: the service's fault or its state; worth trying later
    ├── ReflexioConnectionError       no connection, or it broke; also a builtin ConnectionError
    ├── ReflexioTimeoutError          no answer in time; also a builtin TimeoutError
    ├── InvalidArgument               a call that cannot be made as it was written; also a builtin ValueError
    └── UnexpectedResponse       an answer that is not the service's: a redirect, a web page, broken JSON

An answer with ``success: false`` is returned, not raised: it is the outcome of a call that worked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from time import time
from typing import Any

PREVIEW_CHARACTERS = 200


class ReflexioError(Exception):
    """Base of everything that this package raises about a call."""


class ApiError(ReflexioError):
    """The service refused or failed.

    ``code`` is stable and meant for branching, ``field`` is the path of the faulty field if there is one,
    ``request_id`` finds the call in the service's logs.
    """

    def __init__(self, message: str, *, status: int, code: str, field: str | None, request_id: str | None) -> None:
        where = f"{field}: " if field and not message.startswith(field) else ""
        trace = f" (request {request_id})" if request_id else ""
        super().__init__(f"HTTP {status} {code}: {where}{message}{trace}")
        self.message = message
        self.status = status
        self.code = code
        self.field = field
        self.request_id = request_id


class ValidationError(ApiError):
    """The request cannot be accepted as it is."""


class AuthenticationError(ApiError):
    """No key, a wrong key, or a key that may not do this."""


class NotFoundError(ApiError):
    """Nothing with that id, or a route that this server does not have."""


class ConflictError(ApiError):
    """The request contradicts what is stored."""


class RateLimitError(ApiError):
    """Too many calls. ``retry_after`` is in seconds, None if the service did not say."""

    retry_after: float | None = None


class ServerError(ApiError):
    """The service could not answer; the same call may work later."""


class ReflexioConnectionError(ReflexioError, ConnectionError):
    """The service could not be reached, or the connection broke before the answer."""


class ReflexioTimeoutError(ReflexioError, TimeoutError):
    """No answer in time. A write may have happened all the same."""


class InvalidArgument(ReflexioError, ValueError):
    """An argument that no call can be made of, found before anything was sent."""


class UnexpectedResponse(ReflexioError):
    """An answer that is not the service's: a redirect, a proxy's page, broken JSON, a shape that does not fit."""

    def __init__(self, reason: str, *, url: str, status: int, body: str) -> None:
        preview = " ".join(body.split())[:PREVIEW_CHARACTERS]
        super().__init__(f"{reason} (HTTP {status} from {url}; body starts: {preview!r})")
        self.url = url
        self.status = status
        self.preview = preview


@dataclass(frozen=True, slots=True)
class _Fault:
    message: str
    code: str
    field: str | None
    request_id: str | None


def error_for(status: int, headers: Mapping[str, str], body: Any, preview: str) -> ApiError:
    """The exception for an answer with an error status; ``body`` is its decoded JSON, or None."""
    fault = _read_fault(status, body if isinstance(body, dict) else {}, preview)
    kind = _kind(status)
    error = kind(
        fault.message,
        status=status,
        code=fault.code,
        field=fault.field,
        request_id=fault.request_id or headers.get("x-correlation-id"),
    )
    if isinstance(error, RateLimitError):
        error.retry_after = retry_after_seconds(headers)
    return error


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """What a ``Retry-After`` header asks for, in seconds from now, or None without a readable one."""
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except ValueError:
        return None


def _kind(status: int) -> type[ApiError]:
    if status >= 500:
        return ServerError
    return {
        400: ValidationError,
        401: AuthenticationError,
        403: AuthenticationError,
        404: NotFoundError,
        409: ConflictError,
        413: ValidationError,
        415: ValidationError,
        422: ValidationError,
        429: RateLimitError,
    }.get(status, ApiError)


def _read_fault(status: int, body: Mapping[str, Any], preview: str) -> _Fault:
    detail = body.get("detail")
    inner: Mapping[str, Any] = detail if isinstance(detail, dict) else {}
    entry = _first_entry(detail) or _first_entry(inner.get("validation_errors"))
    codes = (inner.get("code"), body.get("code"), inner.get("error"), body.get("error"), entry.get("type"))
    messages = (detail, entry.get("msg"), inner.get("message"), inner.get("error"), body.get("message"))
    message = _first_text(*messages, body.get("error"), " ".join(preview.split())[:PREVIEW_CHARACTERS])
    return _Fault(
        message=(message or "no reason given").removeprefix("Value error, "),
        code=_first_text(*(code for code in codes if " " not in str(code))) or f"http_{status}",
        field=_path(entry.get("loc")) or _first_text(inner.get("field"), body.get("field")),
        request_id=_first_text(body.get("correlation_id"), inner.get("correlation_id")),
    )


def _first_entry(entries: object) -> Mapping[str, Any]:
    """The first of a list of validation errors, or an empty mapping."""
    return entries[0] if isinstance(entries, list) and entries and isinstance(entries[0], dict) else {}


def _first_text(*candidates: object) -> str | None:
    return next((text for text in candidates if isinstance(text, str) and text), None)


def _path(loc: object) -> str | None:
    """``["body", "rows", 0, "role"]`` as ``rows[0].role``."""
    if not isinstance(loc, list):
        return None
    path = ""
    for step in loc[1:] if loc and loc[0] in ("body", "query", "path", "header") else loc:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else str(step)
    return path or None
