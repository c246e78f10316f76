"""From a model's text to a task's output: find the JSON, forgive its form, and never let one bad entry take others.

Pure functions. What is forgiven: fences, prose around, reasoning before, a bare list where the output has one list,
a single wrapper key, null where a default exists, known other names of keys, unknown keys. What is not: cut-off JSON,
and an answer of which nothing fits.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from reflexio_core.adapters.litellm.shaping import list_fields, shaped

Output = TypeVar("Output", bound=BaseModel)

_MOST_STARTS = 200
"""Brackets at which JSON may begin; a text with more before its answer is not worth the search."""

_CONTROL = re.compile("[\x00\ud800-\udfff]")
_REASONING = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)


class UnfitAnswer(ValueError):
    """Nothing usable in an answer. The message says why by field names alone, never by content."""


@dataclass(frozen=True, slots=True)
class Parsed(Generic[Output]):
    """An output and how many list entries had to be left out."""

    output: Output
    dropped: int


def parse(text: str, output: type[Output]) -> Parsed[Output]:
    """Read an answer. Raises ``UnfitAnswer``."""
    value = shaped(_found(_REASONING.sub("", text), output), output)
    kept, dropped, offered, problem = _salvaged(value, output)
    if offered and dropped == offered:
        raise UnfitAnswer(f"no list entry fits: {problem}")
    try:
        return Parsed(output.model_validate({**value, **kept}), dropped)
    except ValidationError as error:
        raise UnfitAnswer(_where(error)) from None


def _found(text: str, output: type[BaseModel]) -> Any:
    """The JSON value in ``text`` that is the answer: the last one with something in it, else an empty one."""
    fitting = [value for value, whole in _values(text) if _fits(value, whole, output)]
    if not fitting:
        raise UnfitAnswer("no complete JSON object with the expected keys")
    return next((value for value in reversed(fitting) if value), fitting[-1])


def _values(text: str) -> Iterator[tuple[Any, bool]]:
    """Every outermost JSON value, and whether no bracket before it stayed unread.

    Inside JSON that is cut off or malformed, a complete inner list must not pass for an answer.
    """
    decoder = json.JSONDecoder(strict=False, object_pairs_hook=_cleaned)
    position, whole = 0, True
    for _ in range(_MOST_STARTS):
        start = min((at for at in (text.find("{", position), text.find("[", position)) if at >= 0), default=-1)
        if start < 0:
            return
        try:
            value, position = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            position, whole = start + 1, False
            continue
        yield value, whole


def _fits(value: Any, whole: bool, output: type[BaseModel]) -> bool:
    if isinstance(value, list):
        lists = list_fields(output)
        entries = [entry for entry in value if isinstance(entry, dict)]
        return whole and bool(lists) and (not value or (len(lists) == 1 and bool(entries)))
    if not isinstance(value, dict):
        return False
    if not value:
        return whole
    names = output.model_fields.keys()
    inner = next(iter(value.values())) if len(value) == 1 else None
    return bool(names & value.keys()) or (isinstance(inner, dict) and bool(names & inner.keys()))


def _cleaned(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {key: _clean(value) for key, value in pairs}


def _clean(value: Any) -> Any:
    """Strings that can be stored: NUL dropped, halves of surrogate pairs replaced. Objects are clean already."""
    if isinstance(value, str):
        return _CONTROL.sub(lambda found: "" if found[0] == "\x00" else "\ufffd", value)
    if isinstance(value, list):
        return [_clean(entry) for entry in value]
    return value


def _salvaged(value: dict[str, Any], output: type[BaseModel]) -> tuple[dict[str, Any], int, int, str]:
    """Entries that fit by list; how many do not and how many there were; what was wrong with the last bad one."""
    kept: dict[str, Any] = {}
    dropped = offered = 0
    problem = ""
    for name, entry_type in list_fields(output).items():
        entries = value.get(name)
        if not isinstance(entries, list):
            continue
        offered += len(entries)
        kept[name] = []
        for entry in entries:
            try:
                kept[name].append(entry_type.model_validate(entry))
            except ValidationError as error:
                dropped += 1
                problem = f"{name}: {_where(error)}"
    return kept, dropped, offered, problem


def _where(error: ValidationError) -> str:
    """Fields and kinds of problems, without values: an answer may hold what no log should."""
    return "; ".join(
        f"{'.'.join(str(step) for step in problem['loc']) or 'the answer'}: {problem['type']}"
        for problem in error.errors(include_url=False, include_context=False, include_input=False)[:5]
    )
