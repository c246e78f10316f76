"""Everything but the open paths needs a caller, whether or not a route exists there."""

from starlette.types import ASGIApp, Receive, Scope, Send

from reflexio_core.api.access import Authenticator, Credentials
from reflexio_core.api.errors import answer_for
from reflexio_core.errors import ReflexioError

OPEN_PATHS = frozenset(
    {
        "/",
        "/health",
        "/healthz",
        "/healthz/eval",
        "/health/live",
        "/health/ready",
        "/meta/version",
        "/docs",
        "/docs/oauth2-redirect",
        "/redoc",
        "/openapi.json",
    }
)
"""Paths that tell nothing about anybody's data."""

_READING = frozenset({"GET", "HEAD"})


class AccessLayer:
    """Puts the caller into the request's state, or answers in its place. Runs before a body is read."""

    def __init__(self, app: ASGIApp, authenticator: Authenticator) -> None:
        self._app = app
        self._authenticator = authenticator

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http" or _is_open(scope):
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        credentials = Credentials(tuple(scope["headers"]), client[0] if client else None)
        try:
            caller = await self._authenticator.caller(credentials)
        except ReflexioError as error:
            await answer_for(error)(scope, receive, send)
            return
        scope.setdefault("state", {})["caller"] = caller
        await self._app(scope, receive, send)


def _is_open(scope: Scope) -> bool:
    if scope["method"] == "OPTIONS":
        return True
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    return scope["method"] in _READING and path in OPEN_PATHS
