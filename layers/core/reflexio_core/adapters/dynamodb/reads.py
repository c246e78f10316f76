"""Batch reads and range reads, over as many calls as the service's answer limits need."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from reflexio_core.adapters.dynamodb.attributes import Attributes, from_attributes, key_attributes
from reflexio_core.adapters.dynamodb.requests import Request
from reflexio_core.adapters.dynamodb.retry import RetryPolicy, call
from reflexio_core.errors import StoreUnavailable
from reflexio_core.ports.store import Item, Key

KEYS_PER_CALL = 100


def read_batch(client: Any, table: str, policy: RetryPolicy, keys: Sequence[Key]) -> dict[Key, Item]:
    """Those of the distinct keys that exist, read consistently.

    A call leaves keys unprocessed when its answer reaches 16 MB or the table is throttled. As long as some are
    answered, the rest is asked again; without progress the policy's attempts apply.
    """
    found: dict[Key, Item] = {}
    for start in range(0, len(keys), KEYS_PER_CALL):
        pending: list[Attributes] = [key_attributes(key) for key in keys[start : start + KEYS_PER_CALL]]
        stalled = 0
        while pending:
            request = {table: {"Keys": pending, "ConsistentRead": True}}
            answer = call(policy, "batch_get", partial(client.batch_get_item, RequestItems=request))
            for attributes in answer["Responses"].get(table, ()):
                item = from_attributes(attributes)
                found[item.key] = item
            left = answer.get("UnprocessedKeys", {}).get(table, {}).get("Keys", [])
            stalled = 0 if len(left) < len(pending) else stalled + 1
            if stalled >= policy.attempts:
                raise StoreUnavailable(f"batch_get: {len(left)} keys stayed unanswered after {stalled} attempts")
            if left:
                policy.wait(stalled + 1)
            pending = left
    return found


def read_range(
    client: Any, policy: RetryPolicy, request: Request, sort_name: str, before: str, wanted: int
) -> list[Attributes]:
    """Up to ``wanted`` rows of a range, without those at its exclusive upper bound."""
    rows: list[Attributes] = []
    while True:
        answer = call(policy, "query", partial(client.query, **request))
        rows += [row for row in answer["Items"] if row[sort_name]["S"] != before]
        last = answer.get("LastEvaluatedKey")
        if len(rows) >= wanted or not last:
            return rows[:wanted]
        request = {**request, "ExclusiveStartKey": last}
