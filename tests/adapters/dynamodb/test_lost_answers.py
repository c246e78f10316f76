"""A commit whose answer was lost on the way is committed once, and its retry says so."""

from typing import Any

import pytest
from botocore.exceptions import ConnectionClosedError, ReadTimeoutError

from reflexio_core.adapters.dynamodb import DynamoStore
from reflexio_core.errors import ConditionFailed
from reflexio_core.ports.store import Absent, Check, Delete, Item, Key, Operation, Put, VersionIs
from tests.adapters.dynamodb.conftest import TABLE
from tests.adapters.dynamodb.stubs import LosingClient, Waits, client_error

LOSSES = [
    ReadTimeoutError(endpoint_url="http://127.0.0.1:1"),
    ConnectionClosedError(endpoint_url="http://127.0.0.1:1"),
    client_error("InternalServerError", status=500),
]


def _item(sk: str, version: int = 1) -> Item:
    return Item(Key("lost", sk), {"n": version}, version)


@pytest.fixture
def store(client: Any) -> DynamoStore:
    """A store that loses nothing, with ``old`` in its first version."""
    store = DynamoStore(TABLE, client, client)
    store.commit([Put(_item("old")), Delete(Key("lost", "new")), Delete(Key("lost", "second"))])
    return store


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: type(loss).__name__)
@pytest.mark.parametrize("lost", [1, 2])
@pytest.mark.parametrize(
    "operations",
    [
        [Put(_item("new"), Absent())],
        [Put(_item("old", 2), VersionIs(1))],
        [Delete(Key("lost", "old"), VersionIs(1))],
        [Put(_item("new"), Absent()), Put(_item("old", 2), VersionIs(1)), Check(Key("lost", "second"), Absent())],
        [Put(_item("new"))],
        [Delete(Key("lost", "old"))],
    ],
)
def test_a_retry_after_a_lost_answer_reports_success(
    client: Any, store: DynamoStore, operations: list[Operation], lost: int, loss: Exception
) -> None:
    losing = LosingClient(client, lost, loss)
    DynamoStore(TABLE, losing, client, retry=Waits().policy).commit(operations)
    for operation in operations:
        if isinstance(operation, Put):
            assert store.get(operation.item.key) == operation.item
        elif isinstance(operation, Delete):
            assert store.get(operation.key) is None


def test_a_condition_that_never_held_fails_after_a_lost_answer_too(client: Any, store: DynamoStore) -> None:
    class LosingBefore:
        """Loses the first request on its way to the service."""

        def __init__(self) -> None:
            self.failed = False

        def transact_write_items(self, **parameters: Any) -> Any:
            if not self.failed:
                self.failed = True
                raise LOSSES[0]
            return client.transact_write_items(**parameters)

    with pytest.raises(ConditionFailed) as failure:
        DynamoStore(TABLE, LosingBefore(), client, retry=Waits().policy).commit(
            [Put(_item("new"), Absent()), Put(_item("old", 2), VersionIs(9))]
        )
    assert failure.value.positions == (1,)
    assert store.get(Key("lost", "new")) is None
