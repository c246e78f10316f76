"""``reflexio doctor``: each finding with what mends it."""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from reflexio.cli import plugins
from tests.cli.terminal import Ran, Terminal

VERSION = {"server_version": "0.1.0", "api_version": "v1", "min_client_version": "0.1.0"}
WHOAMI = {"success": True, "org_id": "o", "learner": "offline-rules"}


@pytest.fixture
def free_port(monkeypatch: pytest.MonkeyPatch) -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    monkeypatch.setenv("REFLEXIO_PORT", str(port))
    return port


def _serving(terminal: Terminal, **answers: httpx.Response) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        given = {
            "/meta/version": httpx.Response(200, json=VERSION),
            "/health/ready": httpx.Response(200, json={"status": "healthy"}),
            "/api/whoami": httpx.Response(200, json=WHOAMI),
        }
        name = request.url.path.rsplit("/", 1)[-1]
        return answers.get(name) or given[request.url.path]

    terminal.connect(httpx.MockTransport(answer))


def _finding(ran: Ran, name: str) -> dict[str, object]:
    [found] = [row for row in ran.data if row["name"] == name]
    return dict(found)


def test_a_whole_machine_needs_only_the_model(terminal: Terminal, free_port: int) -> None:
    _serving(terminal)
    ran = terminal("doctor", "--json")
    assert [row["name"] for row in ran.data if not row["ok"]] == ["embedding model"]
    assert _finding(ran, "embedding model")["mend"] == "reflexio model prepare"
    assert (ran.code, ran.meta["problems"]) == (1, 1)


def test_lines_for_people_say_ok_or_problem_and_how_to_mend(terminal: Terminal, free_port: int) -> None:
    _serving(terminal)
    ran = terminal("doctor")
    lines = ran.out.splitlines()
    assert any(line.startswith("ok       python: 3.") for line in lines)
    problem = next(number for number, line in enumerate(lines) if line.startswith("problem  embedding model: "))
    assert lines[problem + 1] == "         mend: reflexio model prepare"
    assert "1 of " in ran.err


def test_only_the_client_needs_no_more_than_a_service_elsewhere(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "entry_points", lambda group: [])
    _serving(terminal)
    ran = terminal("doctor", "--json")
    assert ran.code == 0
    assert "not installed" in str(_finding(ran, "service package")["found"])


