"""A client that calls the application directly, with any peer address and headers."""

from typing import Any

import httpx
from anyio.from_thread import BlockingPortal
from fastapi import FastAPI
from starlette.types import Receive, Scope, Send

from reflexio_core.api.data_routes import DataRoute

LOCAL_PEER = ("127.0.0.1", 40_000)
BASE_URL = "http://127.0.0.1:8061"


class InProcess:
    """Synchronous calls on the portal's event loop. ``peer`` None is an in-process caller without an address."""

    def __init__(
        self,
        app: FastAPI,
        portal: BlockingPortal,
        *,
        peer: tuple[str, int] | None = LOCAL_PEER,
        base_url: str = BASE_URL,
    ) -> None:
        async def with_peer(scope: Scope, receive: Receive, send: Send) -> None:
            await app({**scope, "client": peer}, receive, send)

        self.app = app
        self.portal = portal
        self.asynchronous = httpx.AsyncClient(transport=httpx.ASGITransport(app=with_peer), base_url=base_url)

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """One request; options as for ``httpx.AsyncClient.request``."""
        return self.portal.call(lambda: self.asynchronous.request(method, path, **options))

    def data_routes(self) -> list[DataRoute]:
        """The routes behind a policy."""
        return [route for route in self.app.routes if isinstance(route, DataRoute)]

    def get(self, path: str, **options: Any) -> httpx.Response:
        """GET."""
        return self.request("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        """POST."""
        return self.request("POST", path, **options)

    def put(self, path: str, **options: Any) -> httpx.Response:
        """PUT."""
        return self.request("PUT", path, **options)

    def delete(self, path: str, **options: Any) -> httpx.Response:
        """DELETE, which may have a body."""
        return self.request("DELETE", path, **options)
