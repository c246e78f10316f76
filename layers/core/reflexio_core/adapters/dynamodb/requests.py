"""Operations and queries as request parameters. Every attribute is named by a placeholder: no word is reserved."""

from typing import Any

from reflexio_core.adapters.dynamodb.attributes import (
    ATTRS,
    INDEX_ATTRIBUTES,
    PARTITION,
    SORT,
    VERSION,
    key_attributes,
    to_attributes,
    to_value,
)
from reflexio_core.ports.store import (
    Absent,
    Check,
    Condition,
    Delete,
    IndexQuery,
    Operation,
    PartitionQuery,
    Put,
    SparseIndex,
    VersionIs,
)

Request = dict[str, Any]


def write_request(table: str, operation: Operation, body: str) -> Request:
    """One entry of a transaction: ``{"Put" | "Delete" | "ConditionCheck": parameters}``."""
    condition = _condition(operation.when)
    match operation:
        case Put(item):
            return {"Put": {"TableName": table, "Item": to_attributes(item, body), **condition}}
        case Delete(key):
            return {"Delete": {"TableName": table, "Key": key_attributes(key), **condition}}
        case Check(key):
            return {"ConditionCheck": {"TableName": table, "Key": key_attributes(key), **condition}}


def partition_request(table: str, query: PartitionQuery, place: tuple[str, ...] | None) -> Request:
    """Parameters for a consistent read of a partition's range, behind ``place`` (sk)."""
    request = _range_request(table, query, PARTITION, query.pk, SORT)
    request["ConsistentRead"] = True
    if place is not None:
        request["ExclusiveStartKey"] = {PARTITION: {"S": query.pk}, SORT: {"S": place[0]}}
    return request


def index_request(table: str, query: IndexQuery, place: tuple[str, ...] | None) -> Request:
    """Parameters for reading a sparse index's range, behind ``place`` (sort, pk, sk). Answers keys only."""
    index = SparseIndex(query.index)
    hash_name, sort_name = INDEX_ATTRIBUTES[index]
    request = _range_request(table, query, hash_name, query.hash, sort_name)
    request["IndexName"] = index.value
    if place is not None:
        sort, pk, sk = place
        request["ExclusiveStartKey"] = {
            hash_name: {"S": query.hash},
            sort_name: {"S": sort},
            PARTITION: {"S": pk},
            SORT: {"S": sk},
        }
    return request


def _range_request(
    table: str, query: PartitionQuery | IndexQuery, hash_name: str, value: str, sort_name: str
) -> Request:
    values = {":hash": {"S": value}, ":before": {"S": query.before}}
    if query.after:
        # A key condition takes one comparison of the sort key, so the upper bound comes back too: the reader drops it.
        condition = "#hash = :hash AND #sort BETWEEN :after AND :before"
        values[":after"] = {"S": query.after}
    else:
        condition = "#hash = :hash AND #sort < :before"
    return {
        "TableName": table,
        "KeyConditionExpression": condition,
        "ExpressionAttributeNames": {"#hash": hash_name, "#sort": sort_name},
        "ExpressionAttributeValues": values,
        "ScanIndexForward": not query.reverse,
        # One row to tell whether there is a next page, and one in place of the upper bound.
        "Limit": query.limit + 2,
    }


def _condition(when: Condition | None) -> Request:
    if when is None:
        return {}
    if isinstance(when, Absent):
        return {
            "ConditionExpression": "attribute_not_exists(#key)",
            "ExpressionAttributeNames": {"#key": PARTITION},
        }
    if isinstance(when, VersionIs):
        return {
            "ConditionExpression": "#version = :version",
            "ExpressionAttributeNames": {"#version": VERSION},
            "ExpressionAttributeValues": {":version": {"N": str(when.version)}},
        }
    return {
        "ConditionExpression": "#attrs.#name = :value",
        "ExpressionAttributeNames": {"#attrs": ATTRS, "#name": when.name},
        "ExpressionAttributeValues": {":value": to_value(when.value)},
    }
