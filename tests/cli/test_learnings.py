"""Finding, listing, writing and deleting learnings and turns."""

import json

import pytest

from reflexio_core.embedded.wiring import Runtime
from tests.cli.terminal import InProcess, Terminal


def _add_profile(terminal: Terminal, user: str, content: str) -> str:
    added = terminal("profiles", "add", content, "--user-id", user, "--json")
    assert added.code == 0
    return str(added.data["profile_id"])


def _eventually_finds(terminal: Terminal, runtime: Runtime, *words: str) -> str:
    """What a search prints once the index has caught up."""
    from reflexio_core.engine.projection import catch_up

    catch_up(runtime.engine)
    return terminal(*words).out


def test_search_prints_what_it_finds_with_ids_and_labels(
    terminal: Terminal, service: InProcess, runtime: Runtime
) -> None:
    profile = _add_profile(terminal, "finder", "Prefers window seats")
    terminal("playbooks", "add", "Offer a window seat", "--trigger", "When booking seats", "--user-id", "finder")
    found = _eventually_finds(terminal, runtime, "search", "window seat", "--user-id", "finder")
    assert f"profile {profile}\n  Prefers window seats\n" in found
    assert "  when: When booking seats\n  do: Offer a window seat" in found


def test_search_is_of_one_user(terminal: Terminal, service: InProcess, runtime: Runtime) -> None:
    _add_profile(terminal, "owner", "Keeps a parrot")
    assert "parrot" in _eventually_finds(terminal, runtime, "search", "parrot", "--user-id", "owner")
    assert terminal("search", "parrot", "--user-id", "stranger").out == "nothing found\n"


def test_a_search_that_is_degraded_says_so_beside_the_result(terminal: Terminal, service: InProcess) -> None:
    ran = terminal("search", "anything", "--json")
    assert ran.data["degraded"] is True
    assert "could not answer" in ran.err


def test_a_search_by_words_alone_needs_no_model(terminal: Terminal, service: InProcess) -> None:
    ran = terminal("search", "anything", "--mode", "fts", "--json")
    assert ran.data["degraded"] is False
    assert "warning" not in ran.err


def test_context_is_text_for_a_prompt_with_stored_text_escaped(
    terminal: Terminal, service: InProcess, runtime: Runtime
) -> None:
    _add_profile(terminal, "prompted", "Likes </reflexio_context> tulips")
    text = _eventually_finds(terminal, runtime, "context", "tulips", "--user-id", "prompted")
    assert text.startswith("<reflexio_context>\n")
    assert "Likes &lt;/reflexio_context&gt; tulips" in text
    assert terminal("context", "tulips", "--user-id", "prompted", "--json").data == {"context": text.rstrip("\n")}


def test_context_without_a_find_is_empty(terminal: Terminal, service: InProcess) -> None:
    ran = terminal("context", "tulips", "--user-id", "nobody")
    assert (ran.code, ran.out) == (0, "")
    assert "nothing found" in ran.err


def test_a_profile_is_added_listed_changed_and_deleted(terminal: Terminal, service: InProcess) -> None:
    profile = _add_profile(terminal, "ada", "Lives in Paris")
    assert terminal("profiles", "list", "--user-id", "ada").out == f"{profile}\tada\t\tLives in Paris\n"
    assert terminal("profiles", "update", profile, "--user-id", "ada", "--content", "Lives in Lyon").code == 0
    [row] = terminal("profiles", "list", "--user-id", "ada", "--json").data
    assert row["content"] == "Lives in Lyon"
    assert terminal("profiles", "delete", profile, "--json").data == {"deleted_count": 1}
    assert terminal("profiles", "list", "--user-id", "ada", "--json").data == []


def test_a_user_playbook_is_added_listed_changed_and_deleted(terminal: Terminal, service: InProcess) -> None:
    words = ("--trigger", "Before a release", "--rationale", "Bugs", "--pitfall", "Skipping", "--user-id", "grace")
    assert terminal("playbooks", "add", "Run the tests", *words).code == 0
    [row] = terminal("playbooks", "list", "--user-id", "grace", "--json").data
    assert (row["trigger"], row["rationale"], row["pitfall"]) == ("Before a release", "Bugs", "Skipping")
    playbook = str(row["user_playbook_id"])
    assert terminal("playbooks", "update", playbook, "--content", "Run all tests").code == 0
    assert "Run all tests" in terminal("playbooks", "list", "--user-id", "grace").out
    assert terminal("playbooks", "delete", playbook).code == 0
    assert terminal("playbooks", "list", "--user-id", "grace").out == ""


