"""The README's examples run as they stand."""

import re
from pathlib import Path

import httpx
import pytest

from reflexio import _transport
from reflexio._settings import Settings
from tests.sdk.scripted import FOUND, PUBLISHED, ok

README = Path(__file__).parents[2] / "sdk" / "README.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
LEARNED = {
    **PUBLISHED,
    **FOUND,
    "learning_status": "done",
    "user_profiles": [],
    "profiles": [
        {
            "profile_id": "p",
            "user_id": "alice",
            "content": "Production runs in us-west-2.",
            "last_modified_timestamp": 1,
            "generated_from_request_id": "r",
        }
    ],
}


@pytest.fixture(autouse=True)
def answering_service(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.url.host == "127.0.0.1"
        return ok(LEARNED)

    sync_http, async_http = _transport.sync_http, _transport.async_http

    def scripted_sync(settings: Settings, timeout: float, transport: object) -> httpx.Client:
        return sync_http(settings, timeout, httpx.MockTransport(answer))

    def scripted_async(settings: Settings, timeout: float, transport: object) -> httpx.AsyncClient:
        return async_http(settings, timeout, httpx.MockTransport(answer))

    monkeypatch.delenv("REFLEXIO_URL", raising=False)
    monkeypatch.setattr(_transport, "sync_http", scripted_sync)
    monkeypatch.setattr(_transport, "async_http", scripted_async)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 5


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs(example: str) -> None:
    exec(compile(example, str(README), "exec"), {"__name__": "example"})
