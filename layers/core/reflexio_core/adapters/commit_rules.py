"""What every store refuses before it writes, so that a commit fits one exactly if it fits the others."""

from collections.abc import Sequence

from reflexio_core.adapters.json_body import encode_body
from reflexio_core.errors import InvalidInput, ItemTooLarge
from reflexio_core.ports.store import (
    MAX_BYTES_PER_COMMIT,
    MAX_ITEM_BYTES,
    MAX_ITEMS_PER_COMMIT,
    IndexQuery,
    Item,
    Key,
    Operation,
    PartitionQuery,
    Put,
)

MAX_KEY_BYTES = 1024
"""DynamoDB's limit for a sort key; partition and index keys keep to it too."""

MAX_INTEGER = 2**63 - 1
"""SQLite's limit. DynamoDB would take 38 digits."""

_SCALAR_BYTES = 8


def encode_commit(operations: Sequence[Operation]) -> list[str]:
    """Check a commit and return the JSON body of each operation; the empty string for those that write no item.

    Sizes are those of the uncompressed item, so that no store accepts what another refuses.

    Raises:
        InvalidInput: An empty or oversized key, two operations on one key, or a body that is not JSON.
        ItemTooLarge: Over ``MAX_ITEMS_PER_COMMIT``, ``MAX_ITEM_BYTES`` or ``MAX_BYTES_PER_COMMIT``.
    """
    if len(operations) > MAX_ITEMS_PER_COMMIT:
        raise ItemTooLarge(f"a commit takes {MAX_ITEMS_PER_COMMIT} operations, not {len(operations)}")
    bodies: list[str] = []
    seen: set[Key] = set()
    total = 0
    for operation in operations:
        key = operation.item.key if isinstance(operation, Put) else operation.key
        check_key(key)
        if key in seen:
            raise InvalidInput("operations", f"two operations of one commit name the item {key.sk!r}")
        seen.add(key)
        if not isinstance(operation, Put):
            bodies.append("")
            continue
        body = encode_body(operation.item.body)
        size = _item_bytes(operation.item, body)
        if size > MAX_ITEM_BYTES:
            raise ItemTooLarge(f"item {key.sk!r} has {size} bytes; an item takes {MAX_ITEM_BYTES}")
        total += size
        bodies.append(body)
    if total > MAX_BYTES_PER_COMMIT:
        raise ItemTooLarge(f"a commit takes {MAX_BYTES_PER_COMMIT} bytes, not {total}")
    return bodies


def check_key(key: Key) -> None:
    """Raise ``InvalidInput`` unless both parts are non-empty text of at most ``MAX_KEY_BYTES``."""
    _check_key_part("pk", key.pk)
    _check_key_part("sk", key.sk)


def check_query(query: PartitionQuery | IndexQuery) -> None:
    """Raise ``InvalidInput`` unless the query names a place, has bounds in UTF-8 and asks for at least one row."""
    if query.limit < 1:
        raise InvalidInput("limit", f"a page holds at least one row, not {query.limit}")
    if isinstance(query, PartitionQuery):
        _check_key_part("pk", query.pk)
    else:
        _check_key_part("hash", query.hash)
    for field, bound in (("after", query.after), ("before", query.before)):
        if _utf8_length(field, bound) > MAX_KEY_BYTES:
            raise InvalidInput(field, f"a bound has at most {MAX_KEY_BYTES} bytes")


def _item_bytes(item: Item, body: str) -> int:
    if not 0 <= item.version <= MAX_INTEGER:
        raise InvalidInput("version", f"a version lies between 0 and {MAX_INTEGER}, not {item.version}")
    if item.expires_at is not None and not 0 <= item.expires_at <= MAX_INTEGER:
        raise InvalidInput("expires_at", f"an expiry lies between 0 and {MAX_INTEGER}, not {item.expires_at}")
    size = _utf8_length("key", item.key.pk) + _utf8_length("key", item.key.sk) + _utf8_length("body", body)
    for name, value in item.attrs.items():
        size += _utf8_length("attrs", name)
        size += _utf8_length(f"attrs.{name}", value) if isinstance(value, str) else _SCALAR_BYTES
    for index, address in item.index.items():
        size += _check_key_part(f"index.{index}.hash", address.hash)
        size += _check_key_part(f"index.{index}.sort", address.sort)
    return size


def _check_key_part(field: str, text: str) -> int:
    size = _utf8_length(field, text)
    if not 0 < size <= MAX_KEY_BYTES:
        raise InvalidInput(field, f"a key has 1 to {MAX_KEY_BYTES} bytes, not {size}")
    return size


def _utf8_length(field: str, text: str) -> int:
    """Bytes of the text in UTF-8; raises ``InvalidInput`` if it has no such form (lone surrogates)."""
    if text.isascii():
        return len(text)
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        raise InvalidInput(field, "the text holds a surrogate without its pair") from error