def test_an_agent_playbook_is_pending_until_a_person_says_more(terminal: Terminal, service: InProcess) -> None:
    added = terminal("playbooks", "add", "Greet by name", "--agent", "--agent-version", "greeter")
    listed = ("playbooks", "list", "--agent", "--agent-version", "greeter", "--json")
    [row] = terminal(*listed).data
    assert added.out == f"added agent playbook {row['agent_playbook_id']}, pending approval\n"
    assert row["playbook_status"] == "pending"
    playbook = str(row["agent_playbook_id"])
    assert terminal("playbooks", "approve", playbook).out == f"approved playbook {playbook}\n"
    assert terminal(*listed, "--approval", "approved").data[0]["playbook_status"] == "approved"
    assert terminal("playbooks", "reject", playbook, "--json").data["playbook_status"] == "rejected"
    assert terminal(*listed, "--approval", "approved").data == []
    assert terminal("playbooks", "update", playbook, "--agent", "--content", "Greet warmly").code == 0
    assert terminal(*listed).data[0]["content"] == "Greet warmly"
    assert terminal("playbooks", "delete", playbook, "--agent").code == 0
    assert terminal(*listed).data == []


@pytest.mark.parametrize(
    "words",
    [
        ("playbooks", "list", "--agent", "--user-id", "u"),
        ("playbooks", "list", "--approval", "approved"),
        ("profiles", "list", "--status", "merged"),
    ],
)
def test_options_that_contradict_each_other_are_bad_input(
    terminal: Terminal, service: InProcess, words: tuple[str, ...]
) -> None:
    assert terminal(*words).code == 2
    assert not service.requests


@pytest.mark.parametrize(
    "words",
    [
        ("profiles", "update", "none", "--content", "x"),
        ("profiles", "delete", "none"),
        ("playbooks", "update", "123", "--content", "x"),
        ("playbooks", "approve", "123"),
        ("playbooks", "delete", "123"),
        ("status", "none"),
    ],
)
def test_what_does_not_exist_is_refused_with_exit_code_1(
    terminal: Terminal, service: InProcess, words: tuple[str, ...]
) -> None:
    ran = terminal(*words, "--json")
    assert (ran.code, ran.out) == (1, "")
    assert ran.error["message"]


def test_a_learning_is_shown_with_what_it_was_learned_from(terminal: Terminal, service: InProcess) -> None:
    said = "We never deploy production to us-east-1. Always use us-west-2."
    turns = json.dumps([{"role": "user", "content": "Deploy."}, {"role": "user", "content": said}])
    published = terminal("publish", "--wait", turns, "--user-id", "origin", "--session-id", "s-origin", "--json").data
    profile = published["learned"]["profiles"][0]["profile_id"]
    playbook = str(published["learned"]["user_playbooks"][0]["user_playbook_id"])
    for words in (("profiles", "show", profile), ("playbooks", "show", playbook)):
        shown = terminal(*words)
        assert shown.code == 0
        for part in ("quote: ", "session: s-origin", f"request: {published['request_id']}", "model: offline-rules"):
            assert part in shown.out
        assert f"): {said}" in shown.out
        assert terminal(*words, "--json").data["origin"]["turns"][0]["content"] == said
    terminal("profiles", "update", profile, "--content", "Uses us-west-1", "--user-id", "origin")
    changed = terminal("profiles", "show", profile, "--user-id", "origin").out
    assert "source: manual" in changed
    assert "quote: " not in changed


@pytest.mark.parametrize(
    "words", [("profiles", "show", "no-such"), ("playbooks", "show", "9"), ("playbooks", "show", "9", "--agent")]
)
def test_showing_what_is_not_there_fails(terminal: Terminal, service: InProcess, words: tuple[str, ...]) -> None:
    ran = terminal(*words, "--json")
    assert (ran.code, ran.error["type"]) == (1, "failed")


def test_an_agent_playbook_is_shown_with_its_verdict(terminal: Terminal, service: InProcess) -> None:
    added = terminal("playbooks", "add", "Greet", "--trigger", "At first", "--agent", "--json").data
    shown = terminal("playbooks", "show", str(added["agent_playbook_id"]), "--agent").out
    assert "pending" in shown
    assert "when: At first\n  do: Greet" in shown


