"""The adapters under contract, one parameter each, so that a test's id names its adapter."""

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from localstack.emulator import Emulator, shared_emulator
from reflexio_core.adapters.dynamodb import DynamoStore, create_table, dynamodb_client, streams_client
from reflexio_core.adapters.sqlite import SqliteStore
from reflexio_core.ports.store import Store
from tests.doubles.memory_store import MemoryStore

OpenStore = Callable[[], Store]
"""Opens one more store on the same data."""


@pytest.fixture(scope="session")
def emulator() -> Emulator:
    """A running AWS emulator."""
    return shared_emulator()


@pytest.fixture(params=["sqlite", "dynamodb", "memory"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenStore]:
    """Stores on one empty data set; closed at the end of the test."""
    stores: list[Store] = []
    make = _maker(request, tmp_path)

    def open_one() -> Store:
        stores.append(make())
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()


@pytest.fixture
def store(open_store: OpenStore) -> Store:
    """An empty store."""
    return open_store()


def _maker(request: pytest.FixtureRequest, tmp_path: Path) -> OpenStore:
    match request.param:
        case "sqlite":
            return lambda: SqliteStore(tmp_path / "store.db")
        case "dynamodb":
            emulator: Emulator = request.getfixturevalue("emulator")
            with pytest.MonkeyPatch.context() as environment:
                for name, value in emulator.environment.items():
                    environment.setenv(name, value)
                # Clients keep what they read from the environment, so they outlive this block.
                client, streams = dynamodb_client(), streams_client()
            table = f"contract-{uuid.uuid4().hex[:12]}"
            create_table(client, table)

            def close_clients() -> None:
                client.delete_table(TableName=table)
                client.close()
                streams.close()

            request.addfinalizer(close_clients)
            return lambda: DynamoStore(table, client, streams)
        case _:
            memory = MemoryStore()
            return lambda: memory
