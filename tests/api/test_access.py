"""Who may call: this machine without a key, anybody with the key, nobody else."""

from typing import Any

import httpx
import pytest

from reflexio_core.api.access import Caller, Credentials, Scope, UnsafeListen, refuse_unsafe_listen
from reflexio_core.api.access_layer import OPEN_PATHS
from reflexio_core.api.app import create_app
from reflexio_core.api.settings import AccessSettings
from reflexio_core.engine.context import Engine
from tests.api.conftest import Connect

LOCAL = ("127.0.0.1", 40_000)
KEY = AccessSettings(api_key="s3cret")


def _refused(response: httpx.Response) -> bool:
    return (
        response.status_code == 401
        and response.json()["detail"] == "Authentication required"
        and response.headers["WWW-Authenticate"] == "Bearer"
    )


@pytest.mark.parametrize("peer", [LOCAL, ("::1", 40_000), ("127.8.9.10", 1), ("::ffff:127.0.0.1", 1), None])
@pytest.mark.parametrize("host", ["127.0.0.1:8061", "localhost", "LOCALHOST:80", "[::1]:8061", "127.0.0.1"])
def test_without_a_key_this_machine_may_call(standing: Connect, peer: Any, host: str) -> None:
    response = standing(peer=peer).get("/api/get_config", headers={"Host": host})
    assert response.status_code == 200


@pytest.mark.parametrize("peer", [("10.0.0.7", 1), ("192.168.1.4", 1), ("2001:db8::1", 1), ("testclient", 1)])
def test_without_a_key_no_other_machine_may_call(standing: Connect, peer: Any) -> None:
    assert _refused(standing(peer=peer).get("/api/get_config"))


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example:8061"},
        {"Host": "localhost.evil.example"},
        {"Host": "0.0.0.0:8061"},
        {"Host": "evil@127.0.0.1"},
        {"Host": "127.0.0.1:notaport"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost.evil.example"},
        {"Origin": "file://localhost"},
        {"Forwarded": "for=127.0.0.1"},
        {"X-Forwarded-For": "127.0.0.1"},
        {"X-Forwarded-Host": "localhost"},
        {"X-Real-IP": "127.0.0.1"},
    ],
)
def test_without_a_key_foreign_names_pages_and_proxies_are_refused(standing: Connect, headers: dict[str, str]) -> None:
    assert _refused(standing().get("/api/get_config", headers=headers))


@pytest.mark.parametrize("origin", ["http://localhost:5173", "https://127.0.0.1", "http://[::1]:3000"])
def test_without_a_key_a_page_of_this_machine_may_call(standing: Connect, origin: str) -> None:
    assert standing().get("/api/get_config", headers={"Origin": origin}).status_code == 200


@pytest.mark.parametrize(
    "authorization",
    [None, "", "Bearer", "Bearer ", "Bearer wrong", "s3cret", "Basic s3cret", "Bearer s3cret x", "Bearer s3cre"],
)
def test_with_a_key_calls_without_it_are_refused_from_this_machine_too(
    standing: Connect, authorization: str | None
) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}
    assert _refused(standing(KEY).get("/api/get_config", headers=headers))


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_with_the_key_any_machine_may_call_under_any_name(standing: Connect, scheme: str) -> None:
    client = standing(KEY, peer=("203.0.113.9", 1))
    headers = {"Authorization": f"{scheme} s3cret", "Host": "reflexio.example", "X-Forwarded-For": "198.51.100.1"}
    assert client.get("/api/get_config", headers=headers).status_code == 200


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_a_key_beyond_ascii_works_in_either_encoding(standing: Connect, encoding: str) -> None:
    client = standing(AccessSettings(api_key="clé"))
    good, bad = b"Bearer " + "clé".encode(encoding), b"Bearer " + "cl\xe8".encode(encoding)
    assert client.get("/api/get_config", headers=[(b"Authorization", good)]).status_code == 200
    assert _refused(client.get("/api/get_config", headers=[(b"Authorization", bad)]))


def test_two_keys_in_one_request_are_refused(standing: Connect) -> None:
    headers = [("Authorization", "Bearer s3cret"), ("Authorization", "Bearer other")]
    assert _refused(standing(KEY).get("/api/get_config", headers=headers))


@pytest.mark.parametrize("access", [AccessSettings(), KEY])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_open_paths_are_open_to_everybody(connect: Connect, access: AccessSettings, method: str) -> None:
    client = connect(access, client={"peer": ("203.0.113.9", 1)})
    served = OPEN_PATHS - {"/healthz/eval"}
    answers = {path: client.request(method, path, headers={"Host": "reflexio.example"}).status_code for path in served}
    assert answers == dict.fromkeys(served, 200)


