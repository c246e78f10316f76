"""Conversations as people have them in files, or type them: JSON in several shapes, read into one.

A conversation is a list of turns, or an object with the turns under ``interactions`` (also ``messages``, ``turns``,
``interaction_data_list``) and, if it likes, ``user_id``, ``session_id``, ``source``, ``agent_version``, ``query``. A
turn is an object with ``role`` and ``content``. A file may hold one conversation, a list of them, or one on each line;
lines that are turns are one conversation together.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reflexio.cli.failures import BadInput

_TURNS = ("interactions", "messages", "turns", "interaction_data_list")
_TEXT_FIELDS = ("user_id", "session_id", "source", "agent_version", "query")
_TURN_FIELDS = frozenset({"role", "content"})


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns of one session, in order. ``query`` is what to look for afterwards, where the file says so."""

    turns: Sequence[Mapping[str, Any]]
    user_id: str | None = None
    session_id: str | None = None
    source: str | None = None
    agent_version: str | None = None
    query: str | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """What was read. ``single`` tells one conversation from a list that happens to hold one."""

    conversations: Sequence[Conversation] = field(default_factory=tuple)
    single: bool = True


def read_file(path: Path) -> Batch:
    """Read a file; ``.jsonl`` is read line by line. Raises ``BadInput``."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}") from None
    return read_lines(text, str(path)) if path.suffix == ".jsonl" else read_json(text, str(path))


def read_stdin() -> Batch:
    """Read standard input: one JSON value, or one on each line. Raises ``BadInput``."""
    text = sys.stdin.read()
    try:
        json.loads(text)
    except ValueError:
        if len(text.strip().splitlines()) > 1 and text.lstrip()[:1] == "{":
            return read_lines(text, "standard input")
    return read_json(text, "standard input")


def read_json(text: str, where: str) -> Batch:
    """Read one JSON value; ``where`` names its origin in messages. Raises ``BadInput``."""
    value = _decoded(text, where)
    if isinstance(value, list) and value and not _are_turns(value):
        return Batch(tuple(_conversation(entry, f"{where}[{n}]") for n, entry in enumerate(value)), single=False)
    return Batch((_conversation(value, where),))


def read_lines(text: str, where: str) -> Batch:
    """Read one JSON value a line. Raises ``BadInput``."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    values = [_decoded(line, f"{where} line {number}") for number, line in lines]
    if not values:
        raise BadInput(f"{where} is empty")
    if _are_turns(values):
        return Batch((_conversation(values, where),))
    entries = zip(lines, values, strict=True)
    return Batch(tuple(_conversation(value, f"{where} line {number}") for (number, _), value in entries), single=False)


def _decoded(text: str, where: str) -> Any:
    if not text.strip():
        raise BadInput(f"{where} is empty")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput(
            f"{where} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}",
            'a conversation looks like [{"role": "user", "content": "..."}]',
        ) from None


def _are_turns(values: Sequence[Any]) -> bool:
    return all(isinstance(value, dict) and not _TURN_FIELDS.isdisjoint(value) for value in values)


def _conversation(value: Any, where: str) -> Conversation:
    if isinstance(value, list):
        return Conversation(_turns(value, where))
    if not isinstance(value, dict):
        raise BadInput(f"{where} is neither a list of turns nor an object with a list of turns")
    if not _TURN_FIELDS.isdisjoint(value):
        return Conversation(_turns([value], where))
    name = next((name for name in _TURNS if name in value), None)
    if name is None:
        raise BadInput(f"{where} has no turns: put them under 'interactions'")
    return Conversation(_turns(value[name], f"{where}.{name}"), **_texts(value, where))


def _turns(value: Any, where: str) -> Sequence[Mapping[str, Any]]:
    if not isinstance(value, list) or not value:
        raise BadInput(f"{where} is not a list of at least one turn")
    for number, turn in enumerate(value):
        if not isinstance(turn, dict):
            raise BadInput(f"{where}[{number}] is not an object with 'role' and 'content'")
    return value


def _texts(value: Mapping[str, Any], where: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    for name in _TEXT_FIELDS:
        text = value.get(name)
        if text is not None and not isinstance(text, str):
            raise BadInput(f"{where}.{name} is not text")
        if text:
            texts[name] = text
    return texts
