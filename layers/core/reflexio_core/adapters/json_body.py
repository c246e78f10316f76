"""Item bodies as JSON text that any store can hold and give back unchanged."""

import json
import re
from typing import Any

from reflexio_core.errors import InvalidInput

# One encoder for all: json.dumps makes a new one per call as soon as an option differs from its default.
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_SURROGATE = re.compile("[\ud800-\udfff]")


def encode_body(body: dict[str, Any]) -> str:
    """The body as compact JSON that UTF-8 can carry.

    Text stays as it is (a Chinese character costs three bytes, not the six of an escape); only what UTF-8 or a C
    string cannot hold is escaped: NUL by JSON itself, surrogates here.

    Raises:
        InvalidInput: The body holds something that JSON has no form for.
    """
    try:
        text = _ENCODER.encode(body)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput("body", f"an item's body must be JSON: {error}") from error
    if text.isascii():
        return text
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def decode_body(text: str | bytes) -> dict[str, Any]:
    """The body that ``encode_body`` wrote."""
    body: dict[str, Any] = json.loads(text)
    return body