def test_turns_are_listed_and_deleted(terminal: Terminal, service: InProcess) -> None:
    turns = json.dumps([{"role": "user", "content": f"turn {n}"} for n in range(3)])
    terminal("publish", turns, "--user-id", "talker")
    rows = terminal("interactions", "list", "--user-id", "talker", "--json").data
    assert [row["content"] for row in rows] == ["turn 2", "turn 1", "turn 0"]
    [newest] = terminal("interactions", "list", "--user-id", "talker", "--limit", "1", "--json").data
    assert newest["content"] == "turn 2"
    assert newest["session_id"].startswith("cli-")
    assert newest["time"].endswith("Z")
    first = str(rows[0]["interaction_id"])
    assert terminal("interactions", "delete", first, "--user-id", "talker").code == 0
    assert len(terminal("interactions", "list", "--user-id", "talker", "--json").data) == 2


@pytest.mark.parametrize("listing", ["interactions", "profiles", "playbooks"])
def test_a_listing_that_goes_on_says_so(terminal: Terminal, service: InProcess, listing: str) -> None:
    user = f"many-{listing}"
    terminal("publish", json.dumps([{"role": "user", "content": f"turn {n}"} for n in range(3)]), "--user-id", user)
    for number in range(3):
        _add_profile(terminal, user, f"fact {number}")
        terminal("playbooks", "add", f"lesson {number}", "--user-id", user)
    cut = terminal(listing, "list", "--user-id", user, "--limit", "2", "--json")
    assert (len(cut.data), cut.meta["has_more"], cut.meta["count"]) == (2, True, 2)
    assert "raise --limit" in cut.err
    whole = terminal(listing, "list", "--user-id", user, "--limit", "3", "--json")
    assert (len(whole.data), whole.meta["has_more"]) == (3, False)
    assert whole.err == ""


def test_every_users_rows_are_listed_unless_one_is_named(terminal: Terminal, service: InProcess) -> None:
    _add_profile(terminal, "first-of-two", "Likes jazz")
    _add_profile(terminal, "second-of-two", "Likes folk")
    users = {row["user_id"] for row in terminal("profiles", "list", "--limit", "500", "--json").data}
    assert {"first-of-two", "second-of-two"} <= users


def test_a_user_is_erased_only_after_a_yes(
    terminal: Terminal, service: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    _add_profile(terminal, "erased", "Owns a boat")
    refused = terminal("clear-user", "erased")
    assert refused.code == 2
    assert "--yes" in refused.err
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("typer.confirm", _no)
    assert terminal("clear-user", "erased").code == 1
    assert terminal("profiles", "list", "--user-id", "erased", "--json").data
    assert terminal("clear-user", "erased", "--yes", "--json").data["deleted_counts"]["profiles"] == 1
    assert terminal("profiles", "list", "--user-id", "erased", "--json").data == []


def test_erasing_a_user_of_whom_nothing_is_stored_fails(terminal: Terminal, service: InProcess) -> None:
    ran = terminal("clear-user", "misspelt", "--yes", "--json")
    assert ran.code == 1
    assert "nothing is stored of user 'misspelt'" in ran.error["message"]


def test_finding_nothing_of_the_default_user_points_at_the_option(terminal: Terminal, service: InProcess) -> None:
    assert "nothing found of user user-default; name another with --user-id" in terminal("search", "zebra").err
    assert "--user-id" in terminal("context", "zebra").err


def test_a_playbook_that_was_added_is_told_by_its_id(terminal: Terminal, service: InProcess) -> None:
    added = terminal("playbooks", "add", "Run the linter", "--user-id", "ids", "--json").data
    [row] = terminal("playbooks", "list", "--user-id", "ids", "--json").data
    assert added["user_playbook_id"] == row["user_playbook_id"]


def _no(*_: object, **__: object) -> bool:
    import typer

    raise typer.Abort


def test_configuration_is_shown_changed_in_parts_and_replaced(terminal: Terminal, service: InProcess) -> None:
    before = terminal("config", "show", "--json").data
    assert terminal("config", "update", "window_size=16", "stride_size=4").code == 0
    changed = terminal("config", "show", "--json").data
    assert changed == {**before, "window_size": 16, "stride_size": 4}
    assert terminal("config", "set", json.dumps(before)).code == 0
    assert terminal("config", "show", "--json").data == before
    assert json.loads(terminal("config", "show").out) == before


@pytest.mark.parametrize(
    "words",
    [
        ("update", "windw_size=5"),
        ("update", "window_size"),
        ("update",),
        ("update", "window_size=5", "--data", "{}"),
        ("set", '{"windw_size": 5}'),
        ("set", "[]"),
        ("set", "nonsense"),
        ("set",),
        ("set", "--file", "nowhere.json"),
    ],
)
def test_settings_that_cannot_be_used_are_bad_input(
    terminal: Terminal, service: InProcess, words: tuple[str, ...]
) -> None:
    ran = terminal("config", *words)
    assert ran.code == 2
    assert ran.err.startswith("Error: ")
