"""How answers become results or exceptions."""

import httpx
import pytest

import reflexio
from reflexio import (
    ApiError,
    AuthenticationError,
    ConflictError,
    NotFoundError,
    RateLimitError,
    ReflexioError,
    ServerError,
    UnexpectedResponse,
    ValidationError,
)
from tests.sdk.scripted import FOUND, client, ok


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, ValidationError),
        (401, AuthenticationError),
        (403, AuthenticationError),
        (404, NotFoundError),
        (409, ConflictError),
        (413, ValidationError),
        (418, ApiError),
        (422, ValidationError),
        (500, ServerError),
        (507, ServerError),
    ],
)
def test_each_status_has_its_exception(status: int, kind: type[ApiError]) -> None:
    service, _ = client(ok({"detail": "not so", "error": "some_code"}, status, X_Correlation_ID="c0ffee00"))
    with pytest.raises(kind) as caught:
        service.whoami()
    error = caught.value
    assert type(error) is kind
    assert (error.status, error.code, error.request_id) == (status, "some_code", "c0ffee00")
    assert str(error) == f"HTTP {status} some_code: not so (request c0ffee00)"


def test_a_rejected_field_is_named_by_its_path() -> None:
    detail = [{"type": "string_too_long", "loc": ["body", "interaction_data_list", 2, "content"], "msg": "too long"}]
    service, _ = client(ok({"detail": detail}, 422))
    with pytest.raises(ValidationError, match=r"interaction_data_list\[2\]\.content: too long") as caught:
        service.whoami()
    assert (caught.value.field, caught.value.code) == ("interaction_data_list[2].content", "string_too_long")


def test_a_configuration_refusal_keeps_its_reason() -> None:
    service, _ = client(ok({"detail": {"error": "config_write_conflict", "message": "changed meanwhile"}}, 409))
    with pytest.raises(ConflictError, match="changed meanwhile") as caught:
        service.update_config({"window_size": 3})
    assert caught.value.code == "config_write_conflict"


def test_a_configuration_that_does_not_fit_names_the_setting() -> None:
    errors = [{"type": "greater_than", "loc": ["window_size"], "msg": "Value error, must be positive"}]
    detail = {"error": "The changes do not fit", "hint": "...", "validation_errors": errors}
    service, _ = client(ok({"detail": detail, "error": "invalid_configuration", "field": "config"}, 422))
    with pytest.raises(ValidationError, match="window_size: must be positive") as caught:
        service.update_config({"window_size": -3})
    assert (caught.value.code, caught.value.field) == ("invalid_configuration", "window_size")


def test_a_rate_limit_in_the_published_shape_is_read() -> None:
    service, _ = client(ok({"error": "Rate limit exceeded: 5 per 1 minute"}, 429, Retry_After="60"))
    with pytest.raises(RateLimitError, match="5 per 1 minute") as caught:
        service.search(query="q")
    assert (caught.value.code, caught.value.retry_after) == ("http_429", 60.0)


def test_an_error_page_of_a_proxy_is_shown_in_part() -> None:
    page = httpx.Response(500, text="<html>" + "x" * 5000, headers={"content-type": "text/html"})
    service, _ = client(page)
    with pytest.raises(ServerError, match="<html>") as caught:
        service.whoami()
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_named_and_not_followed(status: int) -> None:
    service, script = client(httpx.Response(status, headers={"location": "https://elsewhere.test/"}))
    with pytest.raises(UnexpectedResponse, match=r"this one leads to https://elsewhere\.test/"):
        service.search(query="q")
    assert len(script.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, text="<html>login</html>", headers={"content-type": "text/html"}),
        httpx.Response(200, text="{half", headers={"content-type": "application/json"}),
        httpx.Response(200, json={"profiles": []}),
        httpx.Response(200, json=[1]),
        httpx.Response(204),
    ],
)
def test_an_answer_that_is_not_the_services_is_refused_with_a_preview(answer: httpx.Response) -> None:
    service, _ = client(answer)
    with pytest.raises(UnexpectedResponse) as caught:
        service.search(query="q")
    assert caught.value.url == "http://service.test:9/api/search"
    assert caught.value.status == answer.status_code
    assert caught.value.preview == answer.text[:200]


def test_a_failed_outcome_is_returned_not_raised() -> None:
    service, _ = client(ok({"success": False, "message": "request_id 'x' already exists", "error": "conflict"}))
    answer = service.publish_interaction("u", [{"content": "x"}], session_id="s")
    assert (answer.success, answer.error) == (False, "conflict")


def test_network_errors_are_builtin_errors_too() -> None:
    assert issubclass(reflexio.ReflexioConnectionError, ConnectionError)
    assert issubclass(reflexio.ReflexioTimeoutError, TimeoutError)
    kinds = [value for name in reflexio.__all__ if isinstance(value := getattr(reflexio, name), type)]
    errors = [kind for kind in kinds if issubclass(kind, Exception)]
    assert len(errors) == 12
    assert all(issubclass(kind, ReflexioError) for kind in errors)


def test_no_answer_is_remembered() -> None:
    service, script = client(ok({"success": True, "user_profiles": []}), ok({"success": False, "user_profiles": []}))
    assert service.get_profiles(user_id="u").success
    assert not service.get_profiles(user_id="u").success
    assert len(script.requests) == 2


def test_the_key_and_the_name_of_the_client_travel() -> None:
    service, script = client(ok(FOUND), api_key="secret")
    service.search(query="q")
    headers = script.requests[0].headers
    assert headers["Authorization"] == "Bearer secret"
    assert headers["User-Agent"].startswith("reflexio-python/")


def test_no_key_means_no_authorization_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REFLEXIO_API_KEY", raising=False)
    service, script = client(ok(FOUND))
    service.search(query="q")
    assert "Authorization" not in script.requests[0].headers