def test_open_paths_are_open_for_reading_only(connect: Connect) -> None:
    assert _refused(connect(KEY).post("/health"))


def test_every_data_route_and_every_unknown_path_needs_the_key(connect: Connect) -> None:
    client = connect(KEY)
    calls = [(path, method) for path, item in client.app.openapi()["paths"].items() for method in item]
    closed = [(path, method.upper()) for path, method in calls if path not in OPEN_PATHS]
    closed += [("/api/nothing", "GET"), ("/api/search/", "POST"), ("/API/search", "POST"), ("//api/search", "POST")]
    assert all(_refused(client.request(method, path, content=b"{bad")) for path, method in closed)


def test_options_is_open(connect: Connect) -> None:
    preflight = {"Origin": "http://localhost:5173", "Access-Control-Request-Method": "POST"}
    response = connect(KEY).request("OPTIONS", "/api/search", headers=preflight)
    assert response.status_code == 200
    assert response.headers["Access-Control-Allow-Origin"] == "http://localhost:5173"


def test_pages_of_other_sites_get_no_cors_headers_unless_allowed(connect: Connect) -> None:
    from reflexio_core.api.settings import ApiSettings

    headers = {"Origin": "https://app.example", "Authorization": "Bearer s3cret"}
    plain = connect(KEY).get("/api/get_config", headers=headers)
    allowed = connect(KEY, settings=ApiSettings(allowed_origins=("https://app.example",))).get(
        "/api/get_config", headers=headers
    )
    assert "Access-Control-Allow-Origin" not in plain.headers
    assert allowed.headers["Access-Control-Allow-Origin"] == "https://app.example"


@pytest.mark.parametrize("agent", ["curl/8.5.0", "Wget/1.21", "my-bot spider", ""])
def test_any_user_agent_is_welcome(standing: Connect, agent: str) -> None:
    assert standing().get("/api/get_config", headers={"User-Agent": agent}).status_code == 200


class _OneScope:
    """An authenticator whose callers have one scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def caller(self, credentials: Credentials) -> Caller:
        return Caller("acme", frozenset({self._scope}))


@pytest.mark.parametrize("scope", list(Scope))
def test_a_key_reaches_only_the_routes_of_its_scope(connect: Connect, scope: Scope) -> None:
    client = connect(authenticator=_OneScope(scope))
    for route in client.data_routes():
        method = next(iter(route.methods or ()))
        response = client.request(method, route.path, content=b"no json" if method != "GET" else b"")
        denied = response.status_code == 403 and response.json()["error"] == "scope_missing"
        assert denied == (route.policy.scope is not scope), route.path


@pytest.mark.parametrize("path", ["/api/get_requests", "/api/get_user_playbooks"])
def test_a_listing_across_users_needs_the_admin_scope(connect: Connect, path: str) -> None:
    client = connect(authenticator=_OneScope(Scope.READ))
    assert client.post(path, json={}).status_code == 403
    assert client.post(path, json={"user_id": "ada"}).status_code == 200


def test_the_tenant_comes_from_the_caller_and_not_from_the_request(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reflexio_core.engine import sessions

    seen: list[str] = []

    def finalize(engine: Engine, tenant: str, request: Any) -> dict[str, Any]:
        seen.append(tenant)
        return {"success": True}

    monkeypatch.setattr(sessions, "finalize_session", finalize)
    client = connect(AccessSettings(tenant="acme"))
    body = {"user_id": "u", "session_id": "s", "tenant": "other", "org_id": "other"}
    client.post("/api/finalize_session?tenant=other&org_id=other", json=body, headers={"X-Org-Id": "other"})
    assert seen == ["acme"]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.168.1.5", "example.org", "127.0.0.1.example.org"])
def test_listening_beyond_this_machine_without_a_key_is_refused(engine: Engine, host: str) -> None:
    for key in (None, "", " "):
        with pytest.raises(UnsafeListen, match="REFLEXIO_API_KEY"):
            refuse_unsafe_listen(host, key)
    with pytest.raises(UnsafeListen):
        create_app(engine, AccessSettings(host=host))
    refuse_unsafe_listen(host, "key")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.0.0.2"])
def test_listening_on_this_machine_needs_no_key(host: str) -> None:
    refuse_unsafe_listen(host, None)
