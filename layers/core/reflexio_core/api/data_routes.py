"""Routes to a tenant's data: scope and rate are checked before the body is read, and engine calls run in threads."""

from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel

from reflexio_core.api.access import Caller, Scope
from reflexio_core.api.answers import JsonAnswer
from reflexio_core.api.bodies import read_model, read_object
from reflexio_core.api.capacity import Capacity, Slots
from reflexio_core.api.declared import REFUSALS, Responses, declared_body
from reflexio_core.api.limits import RateLimiter, check_rate
from reflexio_core.engine.context import Engine

Endpoint = Callable[..., Coroutine[Any, Any, Response]]
Action = Callable[..., dict[str, Any]]
"""An engine function: engine and tenant first, then a validated request; its JSON-ready answer."""


async def _caller(request: Request) -> Caller:
    caller: Caller = request.state.caller
    return caller


ByCaller = Annotated[Caller, Depends(_caller)]
"""Who asks, as an endpoint's parameter."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What a route asks of its caller.

    ``per_minute`` None means no rate limit. With ``across_users`` a body that names no user needs that scope.
    ``slots`` bound how many engine calls of a tenant run at once.
    """

    scope: Scope
    per_minute: int | None = None
    across_users: Scope | None = None
    slots: Slots | None = None


class DataRoute(APIRoute):
    """A route behind a policy. ``direct`` endpoints take the request alone, so FastAPI has nothing to solve for them:
    they are called as they are, and FastAPI only describes them."""

    def __init__(
        self, path: str, endpoint: Endpoint, *, policy: Policy, limiter: RateLimiter, direct: bool, **options: Any
    ) -> None:
        self.policy = policy
        self._limiter = limiter
        self._direct = direct
        super().__init__(path, endpoint, **options)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """See ``APIRoute.get_route_handler``."""
        handler: Callable[[Request], Coroutine[Any, Any, Response]] = (
            self.endpoint if self._direct else super().get_route_handler()
        )

        async def guarded(request: Request) -> Response:
            caller: Caller = request.state.caller
            caller.require(self.policy.scope)
            if self.policy.per_minute is not None:
                check_rate(self._limiter, caller.tenant, self.path, self.policy.per_minute)
            return await handler(request)

        return guarded


@dataclass(frozen=True, slots=True)
class Service:
    """What routes are made of: the engine, the limits, and the router that they go to.

    ``bodies`` collects the models of the bodies, which FastAPI does not see because it does not read them.
    """

    engine: Engine
    limiter: RateLimiter
    capacity: Capacity
    router: APIRouter
    bodies: list[type[BaseModel]] = field(default_factory=list)

    def add(
        self,
        method: str,
        path: str,
        endpoint: Endpoint,
        reply: Any,
        policy: Policy,
        *,
        body: type[BaseModel] | None = None,
        extra: dict[str, Any] | None = None,
        responses: Responses | None = None,
        direct: bool = False,
    ) -> None:
        """Add a route whose endpoint makes its own response; ``body`` and ``reply`` are only declared here."""
        if body is not None:
            self.bodies.append(body)
            extra = declared_body(body)
        route = DataRoute(
            path,
            endpoint,
            policy=policy,
            limiter=self.limiter,
            direct=direct,
            methods=[method],
            response_model=reply,
            responses={**REFUSALS, **(responses or {})},
            # A key, or none where only this machine can call.
            openapi_extra={"security": [{"BearerAuth": []}, {}], **(extra or {})},
            operation_id=path.rsplit("/", 1)[-1],
            summary=path.rsplit("/", 1)[-1].replace("_", " "),
        )
        self.router.routes.append(route)

    def call(self, method: str, path: str, action: Action, reply: Any, policy: Policy) -> None:
        """Add a route that calls ``action(engine, tenant)``."""

        async def endpoint(request: Request) -> Response:
            caller: Caller = request.state.caller
            return await self.answer(policy, caller, lambda: action(self.engine, caller.tenant))

        self.add(method, path, endpoint, reply, policy, direct=True)

    def call_with_model(
        self, method: str, path: str, action: Action, body: type[BaseModel], reply: Any, policy: Policy
    ) -> None:
        """Add a route that calls ``action(engine, tenant, body)`` with the body as a wire model."""

        def act(caller: Caller, raw: bytes) -> dict[str, Any]:
            request: Any = read_model(raw, body)
            if policy.across_users is not None and request.user_id is None:
                caller.require(policy.across_users)
            return action(self.engine, caller.tenant, request)

        async def endpoint(request: Request) -> Response:
            caller: Caller = request.state.caller
            raw = await request.body()
            return await self.answer(policy, caller, lambda: act(caller, raw))

        self.add(method, path, endpoint, reply, policy, body=body, direct=True)

    def call_with_object(
        self, method: str, path: str, action: Action, reply: Any, policy: Policy, responses: Responses
    ) -> None:
        """Add a route that calls ``action(engine, tenant, body)`` with the body as a free-form object."""

        async def endpoint(request: Request) -> Response:
            caller: Caller = request.state.caller
            raw = await request.body()
            return await self.answer(policy, caller, lambda: action(self.engine, caller.tenant, read_object(raw)))

        self.add(method, path, endpoint, reply, policy, extra=declared_body(None), responses=responses, direct=True)

    async def answer(self, policy: Policy, caller: Caller, call: Callable[[], dict[str, Any]]) -> Response:
        """Make an answer in a worker thread, and write it as JSON there too."""
        async with _held(policy.slots, caller.tenant):
            return await self.capacity.work(lambda: JsonAnswer(call()))


def _held(slots: Slots | None, tenant: str) -> AbstractAsyncContextManager[None]:
    return slots.hold(tenant) if slots is not None else nullcontext()
