"""The same application behind API Gateway: Mangum mounts it without a change."""

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
from mangum import Mangum
from mangum.types import LambdaContext

from reflexio_core.api.app import create_app
from reflexio_core.api.settings import AccessSettings
from reflexio_core.engine.context import Engine

Handler = Callable[[dict[str, Any]], dict[str, Any]]


def _event(method: str, path: str, *, body: Any = None, headers: dict[str, str] | None = None) -> dict[str, Any]:
    """An HTTP API event in payload format 2.0."""
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {"host": "abc.execute-api.example", "x-forwarded-proto": "https", **(headers or {})},
        "requestContext": {
            "http": {"method": method, "path": path, "sourceIp": "203.0.113.9", "protocol": "HTTP/1.1"},
            "stage": "$default",
        },
        "body": None if body is None else json.dumps(body),
        "isBase64Encoded": False,
    }


@pytest.fixture
def handler(engine: Engine) -> Iterator[Handler]:
    """The function's handler over an application with a key."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)  # Mangum would make one and never close it
    function = Mangum(create_app(engine, AccessSettings(api_key="k", tenant="acme")), lifespan="off")
    try:
        yield lambda event: function(event, cast("LambdaContext", None))
    finally:
        asyncio.set_event_loop(None)
        loop.close()


def test_a_publish_through_the_gateway_is_stored(handler: Handler, conversation: dict[str, Any]) -> None:
    headers = {"authorization": "Bearer k", "x-forwarded-for": "203.0.113.9"}
    answer = handler(_event("POST", "/api/publish_interaction", body=conversation, headers=headers))
    assert answer["statusCode"] == 200
    assert json.loads(answer["body"])["success"] is True
    assert "strict-transport-security" in answer["headers"]


def test_a_call_through_the_gateway_needs_the_key(handler: Handler) -> None:
    answer = handler(_event("GET", "/api/get_config"))
    assert (answer["statusCode"], answer["headers"]["www-authenticate"]) == (401, "Bearer")


def test_health_through_the_gateway_is_open(handler: Handler) -> None:
    assert handler(_event("GET", "/health/live"))["statusCode"] == 200
