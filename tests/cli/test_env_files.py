"""Settings in ``.env`` files."""

import os
from pathlib import Path

import httpx
import pytest

from reflexio.cli.env_files import load_env_files, parse
from tests.cli.terminal import Terminal


@pytest.mark.parametrize(
    ("line", "pairs"),
    [
        ("A=b", [("A", "b")]),
        ("  export A = b  ", [("A", "b")]),
        ("A='x y # z'", [("A", "x y # z")]),
        ('A="x\\ny" # note', [("A", "x\ny")]),
        ("A=b # note", [("A", "b")]),
        ("A=b#c", [("A", "b#c")]),
        ("A=", []),
        ("A=''", []),
        ("# A=b", []),
        ("not a setting", []),
        ("1A=b", []),
    ],
)
def test_a_line_is_read_as_shells_read_it(line: str, pairs: list[tuple[str, str]]) -> None:
    assert list(parse(line)) == pairs


def test_the_environment_wins_then_the_first_file(tmp_path: Path) -> None:
    near, far = tmp_path / "near", tmp_path / "far"
    near.write_text("A=near\nB=near\nC=")
    far.write_text("A=far\nB=far\nC=far\nD=far")
    environment = {"A": "own", "D": ""}
    read = load_env_files(environment, [near, tmp_path / "missing", far])
    assert environment == {"A": "own", "B": "near", "C": "far", "D": "far"}
    assert read == [near, far]


def test_commands_take_url_and_key_from_a_file(terminal: Terminal, tmp_path: Path) -> None:
    home = tmp_path / ".reflexio"
    home.mkdir()
    (home / ".env").write_text("REFLEXIO_URL=http://home.test\nREFLEXIO_API_KEY=of-home")
    (tmp_path / ".env").write_text("REFLEXIO_URL=http://here.test")
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json={"success": True, "user_profiles": []})

    terminal.connect(httpx.MockTransport(answer))
    assert terminal("profiles", "list").code == 0
    assert asked[0].url.host == "here.test"
    assert asked[0].headers["authorization"] == "Bearer of-home"
    assert os.environ["REFLEXIO_URL"] == "http://here.test"
