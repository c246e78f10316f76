"""An index filter as SQL over the columns of a document."""

from collections.abc import Sequence

from reflexio_core.adapters.sqlite_index.schema import FIELDS
from reflexio_core.errors import IndexUnavailable
from reflexio_core.ports.index import IndexFilter

Sql = tuple[str, list[object]]


def where(condition: IndexFilter) -> Sql:
    """The WHERE clause (without the word) and its parameters, over the table alias ``d``."""
    clauses = ["d.tenant = ?", "d.kind = ?", "d.expires_at > ?"]
    parameters: list[object] = [condition.tenant, condition.kind.value, condition.now]
    if condition.user_id is not None:
        clauses.append("d.user_id = ?")
        parameters.append(condition.user_id)
    for name, value in condition.equals.items():
        clauses.append(f"d.{_column(name)} = ?")
        parameters.append(value)
    for name, values in condition.any_of.items():
        clauses.append(f"d.{_column(name)} IN ({_marks(values)})")
        parameters.extend(values)
    if condition.tags:
        marks = _marks(condition.tags)
        clauses.append(f"EXISTS (SELECT 1 FROM json_each(d.tags) t WHERE t.value IN ({marks}))")  # noqa: S608
        parameters.extend(condition.tags)
    if condition.start is not None:
        clauses.append("d.time >= ?")
        parameters.append(condition.start)
    if condition.end is not None:
        clauses.append("d.time < ?")
        parameters.append(condition.end)
    if condition.exclude_ids:
        clauses.append(f"d.id NOT IN ({_marks(condition.exclude_ids)})")
        parameters.extend(condition.exclude_ids)
    return " AND ".join(clauses), parameters


def _column(name: str) -> str:
    if name not in FIELDS:
        raise IndexUnavailable(f"there is no search filter named {name!r}")
    return name


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
