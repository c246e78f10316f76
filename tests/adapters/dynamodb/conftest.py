"""A real client on the emulator, for failures that happen around a call and not inside it."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from localstack.emulator import shared_emulator
from reflexio_core.adapters.dynamodb import create_table, dynamodb_client

TABLE = f"failures-{uuid.uuid4().hex[:12]}"


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """A client whose ``TABLE`` exists."""
    with pytest.MonkeyPatch.context() as environment:
        for name, value in shared_emulator().environment.items():
            environment.setenv(name, value)
        client = dynamodb_client()
    create_table(client, TABLE)
    yield client
    client.delete_table(TableName=TABLE)
    client.close()
