"""The proxy that the README shows works with a key, and is refused without one."""

import re

import pytest

from reflexio_core.api.settings import AccessSettings
from tests.api.conftest import Connect, connect, engine, portal
from tests.docs.pages import README, blocks

__all__ = ["connect", "engine", "portal"]

NGINX = next(block.text for block in blocks(README) if block.language == "nginx")
VALUES = {"$host": "reflexio.example.com", "$proxy_add_x_forwarded_for": "203.0.113.9"}


def proxied() -> dict[str, str]:
    """The headers that the shown nginx adds or replaces."""
    pairs = re.findall(r"proxy_set_header (\S+) (\S+);", NGINX)
    return {name: VALUES[value] for name, value in pairs}


def test_a_call_through_the_shown_proxy_needs_the_key(connect: Connect) -> None:
    client = connect(AccessSettings(api_key="s3cret"))
    assert client.get("/api/whoami", headers={**proxied(), "Authorization": "Bearer s3cret"}).status_code == 200
    assert client.get("/api/whoami", headers=proxied()).status_code == 401


def test_a_service_without_a_key_refuses_the_shown_proxy(connect: Connect) -> None:
    client = connect(AccessSettings())
    assert client.get("/api/whoami").status_code == 200
    for name, value in proxied().items():
        assert client.get("/api/whoami", headers={name: value}).status_code == 401


def test_the_pitfall_that_the_readme_warns_of_is_real(connect: Connect) -> None:
    """A proxy that names the service itself as host and adds nothing looks like this machine."""
    assert connect(AccessSettings()).get("/api/whoami", headers={"Host": "127.0.0.1:8061"}).status_code == 200


@pytest.mark.parametrize("setting", ["listen 443 ssl", "proxy_pass http://127.0.0.1:8061", "client_max_body_size 10m"])
def test_the_shown_proxy_has_tls_and_takes_what_the_service_takes(setting: str) -> None:
    assert setting in NGINX
