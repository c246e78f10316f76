"""The Store port on one DynamoDB table."""

import uuid
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from reflexio_core.adapters.commit_rules import check_key, check_query, encode_commit
from reflexio_core.adapters.dynamodb import clients
from reflexio_core.adapters.dynamodb.attributes import (
    INDEX_ATTRIBUTES,
    SORT,
    from_attributes,
    key_attributes,
    read_key,
)
from reflexio_core.adapters.dynamodb.feed import StreamFeed
from reflexio_core.adapters.dynamodb.reads import read_batch, read_range
from reflexio_core.adapters.dynamodb.requests import Request, index_request, partition_request, write_request
from reflexio_core.adapters.dynamodb.retry import RetryPolicy, call
from reflexio_core.adapters.page_token import make_token, read_token
from reflexio_core.ports.store import (
    ChangePage,
    IndexKey,
    IndexQuery,
    Item,
    Key,
    Operation,
    Page,
    PartitionQuery,
    SparseIndex,
)


class DynamoStore:
    """See ``ports.store.Store``. The table must exist (``table.create_table``, or the template's).

    Clients are made from the environment unless given; the store closes only those that it made. A client that is
    given must not retry by itself (``clients.dynamodb_client`` does not).
    """

    def __init__(
        self,
        table_name: str,
        client: Any = None,
        streams_client: Any = None,
        *,
        retry: RetryPolicy | None = None,
    ) -> None:
        self._table = table_name
        self._retry = retry or RetryPolicy()
        self._own: list[Any] = []
        self._client = client or self._keep(clients.dynamodb_client())
        streams = streams_client or self._keep(clients.streams_client())
        self._feed = StreamFeed(self._client, streams, table_name, self._retry)

    def get(self, key: Key) -> Item | None:
        """The item, read after every finished commit, or None."""
        check_key(key)
        answer = call(
            self._retry,
            "get",
            partial(self._client.get_item, TableName=self._table, Key=key_attributes(key), ConsistentRead=True),
        )
        attributes = answer.get("Item")
        return from_attributes(attributes) if attributes else None

    def batch_get(self, keys: Sequence[Key]) -> dict[Key, Item]:
        """Those of the keys that exist."""
        wanted = list(dict.fromkeys(keys))
        for key in wanted:
            check_key(key)
        return read_batch(self._client, self._table, self._retry, wanted)

    def query(self, query: PartitionQuery) -> Page:
        """One page of a partition."""
        check_query(query)
        place = read_token(query)
        if query.after >= query.before:
            return Page((), None)
        request = partition_request(self._table, query, place)
        rows = read_range(self._client, self._retry, request, SORT, query.before, query.limit + 1)
        items = tuple(from_attributes(row) for row in rows[: query.limit])
        return Page(items, make_token(query, (items[-1].key.sk,)) if len(rows) > query.limit else None)

    def query_index(self, query: IndexQuery) -> Page:
        """One page of a sparse index: keys from the index, then the items as they are now.

        An item that left its place in the index since then is left out, so a page may be short.
        """
        check_query(query)
        place = read_token(query)
        if query.after >= query.before:
            return Page((), None)
        index = SparseIndex(query.index)
        sort_name = INDEX_ATTRIBUTES[index][1]
        request = index_request(self._table, query, place)
        rows = read_range(self._client, self._retry, request, sort_name, query.before, query.limit + 1)
        entries = [(read_key(row), row[sort_name]["S"]) for row in rows[: query.limit]]
        found = read_batch(self._client, self._table, self._retry, [key for key, _ in entries])
        items = tuple(
            found[key]
            for key, sort in entries
            if key in found and found[key].index.get(index) == IndexKey(query.hash, sort)
        )
        if len(rows) <= query.limit:
            return Page(items, None)
        key, sort = entries[-1]
        return Page(items, make_token(query, (sort, key.pk, key.sk)))

    def commit(self, operations: Sequence[Operation]) -> None:
        """Apply all operations or none, durably, before returning.

        Everything with a condition is a transaction, even a single operation: only a transaction carries a token
        that lets a retry after a lost answer find its own first attempt instead of a condition that no longer holds.
        """
        bodies = encode_commit(operations)
        writes = [
            write_request(self._table, operation, body) for operation, body in zip(operations, bodies, strict=True)
        ]
        if not writes:
            return
        if len(writes) == 1 and operations[0].when is None:
            call(self._retry, "commit", self._single(writes[0]))
            return
        token = str(uuid.uuid4())
        call(
            self._retry,
            "commit",
            partial(self._client.transact_write_items, TransactItems=writes, ClientRequestToken=token),
        )

    def changes(self, position: str | None, limit: int) -> ChangePage:
        """Keys touched since ``position``, oldest first for each key; see ``StreamFeed``."""
        return self._feed.read(position, limit)

    def close(self) -> None:
        """Release the connections of the clients that the store made."""
        while self._own:
            self._own.pop().close()

    def _single(self, write: Request) -> Callable[[], Any]:
        if "Put" in write:
            return partial(self._client.put_item, **write["Put"])
        return partial(self._client.delete_item, **write["Delete"])

    def _keep(self, client: Any) -> Any:
        self._own.append(client)
        return client
