"""The two clients. They differ in how they wait, and in nothing else."""

import functools
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

from reflexio._calls.call import Call
from reflexio._exceptions import UnexpectedResponse
from reflexio._methods import ClientMethods
from reflexio._operations import AsyncSender, SyncSender
from reflexio._retry import RetryPolicy
from reflexio._session import AsyncSessionScopedClient, SessionScopedClient
from reflexio._settings import resolve
from reflexio.models.base import ListingReply

if TYPE_CHECKING:
    from types import TracebackType

    import httpx

P = ParamSpec("P")
R = TypeVar("R")
L = TypeVar("L", bound=ListingReply)
T = TypeVar("T")

DEFAULT_TIMEOUT = 300.0
"""Seconds. Long, because a publication may wait for a model; reads answer in milliseconds."""


class ReflexioClient(ClientMethods, SyncSender):
    """A connection to a Reflexio service; safe to share between threads.

    ``api_key`` and ``url_endpoint`` fall back to ``REFLEXIO_API_KEY`` and ``REFLEXIO_URL``, then to the embedded
    service on this machine without a key. ``timeout`` is in seconds, for one attempt and for all retries of a call
    together. Reads and publications are retried, other writes only when they never reached the service; ``retry``
    says how often. ``transport`` replaces the network, for tests.

    Methods raise ``ReflexioError`` and its kinds (see ``reflexio.ReflexioError``); an answer with
    ``success: false`` is returned.
    """

    def __init__(
        self,
        api_key: str = "",
        url_endpoint: str = "",
        timeout: float = DEFAULT_TIMEOUT,
        *,
        retry: RetryPolicy | None = None,
        transport: "httpx.BaseTransport | None" = None,
    ) -> None:
        from reflexio import _transport

        self._wire = _transport
        self._settings = resolve(url_endpoint, api_key)
        self._timeout = timeout
        self._retry = retry or RetryPolicy()
        self._sleep: Callable[[float], None] = time.sleep
        self._http = _transport.sync_http(self._settings, timeout, transport)

    @property
    def url_endpoint(self) -> str:
        """The service's address."""
        return self._settings.url

    def for_session(self, session_id: str) -> SessionScopedClient:
        """A view of this client in which ``session_id`` need not be said again."""
        return SessionScopedClient(self, session_id)

    def close(self) -> None:
        """Close connections; the client cannot be used afterwards."""
        self._http.close()

    def __enter__(self) -> Self:
        """The client itself; leaving the block closes it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        """Close connections."""
        self.close()

    def _method(self, build: Callable[P, Call[R]]) -> Callable[P, R]:
        @functools.wraps(build)
        def method(*args: P.args, **kwargs: P.kwargs) -> R:
            return self._send(build(*args, **kwargs))

        return method

    def _pages(self, build: Callable[P, Call[L]], rows: Callable[[L], Sequence[T]]) -> Callable[P, Iterator[T]]:
        @functools.wraps(build)
        def walk(*args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
            call = build(*args, **kwargs)
            token: str | None = None
            while True:
                page = self._send(call if token is None else call.continued(token))
                yield from rows(page)
                token = _advance(page, token, self.url_endpoint + call.path)
                if token is None:
                    return

        return walk

    def _send(self, call: Call[R]) -> R:
        import httpx

        attempts = self._wire.Attempts(call, self._retry, self._timeout, time.monotonic)
        options = self._wire.request_options(self._settings, call)
        while True:
            try:
                response = self._http.request(**options)
            except httpx.RequestError as error:
                wait: float | None = attempts.after_error(error)
            else:
                wait = attempts.after_answer(response)
                if wait is None:
                    return self._wire.read_answer(call, response)
            self._sleep(wait or 0.0)


class AsyncReflexioClient(ClientMethods, AsyncSender):
    """``ReflexioClient`` for an event loop: the same methods, awaited; ``iter_*`` are asynchronous iterators."""

    def __init__(
        self,
        api_key: str = "",
        url_endpoint: str = "",
        timeout: float = DEFAULT_TIMEOUT,
        *,
        retry: RetryPolicy | None = None,
        transport: "httpx.AsyncBaseTransport | None" = None,
    ) -> None:
        import asyncio

        from reflexio import _transport

        self._wire = _transport
        self._settings = resolve(url_endpoint, api_key)
        self._timeout = timeout
        self._retry = retry or RetryPolicy()
        self._sleep: Callable[[float], Coroutine[Any, Any, None]] = asyncio.sleep
        self._http = _transport.async_http(self._settings, timeout, transport)

    @property
    def url_endpoint(self) -> str:
        """The service's address."""
        return self._settings.url

    def for_session(self, session_id: str) -> AsyncSessionScopedClient:
        """A view of this client in which ``session_id`` need not be said again."""
        return AsyncSessionScopedClient(self, session_id)

    async def aclose(self) -> None:
        """Close connections; the client cannot be used afterwards."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        """The client itself; leaving the block closes it."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        """Close connections."""
        await self.aclose()

    def _method(self, build: Callable[P, Call[R]]) -> Callable[P, Coroutine[Any, Any, R]]:
        @functools.wraps(build)
        async def method(*args: P.args, **kwargs: P.kwargs) -> R:
            return await self._send(build(*args, **kwargs))

        return method

    def _pages(self, build: Callable[P, Call[L]], rows: Callable[[L], Sequence[T]]) -> Callable[P, AsyncIterator[T]]:
        @functools.wraps(build)
        async def walk(*args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
            call = build(*args, **kwargs)
            token: str | None = None
            while True:
                page = await self._send(call if token is None else call.continued(token))
                for row in rows(page):
                    yield row
                token = _advance(page, token, self.url_endpoint + call.path)
                if token is None:
                    return

        return walk

    async def _send(self, call: Call[R]) -> R:
        import httpx

        attempts = self._wire.Attempts(call, self._retry, self._timeout, time.monotonic)
        options = self._wire.request_options(self._settings, call)
        while True:
            try:
                response = await self._http.request(**options)
            except httpx.RequestError as error:
                wait: float | None = attempts.after_error(error)
            else:
                wait = attempts.after_answer(response)
                if wait is None:
                    return self._wire.read_answer(call, response)
            await self._sleep(wait or 0.0)


def _advance(page: ListingReply, token: str | None, url: str) -> str | None:
    """The token of the page after ``page``, which was fetched with ``token``; None at the end."""
    if page.next_token is not None and page.next_token == token:
        raise UnexpectedResponse("a page continues with itself", url=url, status=200, body=token)
    return page.next_token
