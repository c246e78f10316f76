"""Sending a call and reading its answer: what both clients do alike.

Loaded when a client is made, not before: httpx costs more to import than the rest of this package together.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx

from reflexio._calls.call import Call
from reflexio._exceptions import (
    ReflexioConnectionError,
    ReflexioError,
    ReflexioTimeoutError,
    UnexpectedResponse,
    error_for,
    retry_after_seconds,
)
from reflexio._retry import Failure, RetryPolicy
from reflexio._settings import Settings
from reflexio._version import __version__

R = TypeVar("R")

LONGEST_CONNECT_SECONDS = 10.0
"""A host that does not accept a connection by then is down, however long the call itself may take."""

USER_AGENT = f"reflexio-python/{__version__} python/{sys.version_info.major}.{sys.version_info.minor}"


def sync_http(settings: Settings, timeout: float, transport: httpx.BaseTransport | None) -> httpx.Client:
    """The connections of a synchronous client."""
    return httpx.Client(transport=transport, **_client_options(settings, timeout))


def async_http(settings: Settings, timeout: float, transport: httpx.AsyncBaseTransport | None) -> httpx.AsyncClient:
    """The connections of an asynchronous client."""
    return httpx.AsyncClient(transport=transport, **_client_options(settings, timeout))


def _client_options(settings: Settings, timeout: float) -> dict[str, Any]:
    # A proxy of the environment is never asked for this machine itself.
    headers = {"User-Agent": USER_AGENT, "Accept": "application/json"}
    if settings.api_key:
        headers["Authorization"] = f"Bearer {settings.api_key}"
    return {
        "headers": headers,
        "timeout": httpx.Timeout(timeout, connect=min(timeout, LONGEST_CONNECT_SECONDS)),
        "follow_redirects": False,
        "trust_env": not settings.is_loopback,
    }


def request_options(settings: Settings, call: Call[Any]) -> dict[str, Any]:
    """Arguments for either client's ``request``."""
    content = call.content()
    headers = dict(call.headers)
    if content is not None:
        headers["Content-Type"] = "application/json"
    return {
        "method": call.method,
        "url": settings.url + call.path,
        "params": dict(call.query) or None,
        "headers": headers,
        "content": content,
    }


@dataclass(slots=True)
class Attempts:
    """The attempts at one call: decides after each whether another follows, or raises.

    ``budget`` is how many seconds the call may take in all before no further attempt is made.
    """

    call: Call[Any]
    policy: RetryPolicy
    budget: float
    clock: Callable[[], float]
    started: float = 0.0
    made: int = 0

    def __post_init__(self) -> None:
        self.started = self.clock()

    def after_answer(self, response: httpx.Response) -> float | None:
        """Seconds to wait before the next attempt, or None to take this answer."""
        self.made += 1
        wait = self.policy.wait_after_status(
            self.made, response.status_code, retry_after_seconds(response.headers), self.call.repeatable
        )
        return wait if wait is not None and self._in_budget(wait) else None

    def after_error(self, error: httpx.RequestError) -> float:
        """Seconds to wait before the next attempt.

        Raises:
            ReflexioError: no further attempt is made.
        """
        self.made += 1
        wait = self.policy.wait_after_failure(self.made, _failure(error), self.call.repeatable)
        if wait is None or not self._in_budget(wait):
            raise self._failed(error) from error
        return wait

    def _in_budget(self, wait: float) -> bool:
        return self.clock() - self.started + wait < self.budget

    def _failed(self, error: httpx.RequestError) -> ReflexioError:
        what = f"{self.call.method} {self.call.path}"
        reason = str(error) or type(error).__name__
        tries = "1 attempt" if self.made == 1 else f"{self.made} attempts"
        if isinstance(error, httpx.TimeoutException):
            return ReflexioTimeoutError(f"{what}: no answer in time after {tries} ({reason})")
        address = error.request.url.copy_with(query=None, userinfo=b"")
        return ReflexioConnectionError(f"{what}: cannot reach {address} after {tries} ({reason}); is the service up?")


def read_answer(call: Call[R], response: httpx.Response) -> R:
    """What the caller gets, or the exception that the answer stands for.

    Raises:
        ApiError: the service refused or failed.
        UnexpectedResponse: a redirect, something other than JSON, or JSON of another shape.
    """
    status = response.status_code
    if response.is_redirect or 300 <= status < 400:
        target = response.headers.get("location", "nowhere")
        raise _unexpected(f"redirects are not followed, this one leads to {target}", response)
    body = _decoded(response)
    if status >= 400:
        raise error_for(status, response.headers, body, response.text)
    if body is None:
        raise _unexpected("the answer is not JSON", response)
    try:
        return call.read(body)
    except (ValueError, TypeError, AttributeError) as error:
        fault = " ".join(str(error).split())
        raise _unexpected(f"the answer does not have the expected shape: {fault}", response) from error


def _decoded(response: httpx.Response) -> Any:
    """The JSON of an answer, an empty object for an empty one, None for anything else."""
    if not response.content:
        return {}
    if "json" not in response.headers.get("content-type", ""):
        return None
    try:
        return response.json()
    except ValueError:
        return None


def _unexpected(reason: str, response: httpx.Response) -> UnexpectedResponse:
    return UnexpectedResponse(reason, url=str(response.request.url), status=response.status_code, body=response.text)


def _failure(error: httpx.RequestError) -> Failure:
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.UnsupportedProtocol):
        return Failure.NOT_SENT
    return Failure.TIMED_OUT if isinstance(error, httpx.TimeoutException) else Failure.BROKEN
