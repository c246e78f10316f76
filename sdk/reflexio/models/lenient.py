"""What a publish body is forgiven before it is validated.

Agents publish from many frameworks, and losing a conversation to a stray key is worse than ignoring the key. So
unknown keys, empty rows and characters that no store can hold are mended and reported, one warning each, and messages
of chat interfaces are read as turns. Wrong types are left alone: validation names them better.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from reflexio.models.chat_messages import ROWS, as_turns
from reflexio.models.interactions import PublishUserInteractionRequest
from reflexio.models.text import clean_json
from reflexio.models.turns import Citation, InteractionData, RetrievedLearning, ToolUsed

CONTENT_FIELDS = (
    "content",
    "shadow_content",
    "expert_content",
    "interacted_image_url",
    "image_encoding",
    "tools_used",
    "citations",
    "retrieved_learnings",
    "user_action",
)
"""A row with none of these says nothing."""

NAMES_PER_WARNING = 5
UNKNOWN_KEY_WARNINGS = 20
INDICES_PER_WARNING = 10
LONGEST_NAME = 40

_REPEATED_ON_ROWS = frozenset({"user_id", "session_id"})
_NESTED: Mapping[str, type[BaseModel]] = {
    "tools_used": ToolUsed,
    "citations": Citation,
    "retrieved_learnings": RetrievedLearning,
}


class EmptyPublishError(ValueError):
    """No row of a publish body says anything."""


def prepare_publish(raw: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Mend a decoded publish body: the body to validate, and a warning for each thing mended.

    ``raw`` itself is not changed. Unknown keys are dropped at the top, in rows and in what hangs on rows; empty rows
    are skipped; NUL and lone surrogates in rows become U+FFFD.

    Raises:
        EmptyPublishError: there are rows and all are empty. The message names unknown keys, the likely cause.
    """
    turns, left_out = as_turns(raw)
    body, unknown_on_top = _known_keys(turns, PublishUserInteractionRequest)
    rows = turns.get(ROWS)
    unknown: list[str] = []
    mended: list[str] = []
    if isinstance(rows, list):
        kept = _kept(rows)
        cleaned = [_row(row, f"{ROWS}[{index}]", unknown, mended) for index, row in enumerate(rows)]
        body[ROWS] = [cleaned[index] for index in kept]
        skipped = sorted(set(range(len(rows))) - set(kept))
        if skipped:
            mended.append(_skip_warning(skipped))
    if unknown_on_top:
        unknown.append(_unknown_warning("publish request", unknown_on_top))
    hints = _bounded([*left_out, *unknown])
    if isinstance(rows, list) and rows and not body[ROWS]:
        raise EmptyPublishError(_nothing_said(hints))
    return body, hints + mended


def kept_rows(raw: Mapping[str, Any]) -> list[int]:
    """Positions, in the body as sent, of the rows that ``prepare_publish`` keeps: to name a row in an error."""
    rows = as_turns(raw)[0].get(ROWS)
    return _kept(rows) if isinstance(rows, list) else []


def _kept(rows: list[Any]) -> list[int]:
    return [index for index, row in enumerate(rows) if not isinstance(row, dict) or _says_something(row)]


def _says_something(row: Mapping[str, Any]) -> bool:
    for name in CONTENT_FIELDS:
        value = row.get(name)
        if name == "user_action" and value == "none":
            continue
        if isinstance(value, str):
            if value.strip():
                return True
        elif value is not None and value != []:
            return True
    return False


def _row(row: Any, where: str, unknown: list[str], mended: list[str]) -> Any:
    if not isinstance(row, dict):
        return row
    known, names = _known_keys(row, InteractionData)
    names = [name for name in names if name not in _REPEATED_ON_ROWS]
    if names:
        unknown.append(_unknown_warning(where, names))
    for field, model in _NESTED.items():
        if isinstance(known.get(field), list):
            known[field] = list(_parts(known[field], model, f"{where}.{field}", unknown))
    cleaned, replaced = clean_json(known)
    if replaced:
        mended.append(f"{where}: replaced NUL or lone surrogate characters, which cannot be stored, by U+FFFD")
    return cleaned


def _parts(parts: list[Any], model: type[BaseModel], where: str, unknown: list[str]) -> Iterator[Any]:
    for index, part in enumerate(parts):
        if not isinstance(part, dict):
            yield part
            continue
        known, names = _known_keys(part, model)
        if names:
            unknown.append(_unknown_warning(f"{where}[{index}]", names))
        yield known


def _known_keys(body: Mapping[str, Any], model: type[BaseModel]) -> tuple[dict[str, Any], list[str]]:
    known = {key: value for key, value in body.items() if key in model.model_fields}
    return known, [key for key in body if key not in model.model_fields]


def _unknown_warning(where: str, names: list[str]) -> str:
    shown = ", ".join(_printable(name) for name in names[:NAMES_PER_WARNING])
    rest = len(names) - NAMES_PER_WARNING
    return f"{where}: ignored unrecognised field(s) {shown}" + (f" and {rest} more" if rest > 0 else "")


def _printable(name: object) -> str:
    # The name comes from outside and goes into logs and terminals.
    text = "".join(character if character.isprintable() else "?" for character in str(name))
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}..."


def _bounded(warnings: list[str]) -> list[str]:
    rest = len(warnings) - UNKNOWN_KEY_WARNINGS
    if rest <= 0:
        return warnings
    return [*warnings[:UNKNOWN_KEY_WARNINGS], f"{rest} more place(s) with unrecognised fields"]


def _skip_warning(skipped: list[int]) -> str:
    shown = ", ".join(str(index) for index in skipped[:INDICES_PER_WARNING])
    rest = len(skipped) - INDICES_PER_WARNING
    more = f" and {rest} more" if rest > 0 else ""
    return f"skipped {len(skipped)} empty interaction(s) that carried no content, at index(es) {shown}{more}"


def _nothing_said(hints: list[str]) -> str:
    message = f"every interaction is empty: each needs at least one of {', '.join(CONTENT_FIELDS)}"
    return f"{message}. Likely cause: {'; '.join(hints)}" if hints else message
