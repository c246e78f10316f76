"""Turn a task's inputs into messages, with the prompt file that the task's version names.

A prompt file has a header between ``---`` lines (task, version, inputs, output), then one part per message under
``# system`` and ``# user``. In it ``{{name}}`` is replaced, and lines between ``{{#flag}}`` or ``{{^flag}}`` and
``{{/flag}}`` stay where the flag is true, or false. Everything that comes from people or tenants is a record: one
line of JSON between ``<data>`` and ``</data>``. No text inside a record can end its line or forge those marks.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from reflexio_core.ports.llm import Input, Output, Task
from reflexio_core.tasks.consolidate import ConsolidateInputs, ConsolidationItem
from reflexio_core.tasks.extract import ExtractInputs
from reflexio_core.tasks.gate import GateInputs
from reflexio_core.tasks.transcript import LearningKind, Turn

Message = dict[str, str]
"""A chat message: ``role`` and ``content``."""

_PROMPTS = Path(__file__).with_name("prompts")
_PART = re.compile(r"^# (system|user)$", re.MULTILINE)
_BLOCK = re.compile(r"^\{\{([#^])(\w+)\}\}\n(.*?)^\{\{/\2\}\}\n", re.MULTILINE | re.DOTALL)
_PLACE = re.compile(r"\{\{(\w+)\}\}")
# JSON leaves these raw, but some readers of the prompt end a line at them.
_LINE_BREAKING = re.compile("[\x7f-\x9f\u2028\u2029]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def render(task: Task[Input, Output], inputs: BaseModel) -> list[Message]:
    """The messages that ask ``task`` about ``inputs``. Raises ``FileNotFoundError`` for an unknown prompt version."""
    flags, records = _parts(inputs)
    texts = {"records": "\n".join(_line(record) for record in records)}
    return [
        {"role": role, "content": _filled(text, flags, texts)} for role, text in prompt(task.name, task.prompt_version)
    ]


@cache
def prompt(name: str, version: str) -> tuple[tuple[str, str], ...]:
    """The parts of a prompt file, as (role, template) in order."""
    text = (_PROMPTS / name / f"v{version}.md").read_text(encoding="utf-8")
    _, _, body = text.split("---\n", 2)
    pieces = _PART.split(body)[1:]
    return tuple(zip(pieces[::2], (piece.strip("\n") + "\n" for piece in pieces[1::2]), strict=True))


def _filled(template: str, flags: Mapping[str, bool], texts: Mapping[str, str]) -> str:
    kept = _BLOCK.sub(lambda block: block[3] if flags[block[2]] == (block[1] == "#") else "", template)
    return _PLACE.sub(lambda place: texts[place[1]], kept).strip("\n")


def _line(record: Mapping[str, Any]) -> str:
    """A record as one line of JSON; ``</`` is written ``<\\/``, the same to JSON but not to a reader of marks."""
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"), default=str)
    text = _LONE_SURROGATE.sub("\ufffd", text).replace("</", "<\\/")
    return _LINE_BREAKING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _parts(inputs: BaseModel) -> tuple[dict[str, bool], list[dict[str, Any]]]:
    """What the prompt's flags are, and the records that it shows."""
    match inputs:
        case ExtractInputs():
            return {**_wanted(inputs.kinds), "judge": inputs.judge}, _extract_records(inputs)
        case GateInputs():
            definitions = _named(
                profile_definition=inputs.profile_definition, playbook_definition=inputs.playbook_definition
            )
            return _wanted(inputs.kinds), [*definitions, *_turns(inputs.turns)]
        case ConsolidateInputs():
            return {}, [_item(item) for item in (*inputs.old, *inputs.new)]
        case _:
            raise TypeError(f"no prompt shows {type(inputs).__name__}")


def _wanted(kinds: tuple[LearningKind, ...]) -> dict[str, bool]:
    return {"profiles": "profile" in kinds, "playbooks": "playbook" in kinds}


def _extract_records(inputs: ExtractInputs) -> list[dict[str, Any]]:
    return [
        *_named(
            agent_context=inputs.agent_context,
            profile_definition=inputs.profile_definition,
            profile_context=inputs.profile_context,
            playbook_definition=inputs.playbook_definition,
            playbook_context=inputs.playbook_context,
        ),
        *({"agent_tool": tool} for tool in inputs.tools),
        *({"known_profile": known.content} for known in inputs.known_profiles),
        *_turns(inputs.turns),
    ]


def _named(**texts: str) -> list[dict[str, Any]]:
    return [{name: text} for name, text in texts.items() if text]


def _turns(turns: tuple[Turn, ...]) -> list[dict[str, Any]]:
    """One record a turn; a session is named once, before its first turn in a row."""
    records: list[dict[str, Any]] = []
    session = None
    for turn in turns:
        if turn.session != session:
            session = turn.session
            records.append({"session": session})
        records.append(_turn(turn))
    return records


def _turn(turn: Turn) -> dict[str, Any]:
    shown = {
        "turn": turn.label,
        "seen": not turn.new,
        "time": turn.time,
        "role": turn.role,
        "text": turn.text,
        "action": turn.action,
        "tools": [_filled_only(call.model_dump()) for call in turn.tools],
        "expert_text": turn.expert_text,
        "quoted": turn.quoted,
    }
    return _filled_only(shown)


def _item(item: ConsolidationItem) -> dict[str, Any]:
    shown = item.model_dump()
    if item.kind == "playbook":
        del shown["time_to_live"]
    return _filled_only(shown)


def _filled_only(record: dict[str, Any]) -> dict[str, Any]:
    """The record without its empty fields: they cost tokens and say nothing."""
    return {name: value for name, value in record.items() if value not in ("", None, False, (), [], {})}
