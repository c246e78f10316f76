"""A body over the limit is refused, whether it declares its length or streams."""

from collections.abc import AsyncIterator

import pytest

from reflexio_core.api.settings import ApiSettings
from tests.api.conftest import Connect

LIMIT = ApiSettings(max_body_bytes=1000)


async def _stream(size: int) -> AsyncIterator[bytes]:
    for start in range(0, size, 100):
        yield b" " * min(100, size - start)


@pytest.mark.parametrize("path", ["/api/publish_interaction", "/api/search", "/api/update_config"])
def test_a_declared_length_over_the_limit_is_413(connect: Connect, path: str) -> None:
    response = connect(settings=LIMIT).post(path, content=b" " * 1001)
    assert (response.status_code, response.json()["error"]) == (413, "body_too_large")
    assert "1000 bytes" in response.json()["detail"]


def test_a_stream_over_the_limit_is_413(connect: Connect) -> None:
    response = connect(settings=LIMIT).post("/api/publish_interaction", content=_stream(1001))
    assert (response.status_code, response.json()["error"]) == (413, "body_too_large")


def test_a_body_at_the_limit_is_read(connect: Connect) -> None:
    client = connect(settings=LIMIT)
    assert client.post("/api/publish_interaction", content=b" " * 1000).status_code == 422
    assert client.post("/api/publish_interaction", content=_stream(1000)).status_code == 422


def test_a_length_that_is_no_number_does_not_lift_the_limit(connect: Connect) -> None:
    headers = {"Content-Length": "9" * 400}
    assert connect(settings=LIMIT).post("/api/search", content=b"{}", headers=headers).status_code == 413


def test_the_default_limit_is_ten_mebibytes() -> None:
    assert ApiSettings().max_body_bytes == 10 * 1024 * 1024
