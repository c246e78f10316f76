"""The demo shows a lesson learned and found again, from its own conversation or from any other."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.embedded.services import clean_environment


def run_demo(home: Path, *arguments: str, **extra: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "reflexio_core.embedded.demo", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=home,
        env=clean_environment(home, **extra),
    )


def sections(out: str) -> dict[str, str]:
    """The printed blocks by their headings."""
    blocks: dict[str, str] = {}
    heading = ""
    for line in out.splitlines():
        if line.startswith(" "):
            blocks[heading] += line + "\n"
        else:
            heading = line
            blocks.setdefault(heading, "")
    return blocks


def test_it_learns_the_fact_and_the_lesson_and_finds_both(tmp_path: Path) -> None:
    done = run_demo(tmp_path)
    assert done.returncode == 0, done.stderr
    shown = sections(done.stdout)
    assert "us-west-2" in shown["Learned profile"]
    lesson = shown["Learned playbook"].lower()
    assert "when:" in lesson
    assert "region" in lesson
    assert "production deployment" in lesson
    assert "us-west-2" not in lesson
    assert "us-east-1" not in lesson
    found = shown['Answer to the search "deployment region"']
    assert "profile: " in found
    assert "playbook:" in found
    assert "us-west-2" in found
    assert "Starting" not in done.stdout, "progress belongs on standard error"
    assert "learning" in done.stderr


def test_a_key_of_the_environment_does_not_lock_it_out(tmp_path: Path) -> None:
    assert run_demo(tmp_path, REFLEXIO_API_KEY="other", REFLEXIO_URL="http://198.51.100.1:1").returncode == 0


@pytest.mark.parametrize("query", [None, "package manager"])
def test_any_conversation_can_be_shown(tmp_path: Path, query: str | None) -> None:
    turns = [
        {"role": "user", "content": "Install the dependencies."},
        {"role": "assistant", "content": "Running npm install."},
        {"role": "user", "content": "No, always use pnpm in this repository."},
    ]
    conversation = {"interactions": turns, "query": query} if query else turns
    (tmp_path / "conversation.json").write_text(json.dumps(conversation))
    done = run_demo(tmp_path, "conversation.json")
    assert done.returncode == 0, done.stderr
    assert "pnpm" in done.stdout
    expected = query or "No, always use pnpm in this repository."
    assert f'Answer to the search "{expected}"' in sections(done.stdout)


def test_a_conversation_without_a_lesson_ends_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "talk.json").write_text(json.dumps([{"role": "user", "content": "Good morning!"}]))
    done = run_demo(tmp_path, "talk.json")
    assert done.returncode == 1
    assert "nothing was learned: nothing in this conversation was worth it" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("content", ["{", "[]", '{"user_id": "u"}'])
def test_a_file_that_is_no_conversation_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "broken.json").write_text(content)
    done = run_demo(tmp_path, "broken.json")
    assert done.returncode == 2
    assert "broken.json" in done.stderr
    assert "Traceback" not in done.stderr
