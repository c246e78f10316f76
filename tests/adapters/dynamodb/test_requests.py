"""What is sent: consistent reads, full batches, small items, one place that retries."""

import random
import string
import subprocess
import sys
from typing import Any

import pytest

from reflexio_core.adapters.dynamodb import DynamoStore, clients
from reflexio_core.adapters.dynamodb.attributes import from_attributes, to_attributes
from reflexio_core.adapters.json_body import encode_body
from reflexio_core.errors import StoreUnavailable
from reflexio_core.ports.store import IndexKey, IndexQuery, Item, Key, PartitionQuery, SparseIndex
from tests.adapters.dynamodb.conftest import TABLE
from tests.adapters.dynamodb.stubs import ScriptedClient, Waits


def _stored(sk: str, sort: str | None = None) -> dict[str, Any]:
    index = {SparseIndex.DUE: IndexKey("h", sort)} if sort else {}
    item = Item(Key("p", sk), {}, index=index)
    return to_attributes(item, encode_body(item.body))


def _entry(sk: str, sort: str) -> dict[str, Any]:
    return {"p": {"S": "p"}, "s": {"S": sk}, "dh": {"S": "h"}, "ds": {"S": sort}}


def _keys(request: dict[str, Any]) -> list[str]:
    return [key["s"]["S"] for key in request["RequestItems"]["t"]["Keys"]]


def test_reads_of_items_are_consistent() -> None:
    client = ScriptedClient(
        get_item=[{}], batch_get_item=[{"Responses": {"t": []}}], query=[{"Items": []}, {"Items": []}]
    )
    store = DynamoStore("t", client, client)
    store.get(Key("p", "a"))
    store.batch_get([Key("p", "a")])
    store.query(PartitionQuery("p", "", "z", 5))
    store.query_index(IndexQuery(SparseIndex.DUE, "h", "", "z", 5))
    assert client.parameters("get_item")[0]["ConsistentRead"] is True
    assert client.parameters("batch_get_item")[0]["RequestItems"]["t"]["ConsistentRead"] is True
    assert client.parameters("query")[0]["ConsistentRead"] is True
    assert "ConsistentRead" not in client.parameters("query")[1]  # the service refuses it on an index


def test_a_batch_is_split_into_hundreds() -> None:
    client = ScriptedClient(batch_get_item=[{"Responses": {"t": []}}] * 3)
    keys = [Key("p", f"{n:03}") for n in range(250)]
    DynamoStore("t", client, client).batch_get(keys + keys)
    assert [len(_keys(request)) for request in client.parameters("batch_get_item")] == [100, 100, 50]


def test_unprocessed_keys_are_asked_again_until_they_are_answered() -> None:
    def unprocessed(*sks: str) -> dict[str, Any]:
        return {"t": {"Keys": [{"p": {"S": "p"}, "s": {"S": sk}} for sk in sks], "ConsistentRead": True}}

    client = ScriptedClient(
        batch_get_item=[
            {"Responses": {"t": [_stored("a")]}, "UnprocessedKeys": unprocessed("b", "c")},
            {"Responses": {}, "UnprocessedKeys": unprocessed("b", "c")},
            {"Responses": {"t": [_stored("b")]}, "UnprocessedKeys": unprocessed("c")},
            {"Responses": {"t": [_stored("c")]}, "UnprocessedKeys": {}},
        ]
    )
    waits = Waits(base_seconds=0.1)
    found = DynamoStore("t", client, client, retry=waits.policy).batch_get([Key("p", sk) for sk in "abcd"])
    assert sorted(key.sk for key in found) == ["a", "b", "c"]
    assert [_keys(request) for request in client.parameters("batch_get_item")] == [
        ["a", "b", "c", "d"],
        ["b", "c"],
        ["b", "c"],
        ["c"],
    ]
    assert waits.seconds == pytest.approx([0.1, 0.2, 0.1])


def test_keys_that_stay_unprocessed_are_unavailable_and_not_missing() -> None:
    stuck = {"Responses": {}, "UnprocessedKeys": {"t": {"Keys": [{"p": {"S": "p"}, "s": {"S": "a"}}]}}}
    client = ScriptedClient(batch_get_item=[stuck] * 10)
    with pytest.raises(StoreUnavailable, match="1 keys stayed unanswered"):
        DynamoStore("t", client, client, retry=Waits(attempts=3).policy).batch_get([Key("p", "a")])
    assert len(client.calls) == 3


