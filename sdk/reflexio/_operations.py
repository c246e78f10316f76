"""The clients' methods, named once for the synchronous and the asynchronous client.

``_calls`` says what a method sends. An ``Operation`` in a class makes a method of such a function: on a synchronous
client it returns the answer, on an asynchronous one an awaitable of it, with the function's signature and docstring.
"""

import functools
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from typing import Any, Generic, ParamSpec, TypeVar, get_args, overload

from reflexio._calls.call import Call
from reflexio.models.base import ListingReply

P = ParamSpec("P")
R = TypeVar("R")
L = TypeVar("L", bound=ListingReply)
T = TypeVar("T")


class SyncSender:
    """Something that sends calls and waits."""

    def _method(self, build: Callable[P, Call[R]]) -> Callable[P, R]:
        raise NotImplementedError

    def _pages(self, build: Callable[P, Call[L]], rows: Callable[[L], Sequence[T]]) -> Callable[P, Iterator[T]]:
        raise NotImplementedError


class AsyncSender:
    """Something that sends calls on an event loop."""

    def _method(self, build: Callable[P, Call[R]]) -> Callable[P, Coroutine[Any, Any, R]]:
        raise NotImplementedError

    def _pages(self, build: Callable[P, Call[L]], rows: Callable[[L], Sequence[T]]) -> Callable[P, AsyncIterator[T]]:
        raise NotImplementedError


class Operation(Generic[P, R]):
    """A method that sends one call. ``build`` is the function of ``_calls`` behind it."""

    def __init__(self, build: Callable[P, Call[R]]) -> None:
        self.build = build
        self.__doc__ = build.__doc__

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        """How the method is called, and what comes of it."""
        built = inspect.signature(self.build)
        return built.replace(return_annotation=get_args(built.return_annotation)[0])

    @overload
    def __get__(self, sender: None, owner: type) -> "Operation[P, R]": ...
    @overload
    def __get__(self, sender: SyncSender, owner: type) -> Callable[P, R]: ...
    @overload
    def __get__(self, sender: AsyncSender, owner: type) -> Callable[P, Coroutine[Any, Any, R]]: ...
    def __get__(self, sender: SyncSender | AsyncSender | None, owner: type) -> Any:
        """The operation itself on the class, a method on an instance."""
        if sender is None:
            return self
        method = sender._method(self.build)
        method.__dict__["__signature__"] = self.signature  # for help(), which would show what is sent
        return method


class Pages(Generic[P, L, T]):
    """A method that walks a listing to its end, row by row, fetching pages as they are needed."""

    def __init__(self, build: Callable[P, Call[L]], rows: Callable[[L], Sequence[T]]) -> None:
        self.build = build
        self.rows = rows
        self.__doc__ = f"Every row, page after page. {build.__doc__}"

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        """How the method is called."""
        return inspect.signature(self.build).replace(return_annotation=inspect.Signature.empty)

    @overload
    def __get__(self, sender: None, owner: type) -> "Pages[P, L, T]": ...
    @overload
    def __get__(self, sender: SyncSender, owner: type) -> Callable[P, Iterator[T]]: ...
    @overload
    def __get__(self, sender: AsyncSender, owner: type) -> Callable[P, AsyncIterator[T]]: ...
    def __get__(self, sender: SyncSender | AsyncSender | None, owner: type) -> Any:
        """The operation itself on the class, a method on an instance."""
        if sender is None:
            return self
        walk = sender._pages(self.build, self.rows)
        walk.__dict__["__signature__"] = self.signature
        walk.__doc__ = self.__doc__
        return walk
