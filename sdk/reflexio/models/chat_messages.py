"""Messages of chat interfaces, OpenAI's and Anthropic's, read as turns: content in parts, tool calls, images.

What has no place in a turn is left out and reported, so that nobody takes it for stored.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reflexio.models.turns import InteractionData

ROWS = "interaction_data_list"
ALIAS = "messages"
"""What chat interfaces call the turns of a conversation."""

LONGEST_URL = 2048
"""``interacted_image_url`` holds no more; longer images go into ``image_encoding``."""

MAX_BRACKETS = 32
"""Arguments of a tool call with more of them than this stay text: they might be nested deeper than JSON may be."""

_TEXT = frozenset({"text", "input_text", "output_text"})
_IMAGES = frozenset({"image_url", "input_image", "image"})
_WEB_OR_INLINE = ("http://", "https://", "data:")


@dataclass(slots=True)
class _Parts:
    """What the parts of one content came to."""

    texts: list[str] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    tools: list[dict[str, Any]] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)


def as_turns(raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """A publish body whose rows are turns, and a warning for whatever of a message is left out.

    ``messages`` stands for the rows where they have no name of their own. ``raw`` is not changed, and rows that are
    turns already are taken over as they are.
    """
    body = dict(raw)
    if ROWS not in body and isinstance(body.get(ALIAS), list):
        body[ROWS] = body.pop(ALIAS)
    warnings: list[str] = []
    rows = body.get(ROWS)
    if isinstance(rows, list):
        body[ROWS] = [_turn(row, f"{ROWS}[{index}]", warnings) for index, row in enumerate(rows)]
    return body, warnings


def _turn(row: Any, where: str, warnings: list[str]) -> Any:
    if not isinstance(row, dict):
        return row
    content, calls = row.get("content"), row.get("tool_calls")
    parts = _Parts()
    turn = dict(row)
    if isinstance(content, list) and content and all(isinstance(part, dict) for part in content):
        for part in content:
            _take_part(part, parts)
        turn["content"] = "\n".join(parts.texts)
    if isinstance(calls, list) and isinstance(row.get("tools_used", []), list):
        del turn["tool_calls"]
        for call in calls:
            _take_call(call, parts)
        if content is None:
            turn.pop("content", None)
    if parts.tools and isinstance(row.get("tools_used", []), list):
        turn["tools_used"] = [*row.get("tools_used", []), *parts.tools]
    elif parts.tools:
        parts.ignored.append("tool_use")
    _place_image(turn, parts)
    if parts.ignored:
        names = ", ".join(sorted({name[:40] if name.isprintable() else "?" for name in parts.ignored}))
        warnings.append(f"{where}: ignored part(s) of the message that a turn has no place for: {names}")
    return turn


def _take_part(part: Mapping[str, Any], parts: _Parts) -> None:
    kind = part.get("type")
    image = _image_url(part) if kind in _IMAGES else None
    if kind in _TEXT and isinstance(part.get("text"), str):
        parts.texts.append(part["text"])
    elif image is not None:
        parts.images.append(image)
    elif kind == "tool_use" and isinstance(part.get("name"), str):
        parts.tools.append(_tool(part["name"], part.get("id"), part.get("input")))
    else:
        parts.ignored.append(kind if isinstance(kind, str) and kind else "a part without a type")


def _take_call(call: object, parts: _Parts) -> None:
    """A tool call as OpenAI writes it: its arguments are JSON inside a text."""
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(call, dict) or not isinstance(function, dict) or not isinstance(function.get("name"), str):
        parts.ignored.append("tool_calls")
        return
    parts.tools.append(_tool(function["name"], call.get("id"), _decoded(function.get("arguments"))))


def _tool(name: str, call_id: object, arguments: object) -> dict[str, Any]:
    data = {"id": call_id, "arguments": arguments}
    return {"tool_name": name, "tool_data": {key: value for key, value in data.items() if value is not None}}


def _decoded(arguments: object) -> object:
    if not isinstance(arguments, str) or arguments.count("{") + arguments.count("[") > MAX_BRACKETS:
        return arguments
    try:
        return json.loads(arguments, parse_constant=_no_number)
    except ValueError:
        return arguments


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _image_url(part: Mapping[str, Any]) -> str | None:
    """The address of an image, inline ones as ``data:``; None for what is none."""
    given = part.get("source") if part.get("type") == "image" else part.get("image_url")
    url: object = given
    if isinstance(given, dict):
        url = given.get("url")
        if isinstance(given.get("data"), str) and isinstance(given.get("media_type"), str):
            url = f"data:{given['media_type']};base64,{given['data']}"
    return url if isinstance(url, str) and url.lower().startswith(_WEB_OR_INLINE) else None


def _place_image(turn: dict[str, Any], parts: _Parts) -> None:
    """A turn shows one image: a message with several keeps none, for nobody knows which one is meant."""
    if not parts.images:
        return
    url = parts.images[0]
    inline = url[:5].lower() == "data:" and ";base64," in url[:200]
    if len(parts.images) > 1 or turn.get("interacted_image_url") or turn.get("image_encoding"):
        parts.ignored.append(f"{len(parts.images)} image(s)")
    elif len(url) <= LONGEST_URL:
        turn["interacted_image_url"] = url
    elif inline and len(url) <= _longest_encoding():
        turn["image_encoding"] = url.partition(";base64,")[2]
    else:
        parts.ignored.append("an image that is too long")


def _longest_encoding() -> int:
    limits = (getattr(rule, "max_length", None) for rule in InteractionData.model_fields["image_encoding"].metadata)
    return next(int(limit) for limit in limits if limit is not None)
