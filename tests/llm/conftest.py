"""A scripted server behind the real LiteLLM, which is imported once for all tests here."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from reflexio_core.adapters.litellm import LiteLlm
from tests.doubles.openai_server import ScriptedOpenAI

Serve = Callable[..., "Asked"]


class Asked:
    """A server and a client of it; ``pauses`` are the waits between retries, which take no time."""

    def __init__(self, server: ScriptedOpenAI, environ: dict[str, str]) -> None:
        self.server = server
        self.pauses: list[float] = []
        # A named model spares each test the question what the server offers.
        named = {"REFLEXIO_MODEL": "openai/scripted", **server.environ}
        self.llm = LiteLlm({**named, **environ}, sleep=self.pauses.append, jitter=lambda: 1.0)

    @property
    def forms(self) -> list[str]:
        """Response formats of the requests, in order."""
        return [request.form for request in self.server.requests]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts a server for a script; options of ``ScriptedOpenAI`` by name, ``environ`` for the client."""
    with ExitStack() as stack:

        def start(script: Any, environ: dict[str, str] | None = None, **options: Any) -> Asked:
            return Asked(stack.enter_context(ScriptedOpenAI(script, **options)), environ or {})

        yield start