def test_a_service_that_is_not_there_is_a_problem_with_its_remedy(terminal: Terminal, free_port: int) -> None:
    def refuse(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    terminal.connect(httpx.MockTransport(refuse))
    found = _finding(terminal("doctor", "--json"), "service reachable")
    assert found["ok"] is False
    assert "reflexio services start" in str(found["mend"])


def test_a_service_that_lacks_a_part_names_it(terminal: Terminal, free_port: int) -> None:
    checks = {"store": "ok", "index": "ok", "inference": "inference_unavailable"}
    _serving(terminal, ready=httpx.Response(200, json={"status": "degraded", "checks": checks}))
    found = _finding(terminal("doctor", "--json"), "service ready")
    assert (found["ok"], found["found"]) == (False, "degraded (inference: inference_unavailable)")


def test_a_service_that_wants_a_newer_client_says_so(terminal: Terminal, free_port: int) -> None:
    _serving(terminal, version=httpx.Response(200, json={**VERSION, "min_client_version": "9.0"}))
    found = _finding(terminal("doctor", "--json"), "version match")
    assert found["ok"] is False
    assert "pip install --upgrade" in str(found["mend"])


def test_a_wrong_key_is_a_finding(terminal: Terminal, free_port: int) -> None:
    _serving(terminal, whoami=httpx.Response(401, json={"detail": "no", "error": "access_denied"}))
    found = _finding(terminal("doctor", "--json"), "service ready")
    assert "REFLEXIO_API_KEY" in str(found["mend"])


def test_a_taken_port_is_a_problem(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    _serving(terminal)
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        monkeypatch.setenv("REFLEXIO_PORT", str(holder.getsockname()[1]))
        assert _finding(terminal("doctor", "--json"), "port")["ok"] is False


PROVIDER = "http://user:hidden@models.test:4000/v1"


def _offering(monkeypatch: pytest.MonkeyPatch, answer: httpx.Response | Exception) -> list[str]:
    """Puts a server of the OpenAI protocol at ``PROVIDER``; the addresses that it is asked."""
    asked: list[str] = []

    @contextmanager
    def stream(method: str, url: str, **options: Any) -> Iterator[httpx.Response]:
        assert options["timeout"] == 3.0
        assert options["headers"] == {"Authorization": "Bearer sk-secret"}
        asked.append(f"{method} {url}")
        if isinstance(answer, Exception):
            raise answer
        yield answer

    monkeypatch.setattr(httpx, "stream", stream)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", PROVIDER)
    return asked


@pytest.mark.parametrize(
    ("answer", "says", "mend"),
    [
        (httpx.ConnectError("sk-secret"), "http://models.test:4000/v1 cannot be reached", "OPENAI_BASE_URL"),
        (httpx.ReadTimeout("sk-secret"), "does not answer within 3 s", "OPENAI_BASE_URL"),
        (httpx.LocalProtocolError("sk-secret"), "cannot be sent", "OPENAI_API_KEY"),
        (httpx.Response(401), "refuses the key (HTTP 401)", "OPENAI_API_KEY"),
        (httpx.Response(502), "answers HTTP 502", "OPENAI_BASE_URL"),
    ],
)
def test_a_provider_that_cannot_answer_is_a_problem_and_its_key_is_not_shown(
    terminal: Terminal,
    free_port: int,
    monkeypatch: pytest.MonkeyPatch,
    answer: httpx.Response | Exception,
    says: str,
    mend: str,
) -> None:
    _serving(terminal)
    asked = _offering(monkeypatch, answer)
    ran = terminal("doctor", "--json")
    found = _finding(ran, "learner")
    assert asked == [f"GET {PROVIDER}/models"]
    assert found["ok"] is False
    assert says in str(found["found"])
    assert mend in str(found["mend"])
    assert "secret" not in ran.out + ran.err
    assert "hidden" not in ran.out + ran.err


@pytest.mark.parametrize("status", [200, 404])
def test_a_provider_that_answers_is_in_order_even_without_a_list(
    terminal: Terminal, free_port: int, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    _serving(terminal)
    _offering(monkeypatch, httpx.Response(status))
    assert _finding(terminal("doctor", "--json"), "learner")["ok"] is True


@pytest.mark.parametrize(
    ("model", "variable"), [("anthropic/claude-x", "ANTHROPIC_API_KEY"), ("my-own", "REFLEXIO_MODEL")]
)
def test_a_model_without_its_key_is_a_problem_that_names_the_variable(
    terminal: Terminal, free_port: int, monkeypatch: pytest.MonkeyPatch, model: str, variable: str
) -> None:
    _serving(terminal)
    monkeypatch.setenv("REFLEXIO_MODEL", model)
    found = _finding(terminal("doctor", "--json"), "learner")
    assert found["ok"] is False
    assert variable in str(found["mend"])


@pytest.mark.parametrize(("key", "access"), [("", "this machine only"), ("k", "key")])
def test_who_may_call_is_told(
    terminal: Terminal, free_port: int, monkeypatch: pytest.MonkeyPatch, key: str, access: str
) -> None:
    _serving(terminal)
    monkeypatch.setenv("REFLEXIO_API_KEY", key)
    assert _finding(terminal("doctor", "--json"), "access")["found"] == access


def test_the_folder_that_is_named_is_looked_at_and_its_service_called(
    terminal: Terminal, free_port: int, tmp_path: Path
) -> None:
    _serving(terminal)
    _running(tmp_path / "named", "http://127.0.0.1:9999")
    ran = terminal("doctor", "--data", str(tmp_path / "named"), "--json")
    assert _finding(ran, "data folder")["found"] == str(tmp_path / "named")
    assert _finding(ran, "service reachable")["found"] == "http://127.0.0.1:9999"
    assert not [row for row in ran.data if row["name"] == "service called"]


def test_two_services_are_never_both_in_order(terminal: Terminal, free_port: int, tmp_path: Path) -> None:
    _serving(terminal)
    _running(tmp_path / ".reflexio", "http://127.0.0.1:9999")
    found = _finding(terminal("doctor", "--url", "http://127.0.0.1:8061", "--json"), "service called")
    assert found["ok"] is False
    assert "http://127.0.0.1:9999" in str(found["found"])


def _running(folder: Path, url: str) -> None:
    folder.mkdir()
    (folder / "service.json").write_text(json.dumps({"url": url, "pid": os.getpid()}))


def test_a_setting_that_cannot_be_read_is_named(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    _serving(terminal)
    monkeypatch.setenv("REFLEXIO_PORT", "many")
    assert "REFLEXIO_PORT" in str(_finding(terminal("doctor", "--json"), "settings")["found"])


def test_a_folder_below_a_file_is_a_problem(
    terminal: Terminal, free_port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _serving(terminal)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("REFLEXIO_DATA", str(tmp_path / "file" / "data"))
    assert _finding(terminal("doctor", "--json"), "data folder")["ok"] is False


def test_a_providers_key_chooses_its_model(terminal: Terminal, free_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    _serving(terminal)
    assert "offline-rules" in str(_finding(terminal("doctor", "--json"), "learner")["found"])
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    found = str(_finding(terminal("doctor", "--json"), "learner")["found"])
    assert "openai" in found
    assert "sk-none" not in found


def test_a_provider_without_its_library_is_a_problem(
    terminal: Terminal, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    _serving(terminal)
    monkeypatch.setattr("reflexio_core.embedded.provider.find_spec", lambda name: None if name == "litellm" else name)
    assert _finding(terminal("doctor", "--json"), "learner")["ok"] is True
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    found = _finding(terminal("doctor", "--json"), "learner")
    assert found["ok"] is False
    assert "reflexio-serverless[llm]" in str(found["mend"])


def test_packages_that_are_missing_are_named(
    terminal: Terminal, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    _serving(terminal)
    monkeypatch.setattr("reflexio_core.embedded.doctor.find_spec", lambda name: None if name == "numpy" else name)
    found = _finding(terminal("doctor", "--json"), "packages")
    assert (found["ok"], found["found"]) == (False, "numpy missing")


def test_a_damaged_model_is_told_from_a_missing_one(
    terminal: Terminal, free_port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _serving(terminal)
    monkeypatch.setattr("reflexio_core.embedded.doctor.is_prepared", lambda _: True)
    monkeypatch.setattr("reflexio_core.embedded.doctor.verify", lambda _: ["model.onnx is damaged"])
    assert _finding(terminal("doctor", "--json"), "embedding model")["found"] == "model.onnx is damaged"
