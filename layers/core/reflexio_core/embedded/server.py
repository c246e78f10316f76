"""The embedded service: ``python -m reflexio_core.embedded.server [--port N] [--host H] [--data DIR]``.

Prints one line when it is ready and serves until SIGTERM or SIGINT, which lets calls in hand finish.
"""

import argparse
import asyncio
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing

import uvicorn
from fastapi import FastAPI

from reflexio.cli.env_files import load_env_files
from reflexio_core import __version__
from reflexio_core.api.access import refuse_unsafe_listen
from reflexio_core.api.app import create_app
from reflexio_core.api.settings import AccessSettings, ApiSettings
from reflexio_core.embedded.data_folder import SERVICE
from reflexio_core.embedded.listening import bind, url_of
from reflexio_core.embedded.settings import EmbeddedSettings
from reflexio_core.embedded.state import ServiceState, access_of
from reflexio_core.embedded.wiring import Runtime, build_engine
from reflexio_core.errors import InvalidInput, ReflexioError

WAITERS_SECONDS = 2.0
"""How long a stop leaves callers waiting for learning; theirs is stored already."""

DRAIN_SECONDS = 5
"""How long a stop leaves calls in hand altogether."""

KEEP_ALIVE_SECONDS = 30

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def serve(settings: EmbeddedSettings) -> None:
    """Serve until told to stop. Raises ``ReflexioError`` if the service cannot start."""
    access, api = _read_access(settings)
    refuse_unsafe_listen(settings.host, access.api_key)
    with closing(bind(settings.host, settings.port)) as listener:
        runtime = build_engine(settings, SERVICE)
        try:
            app = create_app(runtime.engine, access, api, lifespan=_lifespan(runtime))
            _Server(_uvicorn_config(app, settings), runtime, listener, access_of(access.api_key)).run(
                sockets=[listener]
            )
        finally:
            runtime.folder.state.unlink(missing_ok=True)
            runtime.stop()


def serve_in_foreground(settings: EmbeddedSettings) -> None:
    """Make this process the service: its log on standard error, its life until SIGTERM or SIGINT, exit code 0 then.

    Raises ``ReflexioError`` if the service cannot start.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _leave)
    logging.basicConfig(level=settings.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s")
    serve(settings)


def _read_access(settings: EmbeddedSettings) -> tuple[AccessSettings, ApiSettings]:
    try:
        return AccessSettings.from_environment(os.environ, settings.host), ApiSettings.from_environment(os.environ)
    except ValueError as error:
        raise InvalidInput("environment", str(error)) from None


def _lifespan(runtime: Runtime) -> Lifespan:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        runtime.start()
        yield

    return lifespan


def _uvicorn_config(app: FastAPI, settings: EmbeddedSettings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        access_log=False,
        log_level=settings.log_level,
        proxy_headers=False,  # who calls is decided by the peer's address, which a header must not replace
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=DRAIN_SECONDS,
    )


class _Server(uvicorn.Server):
    """Says where it listens once it does."""

    def __init__(self, config: uvicorn.Config, runtime: Runtime, listener: socket.socket, access: str) -> None:
        super().__init__(config)
        self._runtime = runtime
        self._listener = listener
        self._access = access

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then announce."""
        await super().startup(sockets)
        if self.started:
            _announce(self._runtime, url_of(self._listener), self._access)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let calls in hand finish, but nobody wait long for learning."""
        asyncio.get_running_loop().call_later(WAITERS_SECONDS, self._runtime.hasten)
        await super().shutdown(sockets)


def _announce(runtime: Runtime, url: str, access: str) -> None:
    contract = runtime.embedder.contract
    state = ServiceState(
        pid=os.getpid(),
        url=url,
        data=str(runtime.folder.root),
        learner=runtime.learner,
        model=contract.fingerprint if contract else None,
        access=access,
        version=__version__,
        started_at=time.time(),
    )
    for notice in runtime.notices:
        sys.stderr.write(f"{notice}\n")
    state.write(runtime.folder.state)
    sys.stdout.write(f"reflexio listens on {state.url}, data in {state.data}, learner {state.learner}\n")
    sys.stdout.flush()


def _leave(*_: object) -> None:
    """Before the server's own handlers are set, and after they are removed, a signal ends the process in order."""
    raise SystemExit(0)


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("reflexio_core.embedded.server", description="Run the embedded service.")
    parser.add_argument("--port", type=int, help="port to listen on, 0 for a free one (8061)")
    parser.add_argument("--host", help="address to listen on (127.0.0.1)")
    parser.add_argument("--data", help="data folder (~/.reflexio)")
    return parser.parse_args(words)


def main(words: Sequence[str]) -> int:
    """Serve; 0 after a stop, 1 if the service cannot start, 2 for settings that cannot be read."""
    flags = _arguments(words)
    load_env_files()
    try:
        settings = EmbeddedSettings.from_environment(os.environ, port=flags.port, host=flags.host, data=flags.data)
        serve_in_foreground(settings)
    except InvalidInput as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except ReflexioError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
