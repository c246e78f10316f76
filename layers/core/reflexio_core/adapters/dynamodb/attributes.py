"""Items as DynamoDB attributes.

Names are short because each item pays for them. The body is one attribute: JSON text, or its zlib form as bytes when
that is smaller, so that four short turns and their envelope cost one kilobyte and not two.
"""

import zlib
from typing import Any

from reflexio_core.adapters.json_body import decode_body
from reflexio_core.ports.store import IndexKey, Item, Key, Scalar, SparseIndex

PARTITION = "p"
SORT = "s"
VERSION = "v"
EXPIRY = "x"
ATTRS = "a"
BODY = "b"
INDEX_ATTRIBUTES: dict[SparseIndex, tuple[str, str]] = {
    SparseIndex.DUE: ("dh", "ds"),
    SparseIndex.LISTING: ("lh", "ls"),
    SparseIndex.SESSION: ("sh", "ss"),
}

Attributes = dict[str, Any]

_SMALLEST_COMPRESSED = 200
"""Below this a write unit (1 KB) is never saved."""

_COMPRESSION_LEVEL = 6


def key_attributes(key: Key) -> Attributes:
    """The primary key."""
    return {PARTITION: {"S": key.pk}, SORT: {"S": key.sk}}


def read_key(attributes: Attributes) -> Key:
    """The key in an item, an index entry or a stream record."""
    return Key(attributes[PARTITION]["S"], attributes[SORT]["S"])


def to_attributes(item: Item, body: str) -> Attributes:
    """The whole item; ``body`` is its JSON text."""
    attributes = key_attributes(item.key)
    attributes[VERSION] = {"N": str(item.version)}
    attributes[BODY] = _pack(body)
    if item.expires_at is not None:
        attributes[EXPIRY] = {"N": str(item.expires_at)}
    if item.attrs:
        attributes[ATTRS] = {"M": {name: to_value(value) for name, value in item.attrs.items()}}
    for index, address in item.index.items():
        hash_name, sort_name = INDEX_ATTRIBUTES[index]
        attributes[hash_name] = {"S": address.hash}
        attributes[sort_name] = {"S": address.sort}
    return attributes


def from_attributes(attributes: Attributes) -> Item:
    """The item that ``to_attributes`` wrote."""
    index = {
        name: IndexKey(attributes[hash_name]["S"], attributes[sort_name]["S"])
        for name, (hash_name, sort_name) in INDEX_ATTRIBUTES.items()
        if hash_name in attributes
    }
    expiry = attributes.get(EXPIRY)
    return Item(
        key=read_key(attributes),
        body=decode_body(_unpack(attributes[BODY])),
        version=int(attributes[VERSION]["N"]),
        attrs={name: _from_value(value) for name, value in attributes.get(ATTRS, {"M": {}})["M"].items()},
        index=index,
        expires_at=int(expiry["N"]) if expiry else None,
    )


def to_value(value: Scalar) -> Attributes:
    """A scalar with its DynamoDB type."""
    if isinstance(value, bool):
        return {"BOOL": value}
    return {"N": str(value)} if isinstance(value, int) else {"S": value}


def _from_value(value: Attributes) -> Scalar:
    if "BOOL" in value:
        return bool(value["BOOL"])
    return int(value["N"]) if "N" in value else str(value["S"])


def _pack(body: str) -> Attributes:
    raw = body.encode()
    if len(raw) >= _SMALLEST_COMPRESSED:
        packed = zlib.compress(raw, _COMPRESSION_LEVEL)
        if len(packed) < len(raw):
            return {"B": packed}
    return {"S": body}


def _unpack(value: Attributes) -> str | bytes:
    return zlib.decompress(value["B"]) if "B" in value else str(value["S"])
