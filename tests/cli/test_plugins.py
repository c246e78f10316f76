"""Commands of other packages, and what is said where the service is not installed."""

from importlib.metadata import EntryPoint

import pytest

from reflexio.cli import plugins
from reflexio.cli.command import command, new_group
from reflexio.cli.session import Session
from tests.cli.terminal import Terminal

guest = new_group("guest", "Of another package.")


@command(guest, "greet", remote=False)
def greet(session: Session, name: str = "you") -> None:
    """Say hello."""
    session.output.result({"hello": name}, f"hello {name}")


def _installed(monkeypatch: pytest.MonkeyPatch, *points: EntryPoint) -> None:
    monkeypatch.setattr(plugins, "entry_points", lambda group: [p for p in points if p.group == group])


@pytest.mark.parametrize("words", [("services", "start"), ("services",), ("services", "--help"), ("model", "prepare")])
def test_without_the_service_its_commands_say_how_to_get_it(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    _installed(monkeypatch)
    ran = terminal(*words)
    assert ran.code == 1
    assert "pip install" in ran.err
    assert "reflexio-serverless[embedded]" in ran.err


def test_without_the_service_the_other_commands_are_there(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    _installed(monkeypatch)
    assert "publish" in terminal("--help").out


def test_a_package_adds_commands_with_the_common_options(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    _installed(monkeypatch, EntryPoint("guest", f"{__name__}:guest", plugins.COMMANDS))
    assert "guest" in terminal("--help").out
    assert terminal("guest", "greet").out == "hello you\n"
    assert terminal("--json", "guest", "greet", "--name", "Ada").data == {"hello": "Ada"}
    assert terminal("guest", "gret").code == 2


def test_nothing_of_a_package_is_imported_before_it_is_asked_for(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    _installed(monkeypatch, EntryPoint("guest", "no_such_module:app", plugins.COMMANDS))
    assert terminal("--help").code == 0
    assert terminal("guest", "greet").code == 1


def test_the_service_adds_its_groups(terminal: Terminal) -> None:
    services, model = (terminal(name, "--help").out for name in ("services", "model"))
    assert all(f"\n  {name} " in services for name in ("start", "stop", "status", "logs"))
    assert all(f"\n  {name} " in model for name in ("prepare", "status"))
