"""A request that is ready to be sent, and how to read its answer."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Self, TypeVar

from pydantic import BaseModel

from reflexio._exceptions import InvalidArgument
from reflexio._retry import Repeatable

R = TypeVar("R")
M = TypeVar("M", bound=BaseModel)

NEXT_TOKEN = "next_token"  # noqa: S105 - a field's name, no secret


@dataclass(frozen=True, slots=True)
class Call(Generic[R]):
    """One request. ``read`` turns the answer's decoded JSON into what the caller gets."""

    method: str
    path: str
    read: Callable[[Any], R]
    body: Mapping[str, Any] | None = None
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    repeatable: Repeatable = Repeatable.ALWAYS

    def continued(self, token: str) -> Self:
        """The same listing from where a page ended."""
        if self.body is None:
            return replace(self, query={**self.query, NEXT_TOKEN: token})
        return replace(self, body={**self.body, NEXT_TOKEN: token})

    def content(self) -> bytes | None:
        """The body as JSON in UTF-8, or None for a request without one."""
        if self.body is None:
            return None
        try:
            return json.dumps(self.body, ensure_ascii=False, allow_nan=False).encode()
        except UnicodeEncodeError:
            # Lone surrogates exist as JSON escapes only; the service replaces them and says so.
            return json.dumps(self.body, allow_nan=False).encode()


def read_post(path: str, request: BaseModel, answer: type[M]) -> Call[M]:
    """A read that the wire spells as POST; only fields that the caller set travel."""
    return Call("POST", path, answer.model_validate, body=wire_body(request))


def read_get(path: str, answer: type[M], **query: object) -> Call[M]:
    """A read with its arguments in the query; None is left out."""
    return Call("GET", path, answer.model_validate, query=query_text(query))


def write(method: str, path: str, request: BaseModel | None, answer: type[M]) -> Call[M]:
    """A change that would happen twice if sent twice."""
    body = None if request is None else wire_body(request)
    return Call(method, path, answer.model_validate, body=body, repeatable=Repeatable.UNSENT)


def wire_body(request: BaseModel) -> dict[str, Any]:
    """The fields that were set, as JSON values; what is null stays out."""
    return request.model_dump(mode="json", exclude_unset=True, exclude_none=True)


def query_text(query: Mapping[str, object]) -> dict[str, str]:
    """Query arguments as text; None is left out."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in query.items()
        if value is not None
    }


def request_from(model: type[M], request: object, given: Mapping[str, Any]) -> M:
    """The request a caller means: ``request`` itself, or one built from keywords that are not None.

    Raises:
        InvalidArgument: both were given, or something that is no request.
        pydantic.ValidationError: a value does not fit; it names the field and is a ``ValueError``.
    """
    keywords = {name: value for name, value in given.items() if value is not None}
    if request is None:
        return model.model_validate(keywords)
    if keywords:
        raise InvalidArgument(f"pass request= or keywords, not both; also got {', '.join(sorted(keywords))}")
    if not isinstance(request, BaseModel | Mapping):
        fields = ", ".join(f"{name}=" for name in list(model.__annotations__)[:3])
        raise InvalidArgument(
            f"the first argument is a whole {model.__name__}, not {type(request).__name__}; name it: {fields} ..."
        )
    return request if isinstance(request, model) else model.model_validate(request)
