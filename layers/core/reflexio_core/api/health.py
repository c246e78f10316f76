"""Open paths: what the service is, whether it lives, whether it is ready. They tell nothing about data."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Response

from reflexio_core import __version__, errors
from reflexio_core.api.answers import JsonAnswer
from reflexio_core.api.capacity import Capacity
from reflexio_core.api.declared import Readiness
from reflexio_core.api.envelope import Traffic
from reflexio_core.engine.context import Engine
from reflexio_core.ports.index import DocKind

API_VERSION = "v1"
MIN_CLIENT_VERSION = "0.1.0"

EMBED_SECONDS = 1.0
REMEMBERED_SECONDS = 5.0
"""How long a good answer stands: an open path must not be a way to keep the model busy."""

_NO_STORE = {"Cache-Control": "no-store"}
_OPEN: dict[str, Any] = {"security": []}


class ReadinessCheck:
    """Asks store, index and embedder whether they answer."""

    def __init__(self, engine: Engine, tenant: str, now: Callable[[], float] = time.monotonic) -> None:
        self._engine = engine
        self._tenant = tenant
        self._now = now
        self._lock = threading.Lock()
        self._good: tuple[float, dict[str, str]] | None = None

    def __call__(self) -> dict[str, str]:
        """``ok`` or an error's code for each part. Blocks, for at most the parts' own time-outs."""
        with self._lock:
            if self._good is not None and self._now() - self._good[0] < REMEMBERED_SECONDS:
                return self._good[1]
            checks = {
                "store": _outcome(self._ask_store),
                "index": _outcome(self._ask_index),
                "inference": _outcome(self._ask_inference),
            }
            self._good = (self._now(), checks) if set(checks.values()) == {"ok"} else None
            return checks

    def _ask_store(self) -> None:
        self._engine.store.get(self._engine.keys(self._tenant).config())

    def _ask_index(self) -> None:
        self._engine.index.count(self._engine.keys(self._tenant).count_scope(), DocKind.PROFILE)

    def _ask_inference(self) -> None:
        self._engine.inference.embed(["ready?"], "query", EMBED_SECONDS)


def add_routes(router: APIRouter, engine: Engine, tenant: str, capacity: Capacity, traffic: Traffic) -> None:
    """Add the open paths, for GET and HEAD."""
    started = time.monotonic()
    check = ReadinessCheck(engine, tenant)

    async def root() -> Response:
        return JsonAnswer({"service": "Reflexio API", "docs": "/docs", "health": "/health"})

    async def version() -> Response:
        answer = {"server_version": __version__, "api_version": API_VERSION, "min_client_version": MIN_CLIENT_VERSION}
        return JsonAnswer(answer)

    async def live() -> Response:
        return JsonAnswer({"status": "alive"}, headers=_NO_STORE)

    async def ready() -> Response:
        return _readiness(await capacity.check(check))

    async def process() -> Response:
        answer = {
            "pid": os.getpid(),
            "uptime_sec": round(time.monotonic() - started, 1),
            "request_count": traffic.requests,
            "rss_mb": _resident_mb(),
        }
        return JsonAnswer(answer, headers=_NO_STORE)

    text = dict[str, str]
    for path, endpoint, reply in (
        ("/", root, text),
        ("/meta/version", version, text),
        ("/health/live", live, text),
        ("/health", ready, Readiness),
        ("/health/ready", ready, Readiness),
        ("/healthz", process, dict[str, Any]),
    ):
        responses: dict[int | str, dict[str, Any]] = {}
        if reply is Readiness:
            responses[503] = {"model": Readiness, "description": "A part that nothing works without does not answer"}
        router.add_api_route(path, endpoint, response_model=reply, responses=responses, openapi_extra=_OPEN)
        router.add_api_route(path, endpoint, methods=["HEAD"], include_in_schema=False)


def _readiness(checks: dict[str, str]) -> Response:
    if checks["store"] != "ok" or checks["index"] != "ok":
        return JsonAnswer({"status": "unhealthy", "checks": checks}, 503, headers=_NO_STORE)
    if checks["inference"] != "ok":
        return JsonAnswer({"status": "degraded", "checks": checks}, headers=_NO_STORE)
    return JsonAnswer({"status": "healthy"}, headers=_NO_STORE)


def _outcome(ask: Callable[[], None]) -> str:
    try:
        ask()
    except errors.ReflexioError as error:
        return error.code
    return "ok"


def _resident_mb() -> float | None:
    """Resident memory in MB, or None where the system does not say (outside Linux)."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return None
    pages = int(statm.read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)
