"""``reflexio publish``: every form of input, and the one line that learns."""

import io
import json
from pathlib import Path

import httpx
import pytest

from tests.cli.terminal import InProcess, Terminal

TURNS = [
    {"role": "user", "content": "Deploy the new service."},
    {"role": "assistant", "content": "Starting deployment to us-east-1..."},
    {"role": "user", "content": "Wait, we never deploy production to us-east-1. Always use us-west-2."},
    {"role": "assistant", "content": "Understood. Switching to us-west-2."},
]


def _published(service: InProcess) -> list[dict[str, object]]:
    return [json.loads(call.content) for call in service.requests if call.url.path == "/api/publish_interaction"]


def test_one_line_learns_and_shows_what(terminal: Terminal, service: InProcess) -> None:
    ran = terminal("publish", "--wait", "--user-id", "one-line", json.dumps(TURNS))
    assert ran.code == 0
    assert "learned profile" in ran.out
    assert "us-west-2" in ran.out
    assert "learned playbook" in ran.out
    assert "when: " in ran.out
    assert _published(service)[0]["session_finished"] is True


def test_waiting_on_an_open_session_sends_no_hint_and_says_that_learning_waits(
    terminal: Terminal, service: InProcess
) -> None:
    ran = terminal("publish", "--wait", "--keep-open", "--user-id", "open", json.dumps(TURNS))
    assert ran.code == 0
    assert _published(service)[0]["session_finished"] is False
    assert "not learned yet: waiting_for_window" in ran.out


def _learning(terminal: Terminal, *statuses: dict[str, object]) -> list[str]:
    """Connects a service whose learning goes through these statuses, the last for ever; the paths it is asked for."""
    paths: list[str] = []
    left = list(statuses)

    def answer(request: httpx.Request) -> httpx.Response:
        paths.append(request.url.path)
        if request.url.path == "/api/learning_status":
            return httpx.Response(200, json=left.pop(0) if len(left) > 1 else left[0])
        found = {"success": True, "user_profiles": [], "user_playbooks": []}
        return httpx.Response(200, json={**found, "request_id": "r1", "learning_status": "deferred"})

    terminal.connect(httpx.MockTransport(answer))
    return paths


def test_waiting_ends_at_the_first_failure_and_says_that_the_conversation_is_kept(terminal: Terminal) -> None:
    failing = {"status": "pending", "reason": "retrying", "error": "llm_unavailable"}
    paths = _learning(terminal, {"status": "processing", "reason": "extracting"}, failing)
    ran = terminal("publish", "--wait", json.dumps(TURNS))
    assert ran.code == 1
    assert "not learned yet: retrying, last failure: llm_unavailable" in ran.out
    assert "it is stored and will be learned from later; see `reflexio status r1`" in ran.out
    assert paths.count("/api/learning_status") == 2


def test_waiting_ends_after_the_seconds_that_were_given(terminal: Terminal) -> None:
    _learning(terminal, {"status": "processing", "reason": "extracting"})
    ran = terminal("publish", "--wait", "--timeout", "0.1", json.dumps(TURNS), "--json")
    assert (ran.code, ran.data["learning_reason"]) == (1, "extracting")


def test_an_outcome_that_comes_while_waiting_is_a_success(terminal: Terminal) -> None:
    _learning(terminal, {"status": "pending", "reason": "queued"}, {"status": "done", "reason": "covered"})
    ran = terminal("publish", "--wait", json.dumps(TURNS))
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "nothing to learn from it")


def test_force_learns_without_the_end_of_the_session(terminal: Terminal, service: InProcess) -> None:
    ran = terminal("publish", "--force", "--wait", "--keep-open", "--user-id", "forced", "--json", json.dumps(TURNS))
    assert ran.data["learning_status"] == "done"
    assert ran.data["learned"]["profiles"]


def test_without_waiting_nothing_is_said_about_the_end(terminal: Terminal, service: InProcess) -> None:
    ran = terminal("publish", "--user-id", "plain", json.dumps(TURNS), "--json")
    assert ran.code == 0
    assert ran.data["learning_status"] == "deferred"
    assert _published(service)[0]["session_finished"] is False


