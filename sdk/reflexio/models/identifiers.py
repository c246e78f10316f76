"""Names that point at something: ids and labels, exact or refused, never repaired.

Text is repaired (``models.text``) because losing a character beats losing a turn. An id is not: a repaired id
names something else.
"""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

MAX_ID_CHARACTERS = 512

LARGEST_ROW_ID = 2**53 - 1
"""Numeric ids stay exact in JavaScript and in JSON parsers that read numbers as doubles."""


def _refuse_unprintable(value: str, what: str) -> None:
    for position, character in enumerate(value):
        category = unicodedata.category(character)
        if category == "Cs":
            raise ValueError(f"{what} holds a lone surrogate at position {position}: it is not valid Unicode")
        if category == "Cc":
            raise ValueError(f"{what} holds the control character U+{ord(character):04X} at position {position}")


def _identifier(value: object) -> object:
    if not isinstance(value, str):
        return value
    stripped = value.strip()
    if not stripped:
        raise ValueError("an id must not be blank")
    if len(stripped) > MAX_ID_CHARACTERS:
        raise ValueError(f"an id has at most {MAX_ID_CHARACTERS} characters, this one has {len(stripped)}")
    _refuse_unprintable(stripped, "the id")
    return stripped


def _label(value: object) -> object:
    if isinstance(value, str):
        _refuse_unprintable(value, "the label")
    return value


def _exact_number(value: int) -> int:
    if abs(value) > LARGEST_ROW_ID:
        raise ValueError(f"ids are at most {LARGEST_ROW_ID}")
    return value


Identifier = Annotated[str, BeforeValidator(_identifier)]
"""An id that a caller chose: surrounding space dropped, 1 to 512 characters, no control characters."""

Label = Annotated[str, BeforeValidator(_label)]
"""A name that rows are grouped by, such as an agent version; may be empty."""

RowId = Annotated[int, AfterValidator(_exact_number)]
"""An id that the service chose: at most 53 bits. Zero stands for "none yet"."""

ExistingRowId = Annotated[int, Field(gt=0), AfterValidator(_exact_number)]
"""An id that points at a stored row."""
