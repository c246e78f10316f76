"""The page with all help says what the program says."""

from pathlib import Path

import pytest

from reflexio.cli.failures import ExitCode
from reflexio.cli.reference import render

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_the_page_is_current_whatever_the_terminal(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert render() == PAGE.read_text(), "run: python -m reflexio.cli.reference > docs/cli.md"


def test_the_page_names_every_exit_code() -> None:
    page = PAGE.read_text()
    assert all(f"| {code.value} | " in page for code in ExitCode)


def test_every_command_is_there_and_offers_json() -> None:
    sections = PAGE.read_text().split("### ")[1:]
    commands = [section for section in sections if "COMMAND [ARGS]" not in section]
    assert len(commands) == 30
    for section in commands:
        assert "  --json " in section, section.splitlines()[0]
