"""Which service a command calls."""

import json
import os
from pathlib import Path

import httpx
import pytest

from reflexio.cli.local_service import is_same_place, service_url
from tests.cli.terminal import Terminal

NOBODY = 2**22 + 1
"""Beyond the largest process id that Linux gives."""


def _running(folder: Path, url: str, pid: int | None = None) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "service.json").write_text(json.dumps({"url": url, "pid": pid or os.getpid()}))


@pytest.fixture
def called(terminal: Terminal) -> list[str]:
    """Where commands go."""
    places: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        places.append(f"{request.url.scheme}://{request.url.host}:{request.url.port}")
        return httpx.Response(200, json={"success": True, "user_profiles": []})

    terminal.connect(httpx.MockTransport(answer))
    return places


def test_each_way_to_name_the_service_goes_before_the_next(
    terminal: Terminal, called: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal("profiles", "list")
    monkeypatch.setenv("REFLEXIO_PORT", "7001")
    terminal("profiles", "list")
    _running(tmp_path / "data", "http://127.0.0.1:7002")
    monkeypatch.setenv("REFLEXIO_DATA", str(tmp_path / "data"))
    terminal("profiles", "list")
    monkeypatch.setenv("REFLEXIO_URL", "http://127.0.0.1:7003")
    terminal("profiles", "list")
    terminal("profiles", "list", "--url", "http://127.0.0.1:7004")
    assert called == [f"http://127.0.0.1:{port}" for port in (8061, 7001, 7002, 7003, 7004)]


@pytest.mark.parametrize(
    "state", ["", "[]", "{}", '{"url": "http://127.0.0.1:1", "pid": "x"}', '{"url": 1, "pid": 1e400}']
)
def test_a_state_that_cannot_be_read_is_none(tmp_path: Path, state: str) -> None:
    (tmp_path / "service.json").write_text(state)
    assert service_url({"REFLEXIO_DATA": str(tmp_path)}) == "http://127.0.0.1:8061"


def test_what_a_crash_left_behind_is_not_called(tmp_path: Path) -> None:
    _running(tmp_path, "http://127.0.0.1:1", NOBODY)
    assert service_url({"REFLEXIO_DATA": str(tmp_path)}) == "http://127.0.0.1:8061"


@pytest.mark.parametrize(
    ("host", "port", "url"),
    [
        ("0.0.0.0", "", "http://127.0.0.1:8061"),
        ("::", "7000", "http://[::1]:7000"),
        ("10.0.0.7", "7000", "http://10.0.0.7:7000"),
        ("", "0", "http://127.0.0.1:8061"),
        ("", "many", "http://127.0.0.1:8061"),
    ],
)
def test_the_configured_address_is_one_that_can_be_called(tmp_path: Path, host: str, port: str, url: str) -> None:
    given = {"REFLEXIO_DATA": str(tmp_path), "REFLEXIO_HOST": host, "REFLEXIO_PORT": port}
    assert service_url(given) == url


def test_a_folder_that_is_named_goes_before_the_variable(tmp_path: Path) -> None:
    _running(tmp_path, "http://127.0.0.1:7002")
    assert service_url({"REFLEXIO_URL": "http://127.0.0.1:7003"}, tmp_path) == "http://127.0.0.1:7002"
    assert service_url({"REFLEXIO_URL": "http://127.0.0.1:7003"}, tmp_path / "none") == "http://127.0.0.1:7003"


def test_one_place_may_be_spelled_in_several_ways() -> None:
    assert is_same_place("http://localhost:8061/", "http://127.0.0.1:8061")
    assert is_same_place("https://a.test", "https://a.test:443")
    assert not is_same_place("http://127.0.0.1:8061", "http://127.0.0.1:8062")