def test_a_page_is_filled_over_short_and_empty_answers() -> None:
    def more(*sks: str) -> dict[str, Any]:
        return {"Items": [_stored(sk) for sk in sks], "LastEvaluatedKey": {"p": {"S": "p"}, "s": {"S": "x"}}}

    client = ScriptedClient(query=[more("a"), more(), more("b", "c"), {"Items": [_stored("d")]}])
    store = DynamoStore("t", client, client)
    page = store.query(PartitionQuery("p", "a", "z", 4))
    assert [item.key.sk for item in page.items] == ["a", "b", "c", "d"]
    assert page.token is None
    assert ["ExclusiveStartKey" in request for request in client.parameters("query")] == [False, True, True, True]


def test_an_item_that_left_its_place_in_a_lagging_index_is_left_out() -> None:
    client = ScriptedClient(
        query=[{"Items": [_entry("stays", "1"), _entry("moved", "2"), _entry("vanished", "3"), _entry("gone", "4")]}],
        batch_get_item=[{"Responses": {"t": [_stored("vanished"), _stored("moved", "9"), _stored("stays", "1")]}}],
    )
    page = DynamoStore("t", client, client).query_index(IndexQuery(SparseIndex.DUE, "h", "", "z", 10))
    assert [item.key.sk for item in page.items] == ["stays"]


def test_four_short_turns_fit_one_kilobyte() -> None:
    sentence = "deploy the new service to production in us-west-2 and never to us-east-1, please confirm the region"
    words = sentence.split()
    dice = random.Random(7)
    turns = [
        {"id": 1_700_000_000_000 + n, "role": "user", "content": " ".join(dice.choices(words, k=40))[:200], "tools": []}
        for n in range(4)
    ]
    item = Item(
        Key("U#tenant#user", "R#000000000001"), {"source": "support-bot", "session_id": "s" * 36, "turns": turns}
    )
    body = encode_body(item.body)
    assert len(body) > 1000
    stored = to_attributes(item, body)
    size = sum(len(name) + len(next(iter(value.values()))) for name, value in stored.items())
    assert size < 1024
    assert from_attributes(stored) == item


@pytest.mark.parametrize("length", [0, 50, 199, 200, 1000, 5000])
def test_a_body_is_never_stored_larger_than_its_text(length: int) -> None:
    dice = random.Random(length)
    item = Item(Key("p", "a"), {"text": "".join(dice.choices(string.printable, k=length))})
    body = encode_body(item.body)
    stored = to_attributes(item, body)
    assert len(next(iter(stored["b"].values()))) <= len(body.encode())
    assert from_attributes(stored) == item


def test_only_one_place_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    for client in (clients.dynamodb_client(), clients.streams_client()):
        assert client.meta.config.retries["total_max_attempts"] == 1
        client.close()


def test_the_endpoint_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    client = clients.dynamodb_client()
    assert client.meta.endpoint_url == "http://127.0.0.1:9"
    client.close()


def test_a_store_closes_the_clients_that_it_made_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [ScriptedClient(), ScriptedClient()]
    monkeypatch.setattr(clients, "dynamodb_client", lambda: made[0])
    monkeypatch.setattr(clients, "streams_client", lambda: made[1])
    given = ScriptedClient()
    DynamoStore("t", given, given).close()
    assert not given.closed
    DynamoStore("t").close()
    assert [client.closed for client in made] == [True, True]


def test_the_table_expires_items_streams_changes_and_indexes_keys_only(client: Any) -> None:
    table = client.describe_table(TableName=TABLE)["Table"]
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert table["StreamSpecification"] == {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    indexes = {index["IndexName"]: index["Projection"]["ProjectionType"] for index in table["GlobalSecondaryIndexes"]}
    assert indexes == {"due": "KEYS_ONLY", "listing": "KEYS_ONLY", "session": "KEYS_ONLY"}
    expiry = client.describe_time_to_live(TableName=TABLE)["TimeToLiveDescription"]
    assert expiry["TimeToLiveStatus"] in {"ENABLED", "ENABLING"}
    assert expiry["AttributeName"] == "x"


def test_importing_the_adapter_imports_no_boto3() -> None:
    code = "import sys, reflexio_core.adapters.dynamodb; sys.exit(bool({'boto3', 'botocore'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
