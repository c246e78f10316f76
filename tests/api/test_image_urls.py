"""Image URLs: web or inline, and no spelling of a private address."""

from typing import Any

import pytest

from reflexio_core.api import image_urls
from reflexio_core.api.settings import ApiSettings
from reflexio_core.domain.image_urls import address_refusal, host_to_resolve, url_refusal
from tests.api.conftest import Connect
from tests.api.in_process import InProcess

PUBLISH = "/api/publish_interaction"

PUBLIC = [
    "https://example.com/a.png",
    "http://example.com:8080/a.png?x=1#y",
    "HTTPS://EXAMPLE.COM/a.png",
    "https://user:word@example.com/a.png",
    "https://93.184.216.34/a.png",
    "https://[2606:2800:220:1:248:1893:25c8:1946]/a.png",
    "https://xn--bcher-kva.example.com/a.png",
    "https://bücher.example.com/a.png",
    "https://local.example.com/a.png",
    "https://1.example.com/a.png",
    "data:image/png;base64,iVBORw0KGgo=",
]

PRIVATE = [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://127.0.0.1./",
    "http://0/",
    "http://0.0.0.0/",
    "http://10.1.2.3/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.0.1/",
    "http://100.64.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://0xa9fea9fe/",
    "http://2852039166/",
    "http://224.0.0.1/",
    "http://255.255.255.255/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b:1::7f00:1]/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[fec0::1]/",
    "http://[2002:7f00:1::]/",
    "http://[fe80::1%25eth0]/",
    "http://[fc00::1]/",
    "http://[fd00:ec2::254]/",
    "http://localhost/",
    "http://LOCALHOST:8061/",
    "http://localhost./",
    "http://a.localhost/",
    "http://metadata.google.internal/",
    "http://printer.local/",
    "http://router.lan/",
    "http://nas.home.arpa/",
    "http://instance-data/",
    "http://intranet/",
    "http://user@127.0.0.1/",
    "http://example.com@127.0.0.1/",
    "http://\uff11\uff12\uff17.0.0.1/",
    "http://127\u30020.0.1/",
    "http://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3/",
    "http://%6c%6f%63%61%6c%68%6f%73%74/",
    "http://127.0.0.%31/",
]

MALFORMED = [
    "ftp://example.com/a.png",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "//example.com/a.png",
    "example.com/a.png",
    "http://",
    "http:///a.png",
    "http://example.com:99999/",
    "http://example.com:x/",
    "http://[::1/",
    "http://example.com\\@127.0.0.1/",
    "http://exa mple.com/",
    "http://example.com/a\tb",
    "http://256.1.1.1/",
    "http://1.2.3.4.5/",
    "http://1.2.3.08/",
    "http://0xzz/",
    "http://99999999999999999999/",
]


@pytest.mark.parametrize("url", PUBLIC)
def test_a_public_image_may_be_stored(url: str) -> None:
    assert url_refusal(url) is None


@pytest.mark.parametrize("url", PRIVATE)
def test_no_spelling_of_a_private_address_may_be_stored(url: str) -> None:
    assert url_refusal(url) is not None


@pytest.mark.parametrize("url", MALFORMED)
def test_a_malformed_url_may_not_be_stored(url: str) -> None:
    assert url_refusal(url) is not None


@pytest.mark.parametrize("address", ["10.0.0.1", "::1", "fe80::1%eth0", "169.254.169.254", "no address"])
def test_a_resolved_private_address_is_refused(address: str) -> None:
    assert address_refusal(address) is not None


def test_only_names_are_looked_up() -> None:
    assert host_to_resolve("https://Example.com:8080/a") == "example.com"
    assert host_to_resolve("https://93.184.216.34/a") is None
    assert host_to_resolve("data:image/png;base64,xx") is None


def _publish(client: InProcess, conversation: dict[str, Any], url: str) -> Any:
    rows = [{"content": " "}, *conversation["interaction_data_list"], {"interacted_image_url": url}]
    return client.post(PUBLISH, json={**conversation, "interaction_data_list": rows})


def test_a_private_image_url_is_refused_by_row_as_sent_and_nothing_is_stored(
    client: InProcess, conversation: dict[str, Any]
) -> None:
    response = _publish(client, conversation, "http://169.254.169.254/latest")
    assert response.status_code == 422
    assert response.json()["detail"][0]["loc"] == ["body", "interaction_data_list", 3, "interacted_image_url"]
    assert client.post("/api/get_interactions", json={"user_id": "ada"}).json()["interactions"] == []


def test_a_public_image_url_is_stored(client: InProcess, conversation: dict[str, Any]) -> None:
    assert _publish(client, conversation, "https://example.com/a.png").json()["success"] is True


def test_names_are_looked_up_only_where_that_is_switched_on(
    connect: Connect, conversation: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    leads = {"rebound.example.com": ["93.184.216.34", "10.0.0.5"], "good.example.com": ["93.184.216.34"]}
    monkeypatch.setattr(image_urls, "_look_up", lambda host, found: found.set_result(leads.get(host, [])))
    client = connect(settings=ApiSettings(block_private_urls=True))
    assert _publish(client, conversation, "https://good.example.com/a").status_code == 200
    assert _publish(client, conversation, "https://rebound.example.com/a").status_code == 422
    assert _publish(client, conversation, "https://unknown.example.com/a").status_code == 422
    assert _publish(connect(), conversation, "https://rebound.example.com/a").status_code == 200


def test_a_look_up_that_takes_too_long_refuses(
    connect: Connect, conversation: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(image_urls, "_look_up", lambda host, found: None)
    monkeypatch.setattr(image_urls, "RESOLVE_SECONDS", 0.01)
    response = _publish(
        connect(settings=ApiSettings(block_private_urls=True)), conversation, "https://slow.example.com/a"
    )
    assert response.status_code == 422
    assert "could not be looked up" in response.text
