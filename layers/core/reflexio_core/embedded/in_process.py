"""The engine inside a program of yours: no server, no port, the same code."""

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import httpx
from anyio.from_thread import BlockingPortal, start_blocking_portal

from reflexio import ReflexioClient
from reflexio_core.api.app import create_app
from reflexio_core.api.settings import AccessSettings
from reflexio_core.embedded.data_folder import IN_PROCESS
from reflexio_core.embedded.settings import EmbeddedSettings
from reflexio_core.embedded.wiring import Runtime, build_engine
from reflexio_core.engine.context import Engine

_URL = "http://127.0.0.1"


class Embedded:
    """A running engine on a data folder, as a context manager.

    ``client`` has the whole HTTP surface without a socket; ``engine`` is for calling engine functions directly. The
    folder belongs to this process until the block ends. ``data`` None means ``REFLEXIO_DATA`` or ``~/.reflexio``.

    Raises:
        DataFolderInUse: another process, a service perhaps, works on the folder.
        InvalidInput: a setting of the environment cannot be read.
    """

    def __init__(self, data: Path | str | None = None) -> None:
        self._settings = EmbeddedSettings.from_environment(os.environ, data=data)
        self._stack = ExitStack()
        self._runtime: Runtime | None = None
        self._client: ReflexioClient | None = None

    @property
    def engine(self) -> Engine:
        """The engine, inside the block."""
        assert self._runtime is not None, "use Embedded as a context manager"
        return self._runtime.engine

    @property
    def client(self) -> ReflexioClient:
        """A client of this engine, inside the block; threads may share it."""
        assert self._client is not None, "use Embedded as a context manager"
        return self._client

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._runtime = stack.enter_context(build_engine(self._settings, IN_PROCESS))
            portal = stack.enter_context(start_blocking_portal())
            # Nobody but this process can call, so no key is asked for.
            app = create_app(self._runtime.engine, AccessSettings.from_environment({}))
            transport = _InProcessTransport(httpx.ASGITransport(app=app), portal)
            self._client = stack.enter_context(ReflexioClient(url_endpoint=_URL, transport=transport))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        self._runtime = self._client = None


class _InProcessTransport(httpx.BaseTransport):
    """Calls an application on the portal's event loop and waits for its answer."""

    def __init__(self, inner: httpx.ASGITransport, portal: BlockingPortal) -> None:
        self._inner = inner
        self._portal = portal

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """One request and its whole answer."""
        return self._portal.call(self._answer, request)

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        sent = httpx.Request(request.method, request.url, headers=request.headers, content=request.read())
        response = await self._inner.handle_async_request(sent)
        content = await response.aread()
        return httpx.Response(response.status_code, headers=response.headers, content=content, request=request)
