"""Every kind of failure at every call: retried when it passes, named when it does not."""

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import (
    ConnectionClosedError,
    ConnectTimeoutError,
    EndpointConnectionError,
    NoCredentialsError,
    ReadTimeoutError,
)

from reflexio_core.adapters.dynamodb import DynamoStore, RetryPolicy
from reflexio_core.errors import ConditionFailed, ItemTooLarge, StoreError, StoreUnavailable
from reflexio_core.ports.store import Absent, Delete, IndexQuery, Item, Key, PartitionQuery, Put, SparseIndex
from tests.adapters.dynamodb.stubs import Answer, ScriptedClient, Waits, cancelled, client_error

KEY = Key("p", "a")
ITEM = Item(KEY, {"n": 1})
URL = "http://127.0.0.1:1"

PASSING: list[Exception] = [
    client_error("ProvisionedThroughputExceededException"),
    client_error("ThrottlingException"),
    client_error("RequestLimitExceeded"),
    client_error("TransactionConflictException"),
    client_error("TransactionInProgressException"),
    client_error("LimitExceededException"),
    client_error("InternalServerError", status=500),
    client_error("ServiceUnavailable", status=503),
    client_error("UnheardOf", status=502),
    ConnectTimeoutError(endpoint_url=URL),
    ReadTimeoutError(endpoint_url=URL),
    ConnectionClosedError(endpoint_url=URL),
    EndpointConnectionError(endpoint_url=URL),
]

STREAM = {"Table": {"LatestStreamArn": "arn"}}
SHARDS = {"StreamDescription": {"Shards": [{"ShardId": "s"}]}}
NO_RECORDS: dict[str, Any] = {"Records": []}

Use = Callable[[DynamoStore], object]

CALLS: dict[str, tuple[str, Use]] = {
    "get": ("get_item", lambda store: store.get(KEY)),
    "batch_get": ("batch_get_item", lambda store: store.batch_get([KEY])),
    "query": ("query", lambda store: store.query(PartitionQuery("p", "", "z", 5))),
    "query_index": ("query", lambda store: store.query_index(IndexQuery(SparseIndex.DUE, "h", "", "z", 5))),
    "put": ("put_item", lambda store: store.commit([Put(ITEM)])),
    "delete": ("delete_item", lambda store: store.commit([Delete(KEY)])),
    "conditional": ("transact_write_items", lambda store: store.commit([Put(ITEM, Absent())])),
    "transaction": ("transact_write_items", lambda store: store.commit([Put(ITEM), Delete(Key("p", "b"))])),
    "changes: table": ("describe_table", lambda store: store.changes(None, 5)),
    "changes: shards": ("describe_stream", lambda store: store.changes(None, 5)),
    "changes: iterator": ("get_shard_iterator", lambda store: store.changes(None, 5)),
    "changes: records": ("get_records", lambda store: store.changes(None, 5)),
}


def _answers() -> dict[str, list[Answer]]:
    """One good answer a method."""
    return {
        "get_item": [{}],
        "batch_get_item": [{"Responses": {"t": []}}],
        "query": [{"Items": []}],
        "put_item": [{}],
        "delete_item": [{}],
        "transact_write_items": [{}],
        "describe_table": [STREAM],
        "describe_stream": [SHARDS],
        # One more: reading records again asks for its iterator again.
        "get_shard_iterator": [{"ShardIterator": "i"}] * 9,
        "get_records": [NO_RECORDS],
    }


def _store(failures: list[Answer], method: str, waits: Waits) -> tuple[DynamoStore, ScriptedClient]:
    answers = _answers()
    answers[method] = failures + answers[method]
    client = ScriptedClient(**answers)
    return DynamoStore("t", client, client, retry=waits.policy), client


@pytest.mark.parametrize("failure", PASSING, ids=lambda failure: str(failure)[:60])
@pytest.mark.parametrize("name", CALLS)
def test_a_passing_failure_is_retried(name: str, failure: Exception) -> None:
    method, use = CALLS[name]
    waits = Waits()
    store, client = _store([failure, failure], method, waits)
    use(store)
    assert len(waits.seconds) == 2
    assert len(client.parameters(method)) >= 3


