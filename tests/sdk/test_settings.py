"""Where a client looks for its service, and that it asks nobody else."""

import socket
import threading

import pytest

from reflexio import ReflexioClient, ReflexioConnectionError, ReflexioError, RetryPolicy
from reflexio._settings import DEFAULT_URL, resolve


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("REFLEXIO_URL", "REFLEXIO_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def test_the_default_is_this_machine_without_a_key() -> None:
    settings = resolve()
    assert (settings.url, settings.api_key) == ("http://127.0.0.1:8061", "")
    assert settings.is_loopback


def test_arguments_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFLEXIO_URL", "https://env.test/")
    monkeypatch.setenv("REFLEXIO_API_KEY", "env-key")
    assert (resolve().url, resolve().api_key) == ("https://env.test", "env-key")
    assert (resolve("http://arg.test:1/p/", "k").url, resolve("", "k").api_key) == ("http://arg.test:1/p", "k")


def test_a_blank_variable_is_no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFLEXIO_URL", "")
    assert resolve().url == DEFAULT_URL


@pytest.mark.parametrize("url", ["127.0.0.1:8061", "ftp://x", "http://", "file:///x", "http://[::1", "http://h:99999"])
def test_an_address_that_is_no_web_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="must look like") as raised:
        resolve(url)
    assert isinstance(raised.value, ReflexioError)


@pytest.mark.parametrize(
    ("url", "loopback"),
    [
        ("http://localhost:1", True),
        ("http://127.8.8.8", True),
        ("http://[::1]:8061", True),
        ("http://10.0.0.1", False),
        ("https://localhost.example.org", False),
    ],
)
def test_this_machine_is_recognised(url: str, loopback: bool) -> None:
    assert resolve(url).is_loopback is loopback


def test_a_proxy_is_not_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as proxy, socket.create_server(("127.0.0.1", 0)) as closed:
        asked = threading.Event()
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.getsockname()[1]}")
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.getsockname()[1]}")
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        closed.close()
        proxy.settimeout(0)
        with (
            ReflexioClient(url_endpoint=url, timeout=2, retry=RetryPolicy(attempts=1)) as client,
            pytest.raises(ReflexioConnectionError),
        ):
            client.whoami()
        try:
            proxy.accept()
            asked.set()
        except BlockingIOError:
            pass
        assert not asked.is_set()
