"""Text that people wrote: every string is accepted, and what no UTF-8 store can hold is replaced."""

import math
import re
from typing import Annotated, Any

from pydantic import BeforeValidator

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

MAX_DEPTH = 64
"""Deepest nesting of free-form JSON. Real tool output stays far below; deeper exhausts a parser's stack."""

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def clean_text(text: str) -> tuple[str, bool]:
    """Replace NUL and lone surrogates by U+FFFD; the flag says whether any was found."""
    cleaned, replaced = _UNSTORABLE.subn(REPLACEMENT, text)
    return cleaned, replaced > 0


def clean_json(value: Any, depth: int = MAX_DEPTH) -> tuple[Any, bool]:
    """``clean_text`` for every string of a decoded JSON value, keys included.

    What lies deeper than ``depth`` levels is returned as it is: ``FreeJson`` refuses it.
    """
    if isinstance(value, str):
        return clean_text(value)
    if depth == 0 or not isinstance(value, dict | list):
        return value, False
    if isinstance(value, list):
        items = [clean_json(item, depth - 1) for item in value]
        return [item for item, _ in items], any(found for _, found in items)
    pairs = [(clean_json(key), clean_json(item, depth - 1)) for key, item in value.items()]
    return (
        {key: item for (key, _), (item, _) in pairs},
        any(in_key or in_item for (_, in_key), (_, in_item) in pairs),
    )


def _cleaned(value: object) -> object:
    return clean_text(value)[0] if isinstance(value, str) else value


def _storable(value: object) -> object:
    _refuse_unstorable(value, MAX_DEPTH)
    return clean_json(value)[0]


def _refuse_unstorable(value: object, depth: int) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("numbers must be finite: JSON has no NaN and no infinity")
    if not isinstance(value, dict | list):
        return
    if depth == 0:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    for item in value.values() if isinstance(value, dict) else value:
        _refuse_unstorable(item, depth - 1)


Text = Annotated[str, BeforeValidator(_cleaned)]
"""Any string; NUL and lone surrogates become U+FFFD."""

FreeJson = Annotated[dict[str, Any], BeforeValidator(_storable)]
"""A free-form JSON object: finite numbers, at most ``MAX_DEPTH`` levels, strings cleaned as in ``Text``."""
