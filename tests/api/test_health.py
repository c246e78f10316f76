"""Health: alive without asking anybody, ready only when store and index answer."""

from typing import Any

import pytest

from reflexio_core.api.health import REMEMBERED_SECONDS, ReadinessCheck
from reflexio_core.engine.context import Engine
from reflexio_core.errors import InferenceUnavailable, StoreUnavailable
from tests.api.in_process import InProcess
from tests.doubles.engine import TENANT


def _fail(error: Exception) -> Any:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


@pytest.mark.parametrize("path", ["/health", "/health/ready"])
def test_ready_when_every_part_answers(client: InProcess, path: str) -> None:
    response = client.get(path)
    assert (response.status_code, response.json()) == (200, {"status": "healthy"})
    assert response.headers["Cache-Control"] == "no-store"


def test_not_ready_without_the_store(client: InProcess, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.store, "get", _fail(StoreUnavailable("host.internal:8000")))
    response = client.get("/health/ready")
    assert response.status_code == 503
    assert response.json() == {
        "status": "unhealthy",
        "checks": {"store": "store_unavailable", "index": "ok", "inference": "ok"},
    }


def test_not_ready_without_the_index(client: InProcess, engine: Engine) -> None:
    engine.index.down = True  # type: ignore[attr-defined]
    response = client.get("/health/ready")
    assert (response.status_code, response.json()["checks"]["index"]) == (503, "index_unavailable")


def test_degraded_but_ready_without_the_embedder(
    client: InProcess, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine.inference, "embed", _fail(InferenceUnavailable("model.onnx")))
    response = client.get("/health/ready")
    assert (response.status_code, response.json()["status"]) == (200, "degraded")
    assert response.json()["checks"]["inference"] == "inference_unavailable"


def test_alive_whatever_fails(client: InProcess, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.store, "get", _fail(StoreUnavailable("down")))
    assert client.get("/health/live").json() == {"status": "alive"}


def test_good_checks_are_remembered_for_moments_and_bad_ones_are_not(engine: Engine) -> None:
    now = 0.0
    check = ReadinessCheck(engine, TENANT, lambda: now)
    texts: list[str] = engine.inference.texts  # type: ignore[attr-defined]
    check()
    check()
    assert len(texts) == 1
    engine.index.down = True  # type: ignore[attr-defined]
    now = REMEMBERED_SECONDS
    assert check()["index"] == "index_unavailable"
    engine.index.down = False  # type: ignore[attr-defined]
    assert check()["index"] == "ok"
    assert len(texts) == 3


def test_the_process_and_the_version_are_told(client: InProcess) -> None:
    assert client.get("/").json() == {"service": "Reflexio API", "docs": "/docs", "health": "/health"}
    version = client.get("/meta/version").json()
    assert version["api_version"] == "v1"
    assert version["server_version"][0].isdigit()
    process = client.get("/healthz").json()
    assert process["pid"] > 0
    assert process["uptime_sec"] >= 0
    assert process["request_count"] >= 2
