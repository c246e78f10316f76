"""What every answer carries: a correlation id, security headers and, when all else failed, a plain 500."""

import logging
import re
import secrets
import traceback
from contextvars import ContextVar

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reflexio_core.api.answers import JsonAnswer

CORRELATION_HEADER = "X-Correlation-ID"

correlation_id: ContextVar[str] = ContextVar("correlation_id", default="-")
"""The id of the request that is being served, also in its worker threads; for log lines."""

_FROM_CALLER = re.compile(rb"[A-Za-z0-9_-]{1,64}")
_YEAR_SECONDS = 31_536_000

_logger = logging.getLogger(__name__)


class Traffic:
    """How many requests this process has been sent."""

    def __init__(self) -> None:
        self.requests = 0


class Envelope:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, traffic: Traffic) -> None:
        self._app = app
        self._traffic = traffic

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self._traffic.requests += 1
        identifier = _correlation(scope)
        scope.setdefault("state", {})["correlation_id"] = identifier
        correlation_id.set(identifier)
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                _add_headers(MutableHeaders(scope=message), identifier, scope["scheme"] == "https")
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except ClientDisconnect:
            # Nobody is left to answer, and nothing was begun: engine calls start after the body has come.
            _logger.info("the client hung up in %s %s, correlation %s", scope["method"], scope["path"], identifier)
        except Exception as error:
            _report(error, scope, identifier)
            if started:
                raise
            body = {"detail": "Internal error", "error": "internal_error", "correlation_id": identifier}
            await JsonAnswer(body, 500)(scope, receive, send_with_headers)


def _correlation(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == b"x-correlation-id" and _FROM_CALLER.fullmatch(value):
            return str(value.decode("ascii"))
    return secrets.token_hex(4)


def _add_headers(headers: MutableHeaders, identifier: str, https: bool) -> None:
    headers[CORRELATION_HEADER] = identifier
    headers["X-Content-Type-Options"] = "nosniff"
    headers["X-Frame-Options"] = "DENY"
    headers["Referrer-Policy"] = "strict-origin-when-cross-origin"
    if https:
        headers["Strict-Transport-Security"] = f"max-age={_YEAR_SECONDS}; includeSubDomains"


def _report(error: Exception, scope: Scope, identifier: str) -> None:
    # Frames and types only: the message of an exception may quote what the caller sent.
    chain: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(chain) < 5:
        frames = "".join(traceback.format_tb(cause.__traceback__))
        chain.append(f"{type(cause).__module__}.{type(cause).__qualname__}\n{frames}")
        cause = cause.__cause__
    _logger.error(
        "unexpected error in %s %s, correlation %s: %s", scope["method"], scope["path"], identifier, "\n".join(chain)
    )
