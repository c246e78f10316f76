"""Every fenced command of the documentation runs as it stands, against a real service."""

import re
import shutil

import pytest

from tests.docs.live_service import Shell
from tests.docs.pages import PAGES, README, ROOT, Block, blocks

RUN = ("sh", "python")
ILLUSTRATIONS = ("text", "nginx")
"""Pictures, and configuration of other programs."""

ENTRY_POINT = re.compile(r"make (?P<target>[a-z-]+)(?: [A-Z]+=\S+)*")
COMMANDS = [block for block in blocks(README) if block.language == "sh"]
ELSEWHERE = [block for page in PAGES if page != README for block in blocks(page) if block.language == "sh"]
PROGRAMS = [
    pytest.param(block, id=f"{page.name}-{block.line}")
    for page in PAGES
    if page != ROOT / "sdk" / "README.md"  # its examples have a test of their own
    for block in blocks(page)
    if block.language == "python"
]
RUNNABLE = [
    block for block in COMMANDS + ELSEWHERE if not all(ENTRY_POINT.fullmatch(line) for line in block.text.splitlines())
]


def by_line(found: list[Block]) -> list[object]:
    return [pytest.param(block, id=f"line-{block.line}") for block in found]


def entry_points() -> dict[str, str]:
    """Targets that a fenced command of the README makes, with the line."""
    lines = (line.strip() for block in COMMANDS for line in block.text.splitlines())
    return {found["target"]: line for line in lines if (found := ENTRY_POINT.fullmatch(line))}


def test_every_block_is_run_or_an_illustration() -> None:
    for page in PAGES:
        for block in blocks(page):
            assert block.language in RUN + ILLUSTRATIONS, f"{page.name}:{block.line}"
    assert len(RUNNABLE) >= 6
    assert len(PROGRAMS) >= 3


def test_the_entry_points_are_in_the_makefile_and_run_what_the_readme_says() -> None:
    targets = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(entry_points()) == {"demo", "install", "test"}
    assert set(entry_points()) <= set(targets)
    assert set(re.findall(r"`make ([a-z-]+)", README.read_text())) <= set(targets)
    assert "make test STRICT=1" in (ROOT / ".ci" / "run").read_text()
    assert "make test STRICT=1" in README.read_text()


@pytest.mark.parametrize("block", by_line(RUNNABLE))
def test_a_command_runs(block: Block, shell: Shell) -> None:
    if "curl" in block.text and shutil.which("curl") is None:
        pytest.skip("curl is not installed here")
    commands = "\n".join(line for line in block.text.splitlines() if not ENTRY_POINT.fullmatch(line))
    done = shell.sh(commands)
    assert done.returncode == 0, done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    assert '"success":false' not in done.stdout
    assert '"detail"' not in done.stdout


def test_the_curl_example_finds_what_it_published(shell: Shell) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed here")
    [block] = [block for block in COMMANDS if "/api/search" in block.text]
    done = shell.sh(block.text)
    found = done.stdout.rpartition('{"success"')[2]
    assert "us-west-2" in found
    assert '"learning_status":"done"' in done.stdout


@pytest.mark.parametrize("block", PROGRAMS)
def test_a_program_runs(block: Block, shell: Shell) -> None:
    done = shell.python(block.text)
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr


def test_the_first_program_prints_what_was_learned(shell: Shell) -> None:
    first = next(block for block in blocks(README) if block.language == "python")
    printed = shell.python(first.text).stdout.splitlines()
    assert printed[0].startswith("done ")
    assert any(line.startswith("fact: ") and "us-west-2" in line for line in printed)
    assert any(line.startswith("when: ") and "region" in line for line in printed)


def test_a_session_is_learned_from_after_its_program_ended(shell: Shell) -> None:
    second = [block for block in blocks(README) if block.language == "python"][1]
    done = shell.python(second.text)
    assert re.fullmatch(r"(pending|processing|done) \w+\n", done.stdout), done.stdout + done.stderr


def program(part: str) -> str:
    """The one program of the README that has this in it."""
    [found] = [block.text for block in blocks(README) if block.language == "python" and part in block.text]
    return found


def test_the_loop_puts_what_was_learned_before_the_model_and_a_shell_gets_the_same(shell: Shell) -> None:
    shell.python(program("wait_for_response=True"))
    # A session of its own: the program may have run before, and a session is given each learning once.
    printed = shell.python(program("ask_model").replace("deploy-4", "loop")).stdout
    assert printed.startswith("You deploy services.\n\n<reflexio_context>")
    assert "us-west-2" in printed
    [block] = [block for block in COMMANDS if "reflexio context" in block.text]
    assert "us-west-2" in shell.sh(block.text).stdout


def test_the_shown_evidence_is_what_was_said(shell: Shell) -> None:
    shell.python(program("wait_for_response=True"))
    printed = shell.python(program("source_span")).stdout
    assert re.search(r"us-west-2.* <- .*Always use us-west-2\. \[\d+", printed, re.DOTALL)


def test_the_commands_find_what_they_published(shell: Shell) -> None:
    [block] = [block for block in COMMANDS if "reflexio publish" in block.text]
    done = shell.sh(block.text.replace("carol", "erin"))  # of whom nothing is known yet
    assert done.stdout.count("Lives in Utrecht") == 3, done.stdout + done.stderr  # published, found, listed


def test_a_turn_with_a_secret_is_gone_after_the_shown_deletion(shell: Shell) -> None:
    shown = program("hunter2")
    assert "delete_interaction" in shown
    done = shell.python(f"{shown}    print([turn.content for turn in client.iter_interactions(user_id='dave')])\n")
    assert done.stdout == "[]\n", done.stderr


def test_the_copy_of_a_running_service_is_a_whole_database(shell: Shell) -> None:
    [block] = [block for block in ELSEWHERE if "backup(" in block.text]
    look = (
        "import pathlib, sqlite3; copy = sqlite3.connect(pathlib.Path.home() / 'reflexio-copy' / 'reflexio.db'); "
        "print(*copy.execute('PRAGMA integrity_check').fetchone(), "
        "copy.execute('SELECT * FROM store_schema').fetchone())"
    )
    assert re.search(r"^ok \(\d+,\)$", shell.sh(f'{block.text}\npython -c "{look}"').stdout, re.MULTILINE)


def test_the_doctor_s_findings_come_with_what_mends_them(shell: Shell) -> None:
    [block] = [block for block in COMMANDS if "doctor" in block.text]
    said = shell.sh(block.text).stdout
    for part in ("python", "sqlite", "embedding model", "learner", "data folder", "disk", "port", "service reachable"):
        assert f" {part}: " in said
