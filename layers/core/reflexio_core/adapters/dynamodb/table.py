"""The table, for an emulator and for tests. In the cloud the template makes it."""

from typing import Any

from reflexio_core.adapters.dynamodb.attributes import EXPIRY, INDEX_ATTRIBUTES, PARTITION, SORT


def create_table(client: Any, name: str) -> None:
    """Create the table, wait until it serves, and switch on expiry.

    The sparse indexes carry keys only: writes outnumber index reads by far, and each projected byte would be written
    (and paid) once more an index. A reader fetches the items by key, which also gives it their present state.
    """
    client.create_table(**table_definition(name))
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 60})
    client.update_time_to_live(TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": EXPIRY})


def table_definition(name: str) -> dict[str, Any]:
    """The parameters of CreateTable."""
    texts = [PARTITION, SORT, *(attribute for pair in INDEX_ATTRIBUTES.values() for attribute in pair)]
    return {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": text, "AttributeType": "S"} for text in texts],
        "KeySchema": _key_schema(PARTITION, SORT),
        "GlobalSecondaryIndexes": [
            {
                "IndexName": index.value,
                "KeySchema": _key_schema(*attributes),
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
            for index, attributes in INDEX_ATTRIBUTES.items()
        ],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    }


def _key_schema(hash_name: str, sort_name: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": hash_name, "KeyType": "HASH"},
        {"AttributeName": sort_name, "KeyType": "RANGE"},
    ]
