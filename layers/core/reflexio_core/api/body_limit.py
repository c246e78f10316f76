"""Bodies over the limit are refused by their declared length, or while they stream in."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reflexio_core.api.errors import BodyTooLarge, answer_for


class BodyLimit:
    """Answers 413 to bodies of more than ``max_bytes``."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if _declared_length(scope) > self._max_bytes:
            await answer_for(BodyTooLarge(self._message()))(scope, receive, send)
            return
        received = 0

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._max_bytes:
                raise BodyTooLarge(self._message())
            return message

        await self._app(scope, receive_counted, send)

    def _message(self) -> str:
        return f"the body has more than {self._max_bytes} bytes; send less at once"


def _declared_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value[:20])
    return 0
