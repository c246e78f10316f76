"""Items as rows, and the statements that write and select them."""

import json
from collections.abc import Sequence
from typing import Any

from reflexio_core.adapters.json_body import decode_body
from reflexio_core.ports.store import IndexKey, IndexQuery, Item, Key, PartitionQuery, Scalar, SparseIndex

COLUMNS = (
    "pk, sk, version, expires_at, attrs, body, "
    "due_hash, due_sort, listing_hash, listing_sort, session_hash, session_sort"
)

UPSERT = """
    INSERT INTO items (
        pk, sk, version, expires_at, attrs, body,
        due_hash, due_sort, listing_hash, listing_sort, session_hash, session_sort
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (pk, sk) DO UPDATE SET
        version = excluded.version, expires_at = excluded.expires_at, attrs = excluded.attrs, body = excluded.body,
        due_hash = excluded.due_hash, due_sort = excluded.due_sort,
        listing_hash = excluded.listing_hash, listing_sort = excluded.listing_sort,
        session_hash = excluded.session_hash, session_sort = excluded.session_sort
"""

_INDEX_ORDER = (SparseIndex.DUE, SparseIndex.LISTING, SparseIndex.SESSION)
_FIRST_INDEX_COLUMN = 6

Row = tuple[Any, ...]
Statement = tuple[str, list[Any]]


def to_row(item: Item, body: str) -> Row:
    """The values of ``UPSERT``."""
    row: list[Any] = [item.key.pk, item.key.sk, item.version, item.expires_at, encode_attrs(item), body]
    for index in _INDEX_ORDER:
        address = item.index.get(index)
        row += [address.hash, address.sort] if address else [None, None]
    return tuple(row)


def from_row(row: Row) -> Item:
    """The item of a row of ``COLUMNS``."""
    index: dict[SparseIndex, IndexKey] = {}
    for position, name in enumerate(_INDEX_ORDER):
        at = _FIRST_INDEX_COLUMN + 2 * position
        if row[at] is not None:
            index[name] = IndexKey(row[at], row[at + 1])
    return Item(
        key=Key(row[0], row[1]),
        body=decode_body(row[5]),
        version=row[2],
        attrs=decode_attrs(row[4]),
        index=index,
        expires_at=row[3],
    )


def encode_attrs(item: Item) -> str:
    """The attributes as JSON text."""
    return json.dumps(dict(item.attrs)) if item.attrs else "{}"


def decode_attrs(text: str) -> dict[str, Scalar]:
    """The attributes of a row."""
    attrs: dict[str, Scalar] = json.loads(text)
    return attrs


def select_keys(keys: Sequence[Key]) -> Statement:
    """Select the rows with these keys, each by a look-up: SQLite scans the table for a list of row values."""
    wanted = ", ".join(["(?, ?)"] * len(keys))
    columns = ", ".join(f"items.{column}" for column in COLUMNS.split(", "))
    sql = (
        f"WITH wanted (pk, sk) AS (VALUES {wanted}) SELECT {columns} FROM wanted "  # noqa: S608 - constants and "?" only
        "CROSS JOIN items ON items.pk = wanted.pk AND items.sk = wanted.sk"
    )
    return sql, [part for key in keys for part in (key.pk, key.sk)]


def select_partition(query: PartitionQuery, place: tuple[str, ...] | None) -> Statement:
    """Select one row more than a page of a partition, behind ``place`` (sk) if there is one."""
    return _select_range(query, "pk", ("sk",), query.pk, place)


def select_index(query: IndexQuery, place: tuple[str, ...] | None) -> Statement:
    """Select one row more than a page of a sparse index, behind ``place`` (sort, pk, sk) if there is one."""
    name = SparseIndex(query.index).value
    return _select_range(query, f"{name}_hash", (f"{name}_sort", "pk", "sk"), query.hash, place)


def _select_range(
    query: PartitionQuery | IndexQuery, within: str, order: tuple[str, ...], value: str, place: tuple[str, ...] | None
) -> Statement:
    values = [value, query.after, query.before]
    behind = ""
    if place is not None:
        behind = f"AND ({', '.join(order)}) {'<' if query.reverse else '>'} ({', '.join('?' * len(order))})"
        values += place
    direction = "DESC" if query.reverse else "ASC"
    sql = (
        f"SELECT {COLUMNS} FROM items "  # noqa: S608 - column names come from constants and an enum
        f"WHERE {within} = ? AND {order[0]} >= ? AND {order[0]} < ? {behind} "
        f"ORDER BY {', '.join(f'{column} {direction}' for column in order)} LIMIT ?"
    )
    return sql, [*values, query.limit + 1]
