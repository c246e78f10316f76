"""What is printed where, and that stored text cannot steer a terminal."""

import io
import json

import pytest

from reflexio.cli.output import Output, printable

ROWS = [
    {"id": "23353a37-0462-8faf-be8c-2a7896bf5309", "user": "ada", "gone": None, "content": "word " * 30},
    {"id": "short", "user": "bob", "gone": "", "content": "[red]no markup[/red]\nsecond line\tcell"},
]
COLUMNS = {"id": "id", "user": "user", "gone": "gone", "content": "content"}


class _Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def wide_80(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


def _table() -> str:
    screen = _Screen()
    Output(False, screen).rows(ROWS, COLUMNS)
    return screen.getvalue()


def test_piped_rows_are_one_line_each_with_tabs_between_cells() -> None:
    out = io.StringIO()
    Output(False, out).rows(ROWS, COLUMNS)
    lines = out.getvalue().splitlines()
    assert [line.count("\t") for line in lines] == [3, 3]
    assert lines[1] == "short\tbob\t\t[red]no markup[/red] second line cell"


@pytest.mark.usefixtures("wide_80")
def test_a_table_fits_80_columns_with_ids_in_one_piece_and_no_empty_column() -> None:
    table = _table()
    assert ROWS[0]["id"] in table
    assert "gone" not in table
    assert table.count("word") == 30
    assert "[red]no markup[/red]" in " ".join(table.split())


@pytest.mark.usefixtures("wide_80")
def test_no_color_leaves_no_escape_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" in _table()
    monkeypatch.setenv("NO_COLOR", "1")
    table = _table()
    assert "\x1b" not in table
    assert max(len(line) for line in table.splitlines()) <= 80


def test_json_is_one_line_with_data_and_meta() -> None:
    out = io.StringIO()
    Output(True, out).rows(ROWS[:1], COLUMNS, limit=5)
    assert out.getvalue().count("\n") == 1
    answer = json.loads(out.getvalue())
    assert (answer["ok"], answer["data"], answer["meta"]) == (True, ROWS[:1], {"count": 1, "limit": 5})


def test_json_survives_a_stream_that_cannot_hold_it() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    Output(True, out).result({"text": "北京 \ud800"}, "")
    out.flush()
    assert json.loads(raw.getvalue())["data"] == {"text": "北京 \ud800"}


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("\x1b[2Jclear", "[2Jclear"),
        ("bell\x07 back\x08", "bell back"),
        ("\x9b31mred", "31mred"),
        ("user\u202egnp.exe", "usergnp.exe"),
        ("a\u2066b\u2069", "ab"),
        ("lone \ud800", "lone "),
        ("line\n\ttab", "line\n\ttab"),
        ("कि\u200d 👩\u200d💻 北京 ñ", "कि\u200d 👩\u200d💻 北京 ñ"),
    ],
)
def test_stored_text_cannot_steer_the_terminal(stored: str, shown: str) -> None:
    assert printable(stored) == shown


def test_notices_go_to_standard_error() -> None:
    out, err = io.StringIO(), io.StringIO()
    Output(False, out, err).notice("working")
    assert (out.getvalue(), err.getvalue()) == ("", "working\n")
