"""How commands fail: exit codes, one shape of error, never a traceback."""

import json
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from anyio.from_thread import BlockingPortal

from reflexio_core.api.app import create_app
from reflexio_core.api.settings import AccessSettings
from reflexio_core.embedded.wiring import Runtime
from tests.cli.terminal import InProcess, Terminal


@pytest.fixture(autouse=True)
def retries_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = SimpleNamespace(sleep=lambda _: None, monotonic=time.monotonic)
    monkeypatch.setattr("reflexio._client.time", quick)


def _answering(terminal: Terminal, status: int, body: Any, **headers: str) -> None:
    terminal.connect(httpx.MockTransport(lambda _: httpx.Response(status, json=body, headers=headers)))


@pytest.mark.parametrize(
    ("status", "code"),
    [(400, 2), (401, 3), (403, 3), (404, 1), (409, 1), (413, 2), (422, 2), (429, 1), (500, 1), (503, 1)],
)
def test_the_services_refusals_have_their_exit_codes(terminal: Terminal, status: int, code: int) -> None:
    _answering(terminal, status, {"detail": "because", "error": "stable_code"})
    ran = terminal("profiles", "list", "--json")
    assert (ran.code, ran.out) == (code, "")
    assert ran.error["type"] == "stable_code"
    assert "because" in ran.error["message"]


def test_text_errors_have_a_message_and_a_hint(terminal: Terminal) -> None:
    _answering(terminal, 401, {"detail": "Authentication required", "error": "access_denied"})
    first, second = terminal("profiles", "list").err.splitlines()
    assert first.startswith("Error: ")
    assert second.startswith("Hint: ")
    assert "REFLEXIO_API_KEY" in second


def test_a_limit_says_when_to_try_again(terminal: Terminal) -> None:
    _answering(terminal, 429, {"detail": "slow down", "error": "limit_exceeded"}, **{"Retry-After": "31"})
    assert terminal("profiles", "list", "--json").error["hint"] == "try again in 31 s"


@pytest.mark.parametrize(
    ("error", "kind"), [(httpx.ConnectError("refused"), "no_connection"), (httpx.ReadTimeout("slow"), "timeout")]
)
def test_no_answer_is_exit_code_4(terminal: Terminal, error: Exception, kind: str) -> None:
    def fail(_: httpx.Request) -> httpx.Response:
        raise error

    terminal.connect(httpx.MockTransport(fail))
    ran = terminal("profiles", "list", "--json")
    assert ran.code == 4
    assert ran.error["type"] == kind
    assert "reflexio services" in ran.error["hint"]


def test_an_answer_of_something_else_is_no_success(terminal: Terminal) -> None:
    terminal.connect(httpx.MockTransport(lambda _: httpx.Response(200, text="<html>hello</html>")))
    ran = terminal("profiles", "list", "--json")
    assert (ran.code, ran.error["type"]) == (1, "unexpected_answer")


def test_an_answer_without_success_is_exit_code_1(terminal: Terminal) -> None:
    _answering(terminal, 200, {"success": False, "error": "not_found", "message": "no such turn"})
    ran = terminal("interactions", "delete", "5")
    assert ran.code == 1
    assert "no such turn" in ran.err


def test_a_wrong_key_is_exit_code_3_and_the_right_one_is_sent(
    terminal: Terminal, runtime: Runtime, portal: BlockingPortal, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal.connect(InProcess(create_app(runtime.engine, AccessSettings(api_key="right")), portal))
    assert terminal("profiles", "list").code == 3
    assert terminal("profiles", "list", "--api-key", "wrong").code == 3
    assert terminal("profiles", "list", "--api-key", "right").code == 0
    assert terminal("--api-key", "right", "profiles", "list").code == 0
    monkeypatch.setenv("REFLEXIO_API_KEY", "right")
    assert terminal("profiles", "list").code == 0
    assert terminal("profiles", "list", "--api-key", "wrong").code == 3


@pytest.mark.parametrize(
    ("words", "host"),
    [
        (("profiles", "list"), "127.0.0.1:8061"),
        (("profiles", "list", "--url", "http://after.test"), "after.test"),
        (("--url", "http://before.test", "profiles", "list"), "before.test"),
        (("--url", "http://before.test", "profiles", "list", "--url", "http://after.test"), "after.test"),
    ],
)
def test_the_address_may_stand_before_or_after_the_command(
    terminal: Terminal, words: tuple[str, ...], host: str
) -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers["host"])
        return httpx.Response(200, json={"success": True, "user_profiles": []})

    terminal.connect(httpx.MockTransport(answer))
    assert terminal(*words).code == 0
    assert asked == [host]


def test_json_may_be_asked_for_before_the_command(terminal: Terminal) -> None:
    _answering(terminal, 200, {"success": True, "user_profiles": []})
    assert terminal("--json", "profiles", "list").data == []


@pytest.mark.parametrize(
    "words",
    [
        ("profiles", "list", "--url", "ftp://x"),
        ("profiles", "list", "--limit", "0"),
        ("profiles", "list", "--limit", "many"),
        ("profiles", "list", "--nonsense"),
        ("profiles", "nonsense"),
        ("nonsense",),
        ("search",),
        ("search", " "),
        ("playbooks", "approve", "0"),
        ("playbooks", "add", "x", "--nonsense"),
    ],
)
def test_arguments_that_cannot_be_used_are_exit_code_2(terminal: Terminal, words: tuple[str, ...]) -> None:
    ran = terminal(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Error: ")
    assert terminal(*words, "--json").error["type"] == "bad_input"


@pytest.mark.parametrize("words", [(), ("profiles",), ("--help",), ("search", "--help")])
def test_help_is_a_result(terminal: Terminal, words: tuple[str, ...]) -> None:
    ran = terminal(*words)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Usage: ")


def test_the_version_is_printed(terminal: Terminal) -> None:
    ran = terminal("--version")
    assert (ran.code, ran.out) == (0, "reflexio 0.1.0\n")
    assert terminal("--version", "--json").data == terminal("--json", "--version").data == {"version": "0.1.0"}


def test_what_nobody_foresaw_is_one_line_and_a_traceback_on_demand(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(_: httpx.Request) -> httpx.Response:
        raise RuntimeError("boiler out of order")

    terminal.connect(httpx.MockTransport(break_down))
    ran = terminal("profiles", "list", "--json")
    assert (ran.code, ran.error["type"]) == (1, "internal_error")
    assert "boiler out of order" in ran.error["message"]
    monkeypatch.setenv("REFLEXIO_DEBUG", "1")
    with pytest.raises(RuntimeError, match="boiler"):
        terminal("profiles", "list")


def test_an_interrupt_is_exit_code_130(terminal: Terminal) -> None:
    def interrupt(_: httpx.Request) -> httpx.Response:
        raise KeyboardInterrupt

    terminal.connect(httpx.MockTransport(interrupt))
    assert terminal("profiles", "list").code == 130


def test_a_reader_that_leaves_ends_the_command_in_silence() -> None:
    program = [sys.executable, "-m", "reflexio.cli", "--help"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_a_process_gives_the_exit_code_to_its_caller() -> None:
    program = [sys.executable, "-m", "reflexio.cli", "publish", "--json", "nonsense"]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert json.loads(done.stderr)["ok"] is False