def test_a_session_is_made_up_and_told(terminal: Terminal, service: InProcess) -> None:
    ran = terminal("publish", json.dumps(TURNS), "--json")
    session_id = ran.data["session_id"]
    assert session_id
    assert session_id in ran.err
    assert _published(service)[0]["session_id"] == session_id


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("list.json", json.dumps(TURNS[:2])),
        ("object.json", json.dumps({"interactions": TURNS[:2], "user_id": "filed", "session_id": "s"})),
        ("turns.jsonl", "\n".join(json.dumps(turn) for turn in TURNS[:2])),
        ("marked.json", "\ufeff" + json.dumps(TURNS[:2])),
    ],
)
def test_a_file_is_one_conversation(
    terminal: Terminal, service: InProcess, tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    ran = terminal("publish", "--file", name, "--user-id", "filed", "--json")
    assert ran.code == 0
    assert ran.data["user_id"] == "filed"
    [body] = _published(service)
    assert [turn["content"] for turn in body["interaction_data_list"]] == [turn["content"] for turn in TURNS[:2]]  # type: ignore[attr-defined]


def test_a_file_of_conversations_is_published_one_by_one(
    terminal: Terminal, service: InProcess, tmp_path: Path
) -> None:
    lines = [json.dumps({"interactions": TURNS, "user_id": f"batch-{n}", "session_id": "s"}) for n in range(3)]
    (tmp_path / "many.jsonl").write_text("\n".join(lines))
    ran = terminal("publish", "-f", "many.jsonl", "--json")
    assert [entry["user_id"] for entry in ran.data["publications"]] == ["batch-0", "batch-1", "batch-2"]
    assert "publishing conversation 3 of 3" in ran.err


def test_a_batch_stops_at_the_first_refusal_and_says_what_is_stored(
    terminal: Terminal, service: InProcess, tmp_path: Path
) -> None:
    good = {"interactions": TURNS[:2], "session_id": "s"}
    (tmp_path / "many.json").write_text(json.dumps([good, {**good, "source": "No Label"}, good]))
    ran = terminal("publish", "-f", "many.json", "--json")
    assert ran.code == 2
    assert ran.out == ""
    assert len(_published(service)) == 2
    assert "conversations 1 to 1 are stored: " in ran.err
    assert ran.error["type"] == "invalid_input"


def test_standard_input_is_read(terminal: Terminal, service: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(json.dumps(turn) for turn in TURNS)))
    assert terminal("publish", "--stdin", "--json").code == 0
    assert len(_published(service)[0]["interaction_data_list"]) == 4  # type: ignore[arg-type]


def test_two_options_are_two_turns(terminal: Terminal, service: InProcess) -> None:
    assert terminal("publish", "--user-message", "Hello", "--agent-response", "Hi").code == 0
    assert _published(service)[0]["interaction_data_list"] == [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi"},
    ]


def test_source_and_agent_version_travel(terminal: Terminal, service: InProcess) -> None:
    terminal("publish", json.dumps(TURNS), "--source", "helpdesk", "--agent-version", "v7")
    [body] = _published(service)
    assert (body["source"], body["agent_version"]) == ("helpdesk", "v7")


@pytest.mark.parametrize(
    ("words", "variable", "user"),
    [
        (["--user-id", "typed"], "from-variable", "typed"),
        ([], "from-variable", "from-variable"),
        ([], "", "user-default"),
    ],
)
def test_the_user_is_who_was_typed_else_the_variable_else_the_default(
    terminal: Terminal,
    service: InProcess,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    variable: str,
    user: str,
) -> None:
    monkeypatch.setenv("REFLEXIO_USER_ID", variable)
    assert terminal("publish", json.dumps(TURNS), "--json", *words).data["user_id"] == user


def test_a_value_in_both_places_must_be_the_same(terminal: Terminal, service: InProcess) -> None:
    conversation = json.dumps({"interactions": TURNS, "user_id": "read"})
    ran = terminal("publish", conversation, "--user-id", "typed", "--json")
    assert ran.code == 2
    assert "'read'" in ran.error["message"]
    assert "'typed'" in ran.error["message"]
    assert not service.requests


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "one way"),
        (["[]", "--stdin"], "one way"),
        (["[]"], "at least one turn"),
        (["{}"], "no turns"),
        (["7"], "neither a list"),
        (["not json"], "not JSON"),
        (['[{"role": "user", "content": "x"}, 3]'], "neither a list of turns nor"),
        (['{"interactions": [3]}'], "interactions[0]"),
        (['{"interactions": [{"role": "user", "content": "x"}], "user_id": 3}'], "user_id is not text"),
        (["--file", "nowhere.json"], "nowhere.json cannot be read"),
        (["--file", "."], "cannot be read"),
    ],
)
def test_input_that_cannot_be_used_is_refused_before_anything_is_sent(
    terminal: Terminal, service: InProcess, words: list[str], says: str
) -> None:
    ran = terminal("publish", *words)
    assert ran.code == 2
    assert says in ran.err
    assert ran.out == ""
    assert not service.requests


def test_a_file_that_is_no_text_is_named_with_the_place(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "latin.json").write_bytes(b'[{"content": "caf\xe9"}]')
    ran = terminal("publish", "--file", "latin.json")
    assert ran.code == 2
    assert "latin.json is not UTF-8" in ran.err


def test_warnings_of_the_service_are_shown(terminal: Terminal, service: InProcess) -> None:
    ran = terminal("publish", json.dumps([{"role": "user", "content": "x", "colour": "red"}]))
    assert ran.code == 0
    assert "warning: " in ran.err
    assert "colour" in ran.err


def test_status_tells_what_became_of_a_publication(terminal: Terminal, service: InProcess) -> None:
    request_id = terminal("publish", "--wait", json.dumps(TURNS), "--json").data["request_id"]
    assert terminal("status", request_id).out.startswith("done")
    assert terminal("status", request_id, "--json").data["model"] == "offline-rules"


def test_status_says_what_failed_last_while_learning_is_retried(terminal: Terminal) -> None:
    answer = {"status": "pending", "reason": "retrying", "error": "llm_unavailable"}
    terminal.connect(httpx.MockTransport(lambda _: httpx.Response(200, json=answer)))
    assert terminal("status", "r1").out == "pending (retrying)\nlast failure: llm_unavailable\n"
    assert terminal("status", "r1", "--json").data["error"] == "llm_unavailable"