@pytest.mark.parametrize("failure", PASSING, ids=lambda failure: str(failure)[:60])
@pytest.mark.parametrize("name", CALLS)
def test_a_failure_that_stays_is_unavailable_after_bounded_attempts(name: str, failure: Exception) -> None:
    method, use = CALLS[name]
    waits = Waits(attempts=3)
    store, client = _store([failure] * 3, method, waits)
    with pytest.raises(StoreUnavailable, match="3 attempts"):
        use(store)
    assert len(client.parameters(method)) == 3
    assert len(waits.seconds) == 2


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (client_error("ValidationException", "Value of :x is wrong"), StoreError),
        (client_error("ValidationException", "Item size has exceeded the maximum allowed size"), ItemTooLarge),
        (client_error("ResourceNotFoundException", "table not found"), StoreUnavailable),
        (client_error("AccessDeniedException", "not authorised"), StoreUnavailable),
        (client_error("UnrecognizedClientException", "bad token"), StoreUnavailable),
        (client_error("ExpiredTokenException", "expired"), StoreUnavailable),
        (NoCredentialsError(), StoreUnavailable),
    ],
)
@pytest.mark.parametrize("name", CALLS)
def test_a_lasting_failure_is_named_at_once(name: str, failure: Exception, error: type[StoreError]) -> None:
    method, use = CALLS[name]
    waits = Waits()
    store, client = _store([failure], method, waits)
    with pytest.raises(error) as found:
        use(store)
    assert type(found.value) is error
    assert waits.seconds == []
    assert len(client.parameters(method)) == 1


@pytest.mark.parametrize(
    "reason",
    [
        "TransactionConflict",
        "ThrottlingError",
        "ProvisionedThroughputExceeded",
        "RequestLimitExceeded",
        "InternalServerError",
    ],
)
def test_a_transaction_that_lost_is_retried_with_its_token(reason: str) -> None:
    waits = Waits()
    store, client = _store([cancelled("None", reason), cancelled(reason, "None")], "transact_write_items", waits)
    store.commit([Put(ITEM, Absent()), Delete(Key("p", "b"))])
    sent = client.parameters("transact_write_items")
    assert len(sent) == 3
    assert len({call["ClientRequestToken"] for call in sent}) == 1
    assert sent[0] == sent[2]


def test_each_commit_has_a_token_of_its_own() -> None:
    client = ScriptedClient(transact_write_items=[{}, {}])
    store = DynamoStore("t", client, client)
    for _ in range(2):
        store.commit([Put(ITEM, Absent())])
    assert len({call["ClientRequestToken"] for call in client.parameters("transact_write_items")}) == 2


@pytest.mark.parametrize(
    ("reasons", "positions"),
    [
        (["ConditionalCheckFailed", "None"], (0,)),
        (["None", "ConditionalCheckFailed"], (1,)),
        (["TransactionConflict", "ConditionalCheckFailed"], (1,)),
        (["ConditionalCheckFailed", "ThrottlingError"], (0,)),
        (["ConditionalCheckFailed", "ConditionalCheckFailed"], (0, 1)),
    ],
)
def test_a_failed_condition_is_told_apart_from_what_passes(reasons: list[str], positions: tuple[int, ...]) -> None:
    waits = Waits()
    store, client = _store([cancelled(*reasons)], "transact_write_items", waits)
    with pytest.raises(ConditionFailed) as failure:
        store.commit([Put(ITEM, Absent()), Delete(Key("p", "b"), Absent())])
    assert failure.value.positions == positions
    assert len(client.calls) == 1
    assert waits.seconds == []


@pytest.mark.parametrize(
    ("reason", "error"), [("ValidationError", StoreError), ("ItemCollectionSizeLimitExceeded", ItemTooLarge)]
)
def test_other_reasons_are_not_retried(reason: str, error: type[StoreError]) -> None:
    waits = Waits()
    store, client = _store([cancelled("None", reason)], "transact_write_items", waits)
    with pytest.raises(error) as failure:
        store.commit([Put(ITEM), Delete(Key("p", "b"))])
    assert type(failure.value) is error
    assert len(client.calls) == 1


def test_waits_double_up_to_their_cap() -> None:
    waits = Waits(attempts=7, base_seconds=0.1, cap_seconds=1.0)
    store, _ = _store([client_error("ThrottlingException")] * 6, "get_item", waits)
    store.get(KEY)
    assert waits.seconds == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.0, 1.0])


def test_waits_are_spread_between_nothing_and_their_ceiling() -> None:
    seconds: list[float] = []
    policy = RetryPolicy(base_seconds=1.0, cap_seconds=1.0, pause=seconds.append)
    for _ in range(200):
        policy.wait(1)
    assert all(0.0 <= wait <= 1.0 for wait in seconds)
    assert min(seconds) < 0.2
    assert max(seconds) > 0.8


def test_retries_end_at_the_deadline() -> None:
    now = [0.0]

    def monotonic() -> float:
        now[0] += 5.0
        return now[0]

    waits = Waits(attempts=100, deadline_seconds=12.0, monotonic=monotonic)
    store, client = _store([client_error("ThrottlingException")] * 100, "get_item", waits)
    with pytest.raises(StoreUnavailable):
        store.get(KEY)
    assert len(client.calls) == 3


def test_a_table_without_a_stream_is_named() -> None:
    client = ScriptedClient(describe_table=[{"Table": {}}])
    with pytest.raises(StoreUnavailable, match="table t has no stream"):
        DynamoStore("t", client, client).changes(None, 5)
