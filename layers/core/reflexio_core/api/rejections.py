"""The body of a 422: which field, what is wrong, and a glimpse of what was sent.

What was sent may be huge, or hold numbers and characters that JSON cannot carry. A glimpse is bounded in length,
width and depth, so that the answer is valid JSON and small whatever came in.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from reflexio.models.text import clean_text

MAX_ERRORS = 50
MAX_LOC_STEPS = 20
MAX_STEP_CHARACTERS = 100
MAX_MESSAGE_CHARACTERS = 2000
MAX_GLIMPSE_CHARACTERS = 200
MAX_GLIMPSE_ITEMS = 10
MAX_GLIMPSE_DEPTH = 3

_LARGEST_EXACT = 2**63


def rejection(entries: list[dict[str, Any]]) -> dict[str, Any]:
    """The whole body of a 422."""
    return {"detail": entries, "error": "invalid_input"}


def scrub_errors(errors: Sequence[Any]) -> list[dict[str, Any]]:
    """Validation errors as they may travel: at most ``MAX_ERRORS``, each with type, loc, msg and input."""
    entries = [_entry(error) for error in errors[:MAX_ERRORS]]
    if len(errors) > MAX_ERRORS:
        rest = f"{len(errors) - MAX_ERRORS} more error(s) of this kind are left out"
        entries.append({"type": "too_many_errors", "loc": ["body"], "msg": rest, "input": None})
    return entries


def glimpse(value: Any, depth: int = MAX_GLIMPSE_DEPTH) -> Any:
    """A bounded, JSON-ready copy of anything."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value) if abs(value) < _LARGEST_EXACT else "a number of more than 64 bits"
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return _short(value, MAX_GLIMPSE_CHARACTERS)
    if isinstance(value, Mapping):
        if depth == 0:
            return f"an object of {len(value)} key(s)"
        kept = list(value.items())[:MAX_GLIMPSE_ITEMS]
        return {_short(str(key), MAX_STEP_CHARACTERS): glimpse(item, depth - 1) for key, item in kept}
    if isinstance(value, list | tuple):
        if depth == 0:
            return f"a list of {len(value)} item(s)"
        return [glimpse(item, depth - 1) for item in value[:MAX_GLIMPSE_ITEMS]]
    return f"a {type(value).__name__}"


def _entry(error: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": _short(str(error["type"]), MAX_STEP_CHARACTERS),
        "loc": _location(list(error["loc"])),
        "msg": _short(str(error["msg"]), MAX_MESSAGE_CHARACTERS),
        "input": glimpse(error.get("input")),
    }


def _location(loc: list[Any]) -> list[str | int]:
    return [step if isinstance(step, int) else _short(str(step), MAX_STEP_CHARACTERS) for step in loc[:MAX_LOC_STEPS]]


def _short(text: str, limit: int) -> str:
    shown, _ = clean_text(text[:limit])
    return shown if len(text) <= limit else f"{shown}..."
