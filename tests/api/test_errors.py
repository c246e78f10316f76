"""Every error of the tree has one answer, and no answer shows the inside."""

import logging
from typing import Any

import pytest

from reflexio_core import errors
from reflexio_core.api.capacity import NoCapacity
from reflexio_core.api.errors import STATUS, answer_for
from reflexio_core.engine import sessions
from tests.api.conftest import Connect
from tests.api.in_process import InProcess

SECRET = "dynamodb.internal:8000 /var/lib/secret"
BODY = {"user_id": "u", "session_id": "s"}

EXPECTED = [
    (errors.InvalidInput("a.b[0].c", "is wrong"), 422, "invalid_input"),
    (errors.InvalidConfiguration("bad", "do this", []), 422, "invalid_configuration"),
    (errors.NotFound("no request 'x'"), 404, "not_found"),
    (errors.Conflict("both"), 409, "conflict"),
    (errors.IdempotencyMismatch("other body"), 409, "request_id_reused"),
    (errors.ConfigWriteConflict("changed"), 409, "config_write_conflict"),
    (errors.AccessDenied("no"), 401, "access_denied"),
    (errors.LimitExceeded("slow down", 2.5), 429, "limit_exceeded"),
    (NoCapacity("full", 2.0), 503, "capacity_exceeded"),
    (errors.ItemTooLarge("too large"), 413, "item_too_large"),
    (errors.ConditionFailed((0,), SECRET), 503, "condition_failed"),
    (errors.StoreUnavailable(SECRET), 503, "store_unavailable"),
    (errors.StoreError(SECRET), 500, "store_error"),
    (errors.IndexUnavailable(SECRET), 503, "index_unavailable"),
    (errors.InferenceUnavailable(SECRET), 503, "inference_unavailable"),
    (errors.ModelMismatch("index has a/384, loaded is b/512"), 503, "model_mismatch"),
    (errors.LlmUnavailable(SECRET), 503, "llm_unavailable"),
    (errors.LlmRejected(SECRET), 502, "llm_rejected"),
    (errors.LlmInvalidOutput(SECRET), 502, "llm_invalid_output"),
    (errors.LlmError(SECRET), 500, "llm_error"),
    (errors.ReflexioError(SECRET), 500, "internal_error"),
]


def _fail_with(monkeypatch: pytest.MonkeyPatch, connect: Connect, error: Exception) -> InProcess:
    def fail(*_: Any) -> dict[str, Any]:
        raise error

    monkeypatch.setattr(sessions, "finalize_session", fail)
    return connect()


@pytest.mark.parametrize(("error", "status", "code"), EXPECTED, ids=lambda value: type(value).__name__)
def test_an_error_has_its_status_and_code_and_shows_nothing_of_the_inside(
    monkeypatch: pytest.MonkeyPatch, connect: Connect, error: errors.ReflexioError, status: int, code: str
) -> None:
    response = _fail_with(monkeypatch, connect, error).post("/api/finalize_session", json=BODY)
    assert (response.status_code, response.json()["error"]) == (status, code)
    assert SECRET not in response.text
    assert "Traceback" not in response.text
    assert response.json()["detail"]


def test_the_table_covers_the_whole_tree() -> None:
    def below(kind: type[errors.ReflexioError]) -> set[type[errors.ReflexioError]]:
        return {kind}.union(*(below(each) for each in kind.__subclasses__()))

    tested = {type(error) for error, _, _ in EXPECTED}
    public = {kind for kind in below(errors.ReflexioError) if kind.__module__ == errors.__name__}
    assert public - tested == set()
    assert all(100 < status < 600 for status in STATUS.values())


def test_a_wrong_field_is_named_as_a_path_and_as_a_location() -> None:
    body = answer_for(errors.InvalidInput("rows[2].url", "is private")).body
    assert b'"loc":["body","rows",2,"url"]' in body
    assert b'"field":"rows[2].url"' in body


@pytest.mark.parametrize(
    ("error", "wait"),
    [
        (errors.LimitExceeded("slow", 2.1), "3"),
        (errors.LimitExceeded("slow", 0.01), "1"),
        (errors.StoreUnavailable("x"), "1"),
        (errors.IndexUnavailable("x"), "1"),
        (NoCapacity("x", 5.0), "5"),
    ],
)
def test_what_passes_says_when_to_retry(error: errors.ReflexioError, wait: str) -> None:
    assert answer_for(error).headers["Retry-After"] == wait


def test_what_only_an_operator_can_mend_does_not_invite_a_retry() -> None:
    answer = answer_for(errors.ModelMismatch("index has a/384, loaded is b/512"))
    assert "Retry-After" not in answer.headers
    assert b"a/384" in answer.body


def test_an_unexpected_error_is_a_plain_500_logged_once_without_what_was_sent(
    monkeypatch: pytest.MonkeyPatch, connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    client = _fail_with(monkeypatch, connect, KeyError("private words of a user"))
    with caplog.at_level(logging.INFO):
        response = client.post("/api/finalize_session", json=BODY)
    correlation = response.headers["X-Correlation-ID"]
    assert response.status_code == 500
    assert response.json() == {
        "detail": "Internal error",
        "error": "internal_error",
        "correlation_id": correlation,
    }
    (record,) = [record for record in caplog.records if record.name.startswith("reflexio_core")]
    assert "KeyError" in record.getMessage()
    assert "in fail" in record.getMessage()
    assert correlation in record.getMessage()
    assert "private words" not in caplog.text


def test_a_client_that_hangs_up_while_sending_is_no_error(client: InProcess, caplog: pytest.LogCaptureFixture) -> None:
    messages = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])
    sent: list[Any] = []

    async def receive() -> Any:
        return next(messages)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/publish_interaction",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "client": ("127.0.0.1", 1),
        "scheme": "http",
    }
    client.portal.call(lambda: client.app(scope, receive, send))
    assert sent == []
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize("path", ["/", "/health", "/api/get_config", "/api/nothing", "/api/learning_status"])
def test_every_answer_carries_the_correlation_id_and_the_security_headers(client: InProcess, path: str) -> None:
    response = client.get(path, headers={"X-Correlation-ID": "trace-1_A"})
    assert response.headers["X-Correlation-ID"] == "trace-1_A"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["Referrer-Policy"] == "strict-origin-when-cross-origin"
    assert "Strict-Transport-Security" not in response.headers


@pytest.mark.parametrize("sent", ["", "a b", "x" * 65, "a\tb", "<script>"])
def test_a_correlation_id_that_is_no_token_is_replaced(client: InProcess, sent: str) -> None:
    assert len(client.get("/", headers={"X-Correlation-ID": sent}).headers["X-Correlation-ID"]) == 8


def test_https_answers_ask_for_https(connect: Connect) -> None:
    client = connect(client={"base_url": "https://127.0.0.1"})
    assert "max-age=" in client.get("/").headers["Strict-Transport-Security"]


def test_unknown_paths_and_methods_are_refused_in_the_same_shape(client: InProcess) -> None:
    assert client.get("/api/nothing").json() == {"detail": "Not Found", "error": "not_found"}
    assert client.get("/api/search").json() == {"detail": "Method Not Allowed", "error": "method_not_allowed"}
    assert client.post("/api/search/", json={}).status_code == 404
