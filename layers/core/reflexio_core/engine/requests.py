"""Requests with their turns, wherever those lie: in the item, or in a blob when they do not fit."""

import hashlib
import json
import zlib
from collections.abc import Iterator
from dataclasses import replace

from reflexio_core.domain.records import RequestRecord, StoredTurn
from reflexio_core.engine.context import Engine
from reflexio_core.errors import StoreUnavailable
from reflexio_core.ports.store import Item, Page, PartitionQuery

INLINE_BYTES = 300_000
"""Turns beyond this many bytes of JSON go to a blob; the item keeps the manifest."""


def move_large_turns(engine: Engine, tenant: str, record: RequestRecord) -> RequestRecord:
    """The record as it fits an item. Writes a blob, named by its content, when the turns are too large."""
    turns = json.dumps(record.body().get("turns", [])).encode()
    if len(turns) <= INLINE_BYTES:
        return record
    digest = hashlib.sha256(record.request_id.encode() + b"\0" + turns).hexdigest()
    name = engine.keys(tenant).blob(record.user_id, digest)
    engine.blobs.put(name, zlib.compress(turns, 1))
    return record.model_copy(update={"turns": (), "blob": name})


def load_request(engine: Engine, item: Item) -> RequestRecord:
    """The request that an item holds, with its turns. Raises ``StoreUnavailable`` if its blob cannot be read."""
    record = RequestRecord.of(item)
    if not record.blob:
        return record
    data = engine.blobs.get(record.blob)
    if data is None:
        raise StoreUnavailable(f"the turns of request {record.request_id!r} cannot be read from the blob store")
    turns = tuple(StoredTurn.model_validate(turn) for turn in json.loads(zlib.decompress(data)))
    return record.model_copy(update={"turns": tuple(turn for turn in turns if turn.seq not in record.gone)})


def pages(engine: Engine, query: PartitionQuery) -> Iterator[Item]:
    """Every item of a query, page by page."""
    while True:
        page: Page = engine.store.query(query)
        yield from page.items
        if page.token is None:
            return
        query = replace(query, token=page.token)
