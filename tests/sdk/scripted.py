"""A transport that answers from a script and remembers what it was asked."""

from collections.abc import Callable, Iterable
from typing import Any

import httpx

from reflexio import AsyncReflexioClient, ReflexioClient, RetryPolicy

Answer = httpx.Response | Exception

URL = "http://service.test:9"
PUBLISHED = {"success": True, "request_id": "r", "warnings": []}
FOUND = {"success": True, "profiles": [], "user_playbooks": [], "agent_playbooks": [], "degraded": False}


def ok(body: Any, status: int = 200, **headers: str) -> httpx.Response:
    """A JSON answer; header names in keywords use underscores."""
    return httpx.Response(status, json=body, headers={name.replace("_", "-"): v for name, v in headers.items()})


class Script:
    """Answers in order, the last one for ever; a raised exception is an answer too."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.waits: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)

    @property
    def paths(self) -> list[str]:
        return [request.url.path for request in self.requests]


def client(*answers: Answer, **options: Any) -> tuple[ReflexioClient, Script]:
    """A synchronous client on a script. It waits without waiting, and jitter always draws its upper bound."""
    script = Script(answers)
    made = ReflexioClient(
        url_endpoint=options.pop("url_endpoint", URL),
        retry=RetryPolicy(draw=lambda: 1.0),
        transport=httpx.MockTransport(script),
        **options,
    )
    made._sleep = script.waits.append
    return made, script


def async_client(*answers: Answer, **options: Any) -> tuple[AsyncReflexioClient, Script]:
    """The asynchronous client, likewise."""
    script = Script(answers)
    made = AsyncReflexioClient(
        url_endpoint=options.pop("url_endpoint", URL),
        retry=RetryPolicy(draw=lambda: 1.0),
        transport=httpx.MockTransport(script),
        **options,
    )

    async def wait(seconds: float) -> None:
        script.waits.append(seconds)

    made._sleep = wait
    return made, script


Publish = Callable[..., Any]
TURNS = [{"role": "user", "content": "hi"}]
