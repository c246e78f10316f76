"""A client's view of one session: what takes a session id gets this one."""

import functools
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from pydantic import BaseModel

from reflexio._calls.call import Call
from reflexio._calls.publishing import required_session
from reflexio._exceptions import InvalidArgument
from reflexio._methods import SessionMethods
from reflexio._operations import AsyncSender, Operation, Pages, SyncSender
from reflexio.models.base import ListingReply

if TYPE_CHECKING:
    from reflexio._client import AsyncReflexioClient, ReflexioClient

P = ParamSpec("P")
R = TypeVar("R")
L = TypeVar("L", bound=ListingReply)
T = TypeVar("T")


class SessionScopedClient(SessionMethods, SyncSender):
    """A client bound to one session. It shares its client's connections; methods without a session pass through.

    Raises:
        InvalidArgument: the session id is blank, or a method is given another one.
    """

    def __init__(self, client: "ReflexioClient", session_id: str) -> None:
        self._client = client
        self._session_id = required_session(session_id)

    @property
    def client(self) -> "ReflexioClient":
        """The client behind this view."""
        return self._client

    @property
    def session_id(self) -> str:
        """The session that this view is of."""
        return self._session_id

    def __getattr__(self, name: str) -> Any:
        """A method of the client that has no session in it."""
        return _passed_through(self._client, name)

    def _method(self, build: Callable[P, Call[R]]) -> Callable[P, R]:
        return self._client._method(_bound(build, self._session_id))

    def _pages(self, build: Callable[P, Call[L]], rows: Callable[[L], Sequence[T]]) -> Callable[P, Iterator[T]]:
        return self._client._pages(_bound(build, self._session_id), rows)


class AsyncSessionScopedClient(SessionMethods, AsyncSender):
    """``SessionScopedClient`` for an event loop."""

    def __init__(self, client: "AsyncReflexioClient", session_id: str) -> None:
        self._client = client
        self._session_id = required_session(session_id)

    @property
    def client(self) -> "AsyncReflexioClient":
        """The client behind this view."""
        return self._client

    @property
    def session_id(self) -> str:
        """The session that this view is of."""
        return self._session_id

    def __getattr__(self, name: str) -> Any:
        """A method of the client that has no session in it."""
        return _passed_through(self._client, name)

    def _method(self, build: Callable[P, Call[R]]) -> Callable[P, Coroutine[Any, Any, R]]:
        return self._client._method(_bound(build, self._session_id))

    def _pages(self, build: Callable[P, Call[L]], rows: Callable[[L], Sequence[T]]) -> Callable[P, AsyncIterator[T]]:
        return self._client._pages(_bound(build, self._session_id), rows)


def _passed_through(client: object, name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    operation = getattr(type(client), name, None)
    if not isinstance(operation, Operation | Pages):
        raise AttributeError(f"a client has no method {name!r}")  # noqa: TRY004 - what attribute access must raise
    if "session_id" in inspect.signature(operation.build).parameters:
        raise AttributeError(f"{name} takes a session but is not bound to one here; use .client.{name}")
    return getattr(client, name)


def _bound(build: Callable[P, Call[R]], session_id: str) -> Callable[P, Call[R]]:
    """``build`` with the session filled in, as a keyword or inside a whole request."""
    signature = inspect.signature(build)

    @functools.wraps(build)
    def bound(*args: P.args, **kwargs: P.kwargs) -> Call[R]:
        given = signature.bind_partial(*args, **kwargs).arguments
        _refuse_other(given.get("session_id"), session_id)
        request = given.get("request")
        if request is None or isinstance(request, str):
            given["session_id"] = session_id
        else:
            given.pop("session_id", None)
            given["request"] = _request_in_session(request, session_id)
        arguments = inspect.BoundArguments(signature, given)
        return build(*arguments.args, **arguments.kwargs)

    return bound


def _request_in_session(request: BaseModel | Mapping[str, Any], session_id: str) -> BaseModel | dict[str, Any]:
    if isinstance(request, BaseModel):
        _refuse_other(getattr(request, "session_id", None), session_id)
        return request.model_copy(update={"session_id": session_id})
    _refuse_other(request.get("session_id"), session_id)
    return {**request, "session_id": session_id}


def _refuse_other(given: object, session_id: str) -> None:
    if isinstance(given, str) and given.strip() and given.strip() != session_id:
        raise InvalidArgument(f"this view is of session {session_id!r}, it cannot be used for {given!r}")
