"""boto3 clients that leave every retry to ``retry.call``."""

from typing import Any

CONNECT_SECONDS = 2
READ_SECONDS = 5
"""A healthy call takes milliseconds; a caller of the API waits 25 s at most, retries included."""

_POOL = 32


def dynamodb_client() -> Any:
    """A client for tables and items; region, credentials and endpoint come from the environment."""
    import boto3

    return boto3.client("dynamodb", config=_config())


def streams_client() -> Any:
    """A client for the table's change stream."""
    import boto3

    return boto3.client("dynamodbstreams", config=_config())


def _config() -> Any:
    from botocore.config import Config

    # One place retries: botocore's own attempts would multiply with ours, and it cannot retry a lost transaction.
    return Config(
        retries={"total_max_attempts": 1},
        connect_timeout=CONNECT_SECONDS,
        read_timeout=READ_SECONDS,
        max_pool_connections=_POOL,
    )
