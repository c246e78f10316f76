"""An index filter as SQL over the columns of a document."""

import json
from collections.abc import Iterable

from reflexio_core.ports.index import FILTER_FIELDS, IndexFilter

Sql = tuple[str, list[object]]


def where(condition: IndexFilter) -> Sql:
    """The WHERE clause (without the word) and its parameters, over the table alias ``d``."""
    clauses, parameters = _scope(condition)
    clauses.append("d.expires_at > ?")
    parameters.append(condition.now)
    for name, value in condition.equals.items():
        clauses.append(f"d.{checked(name)} = ?")
        parameters.append(storable(value))
    for name, values in condition.any_of.items():
        clauses.append(f"d.{checked(name)} IN (SELECT value FROM json_each(?))")  # noqa: S608 - a column of ours
        parameters.append(_array(values))
    for name, text in condition.contains.items():
        clauses.append(f"instr(d.{checked(name)}, ?) > 0")
        parameters.append(storable(text))
    if condition.tags:
        clauses.append("EXISTS (SELECT 1 FROM json_each(d.tags) t WHERE t.value IN (SELECT value FROM json_each(?)))")
        parameters.append(_array(condition.tags))
    if condition.start is not None:
        clauses.append("d.time >= ?")
        parameters.append(condition.start)
    if condition.end is not None:
        clauses.append("d.time < ?")
        parameters.append(condition.end)
    if condition.exclude_ids:
        clauses.append("d.id NOT IN (SELECT value FROM json_each(?))")
        parameters.append(_array(condition.exclude_ids))
    return " AND ".join(clauses), parameters


def scope(condition: IndexFilter) -> Sql:
    """Only the tenant, kind and user of a filter, as ``where`` gives them."""
    clauses, parameters = _scope(condition)
    return " AND ".join(clauses), parameters


def checked(name: str) -> str:
    """The column of a field. Raises ``ValueError`` for a name that is none."""
    if name not in FILTER_FIELDS:
        raise ValueError(f"there is no search filter named {name!r}")
    return name


def storable(text: str) -> str:
    """Text as SQLite can hold it: NUL would end it, and half a surrogate pair is not UTF-8."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()


def _scope(condition: IndexFilter) -> tuple[list[str], list[object]]:
    clauses = ["d.deleted = 0", "d.tenant = ?", "d.kind = ?"]
    parameters: list[object] = [condition.tenant, condition.kind.value]
    if condition.user_id is not None:
        clauses.append("d.user_id = ?")
        parameters.append(condition.user_id)
    return clauses, parameters


def _array(values: Iterable[str]) -> str:
    return json.dumps([storable(value) for value in values])
