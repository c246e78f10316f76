"""Runs commands in this process and shows what they printed."""

import json
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from anyio.from_thread import BlockingPortal
from fastapi import FastAPI

from reflexio import _transport
from reflexio._settings import Settings
from reflexio.cli.app import run

SYNC_HTTP = _transport.sync_http


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The data of a JSON answer that went well."""
        answer = json.loads(self.out)
        assert answer["ok"] is True
        return answer["data"]

    @property
    def meta(self) -> Any:
        """What a JSON answer says beside its data."""
        return json.loads(self.out)["meta"]

    @property
    def error(self) -> Any:
        """The error of a JSON answer; notices before it are no part of it."""
        answer = json.loads(self.err.splitlines()[-1])
        assert answer["ok"] is False
        return answer["error"]


class Terminal:
    """A place to run commands, with the network replaced by ``transport``."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def connect(self, transport: httpx.BaseTransport) -> None:
        """Let commands talk to this."""

        def replaced(settings: Settings, timeout: float, _: object) -> httpx.Client:
            return SYNC_HTTP(settings, timeout, transport)

        self._monkeypatch.setattr(_transport, "sync_http", replaced)

    def __call__(self, *words: str) -> Ran:
        """Run one command."""
        self._capsys.readouterr()
        code = run(words)
        out, err = self._capsys.readouterr()
        assert "Traceback" not in err
        return Ran(int(code), out, err)


class InProcess(httpx.BaseTransport):
    """Calls an application on the portal's event loop; remembers the calls."""

    def __init__(self, app: FastAPI, portal: BlockingPortal) -> None:
        self._inner = httpx.ASGITransport(app=app)
        self._portal = portal
        self.requests: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """One request and its whole answer."""
        self.requests.append(request)
        return self._portal.call(self._answer, request)

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        sent = httpx.Request(request.method, request.url, headers=request.headers, content=request.read())
        response = await self._inner.handle_async_request(sent)
        content = await response.aread()
        return httpx.Response(response.status_code, headers=response.headers, content=content, request=request)
