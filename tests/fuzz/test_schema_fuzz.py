"""Generated requests over the whole schema, on the real engine: no server error, and every answer as declared."""

import os
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.types import Receive, Scope, Send

from reflexio_core.api.app import create_app
from reflexio_core.api.settings import AccessSettings
from tests.doubles.engine import make_engine

EXAMPLES = int(os.environ.get("REFLEXIO_FUZZ_EXAMPLES", "30"))
"""For each operation; raise it for a longer hunt. The default keeps the whole run under a minute."""

_app = create_app(make_engine(), AccessSettings())


async def _on_this_machine(scope: Scope, receive: Receive, send: Send) -> None:
    """The application as an in-process caller without an address sees it."""
    headers = [(name, value) for name, value in scope.get("headers", []) if name != b"host"]
    await _app({**scope, "client": None, "headers": [*headers, (b"host", b"localhost")]}, receive, send)


_config = SchemathesisConfig.from_dict(
    {"seed": 1, "phases": {"coverage": {"enabled": False}, "examples": {"enabled": False}}}
)
schema = schemathesis.openapi.from_asgi("/openapi.json", _on_this_machine, config=_config)


OPERATIONS = [found.ok() for found in schema.get_all_operations()]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_whatever_is_sent_the_answer_is_declared_and_no_server_error(operation: Any) -> None:
    @settings(
        max_examples=EXAMPLES, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(case=operation.as_strategy())
    def send(case: Any) -> None:
        response = case.call()
        assert response.status_code < 500
        case.validate_response(
            response, checks=[status_code_conformance, content_type_conformance, response_schema_conformance]
        )

    send()
