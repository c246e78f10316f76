"""Bring an answer's JSON into the form of its output type where only one reading is possible."""

from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

_OTHER_NAMES: dict[str, tuple[str, ...]] = {
    "content": ("instruction", "text", "fact"),
    "trigger": ("when", "condition"),
    "rationale": ("reason", "reasoning"),
    "evidence": ("evidence_refs", "refs", "sources"),
    "time_to_live": ("ttl", "timeToLive"),
    "turn": ("label", "ref", "turn_id"),
    "quote": ("span", "source_span", "text"),
    "new": ("new_id", "new_label"),
    "old": ("old_ids", "old_labels"),
    "action": ("kind", "decision"),
}
"""Names that models give to a field instead; used only where the right one is absent and a single one is there."""


def list_fields(output: type[BaseModel]) -> dict[str, type[BaseModel]]:
    """The output's lists of objects: field name to entry type."""
    found = {}
    for name, info in output.model_fields.items():
        entry = _entry_type(info.annotation)
        if entry is not None:
            found[name] = entry
    return found


def shaped(value: Any, output: type[BaseModel]) -> dict[str, Any]:
    """The answer as an object with the output's keys; entries of lists shaped likewise."""
    if isinstance(value, list):
        names = list(list_fields(output))
        value = {names[0]: value} if len(names) == 1 else {}
    if len(value) == 1:
        (inner,) = value.values()
        if isinstance(inner, dict) and not value.keys() & output.model_fields.keys():
            value = inner
    if not value:
        value = {name: [] for name in list_fields(output)}
    return _object(value, output)


def _object(value: dict[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    named = _renamed(value, model)
    result = {}
    for name, info in model.model_fields.items():
        if name not in named or (named[name] is None and not info.is_required()):
            continue
        result[name] = _field(named[name], info)
    return result


def _renamed(value: dict[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    result = {name: value[name] for name in model.model_fields if name in value}
    for name in model.model_fields:
        others = [other for other in _OTHER_NAMES.get(name, ()) if other in value and other not in model.model_fields]
        if name not in result and len(others) == 1:
            result[name] = value[others[0]]
    return result


def _field(value: Any, info: FieldInfo) -> Any:
    entry = _entry_type(info.annotation)
    if entry is not None:
        if isinstance(value, dict) or (isinstance(value, str) and _from_label(value, entry)):
            value = [value] if value else []
        if not isinstance(value, list):
            return value
        return _without_unfit([_entry(one, entry) for one in value], entry)
    kinds = _choices(info.annotation)
    if kinds and isinstance(value, str):
        return kinds.get(_plain(value), value)
    if get_origin(info.annotation) is tuple and isinstance(value, str):
        return [value]
    return value.strip() if isinstance(value, str) else value


def _entry(value: Any, model: type[BaseModel]) -> Any:
    if isinstance(value, str):
        return _from_label(value, model) or value
    return _object(value, model) if isinstance(value, dict) else value


def _from_label(value: str, model: type[BaseModel]) -> dict[str, str] | None:
    """Evidence that is given as a turn's label alone."""
    return {"turn": value.strip()} if "turn" in model.model_fields else None


def _without_unfit(entries: list[Any], model: type[BaseModel]) -> list[Any]:
    """Inner lists (evidence) lose what is no object, if something is left; outer ones are judged one by one later."""
    if "turn" not in model.model_fields:
        return entries
    fitting = [entry for entry in entries if isinstance(entry, dict) and isinstance(entry.get("turn"), str)]
    return fitting or entries


def _entry_type(annotation: Any) -> type[BaseModel] | None:
    annotation = _bare(annotation)
    if get_origin(annotation) is not tuple:
        return None
    inner = _bare(get_args(annotation)[0])
    return inner if isinstance(inner, type) and issubclass(inner, BaseModel) else None


def _choices(annotation: Any) -> dict[str, str]:
    """Members of a ``Literal`` of strings, by their plain spelling."""
    annotation = _bare(annotation)
    if get_origin(annotation) is not Literal:
        return {}
    return {_plain(member): member for member in get_args(annotation)}


def _bare(annotation: Any) -> Any:
    """The annotation without ``Annotated`` and without ``| None``."""
    if get_origin(annotation) is Annotated:
        return _bare(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        others = [choice for choice in get_args(annotation) if choice is not NoneType]
        return _bare(others[0]) if len(others) == 1 else annotation
    return annotation


def _plain(text: str) -> str:
    return text.strip().casefold().replace("-", "_").replace(" ", "_")
