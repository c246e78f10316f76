"""Publishing turns, saying that a session is complete, and asking how far learning is."""

import functools
from typing import Annotated, Any

from fastapi import Header, Query, Request, Response

from reflexio.models.identifiers import Identifier
from reflexio.models.interactions import (
    FinalizeSessionRequest,
    FinalizeSessionResponse,
    LearningStatusResponse,
    PublishUserInteractionRequest,
    PublishUserInteractionResponse,
)
from reflexio_core.api.access import Scope
from reflexio_core.api.answers import JsonAnswer
from reflexio_core.api.bodies import read_publish
from reflexio_core.api.data_routes import ByCaller, Policy, Service
from reflexio_core.api.image_urls import refuse_bad_images
from reflexio_core.engine import publish as publishing
from reflexio_core.engine import sessions, status


def add_routes(service: Service, *, resolve_image_hosts: bool) -> None:
    """Add the routes of this module."""
    engine, capacity = service.engine, service.capacity

    policy = Policy(Scope.PUBLISH, per_minute=60)

    async def publish_interaction(
        request: Request,
        caller: ByCaller,
        wait_for_response: Annotated[bool, Query()] = False,
        idempotency_key: Annotated[Identifier | None, Header()] = None,
    ) -> Response:
        raw = await request.body()

        def publish() -> dict[str, Any]:
            body, warnings, sent_rows = read_publish(raw)
            refuse_bad_images(body, sent_rows, resolve=resolve_image_hosts)
            return publishing.publish(engine, caller.tenant, body, warnings, idempotency_key)

        # The slot is for the commit: a caller that only waits must not keep the next publisher out.
        async with capacity.publish.hold(caller.tenant):
            answer = await capacity.work(publish)
        if wait_for_response and _may_still_learn(answer):
            wait = functools.partial(status.wait_for_learning, engine, caller.tenant, answer)
            learned = await capacity.waiters.run(caller.tenant, wait)
            answer = learned or {**answer, "learning_status": "deferred", "learning_reason": "waiter_capacity"}
        return JsonAnswer(answer)

    service.add(
        "POST",
        "/api/publish_interaction",
        publish_interaction,
        PublishUserInteractionResponse,
        policy,
        body=PublishUserInteractionRequest,
    )

    reading = Policy(Scope.READ, per_minute=120)

    async def learning_status(caller: ByCaller, request_id: Annotated[Identifier, Query()]) -> Response:
        ask = functools.partial(status.learning_status, engine, caller.tenant, request_id)
        return await service.answer(reading, caller, ask)

    service.add("GET", "/api/learning_status", learning_status, LearningStatusResponse, reading)
    service.call_with_model(
        "POST",
        "/api/finalize_session",
        sessions.finalize_session,
        FinalizeSessionRequest,
        FinalizeSessionResponse,
        policy,
    )


def _may_still_learn(answer: dict[str, Any]) -> bool:
    return bool(answer["success"]) and answer.get("learning_status") != "done"
