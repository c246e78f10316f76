"""The record in one DynamoDB table. boto3 is imported when a client is made, and reads AWS_ENDPOINT_URL itself."""

from reflexio_core.adapters.dynamodb.clients import dynamodb_client, streams_client
from reflexio_core.adapters.dynamodb.retry import RetryPolicy
from reflexio_core.adapters.dynamodb.store import DynamoStore
from reflexio_core.adapters.dynamodb.table import create_table

__all__ = ["DynamoStore", "RetryPolicy", "create_table", "dynamodb_client", "streams_client"]
