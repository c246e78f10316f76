"""Which failures pass, how often to try again, and how the rest is reported.

Waits grow exponentially with full jitter: each is uniform between nothing and the ceiling, so that clients which
were throttled together do not come back together (https://aws.amazon.com/builders-library/
timeouts-retries-and-backoff-with-jitter/).
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from reflexio_core.errors import ConditionFailed, ItemTooLarge, StoreError, StoreUnavailable

Result = TypeVar("Result")

_PASSING_CODES = frozenset(
    {
        "InternalFailure",
        "InternalServerError",
        "LimitExceededException",  # of Streams: too many readers of a shard for a moment
        "ProvisionedThroughputExceededException",
        "ReplicatedWriteConflictException",
        "RequestLimitExceeded",
        "RequestThrottled",
        "RequestThrottledException",
        "ServiceUnavailable",
        "ServiceUnavailableException",
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
        "TransactionConflictException",
        "TransactionInProgressException",
    }
)

_PASSING_REASONS = frozenset(
    {
        "InternalServerError",
        "ProvisionedThroughputExceeded",
        "RequestLimitExceeded",
        "ThrottlingError",
        "TransactionConflict",
    }
)

_CONDITION_CODES = frozenset({"ConditionalCheckFailed", "ConditionalCheckFailedException"})
_FIRST_SERVER_STATUS = 500


def _full_jitter(ceiling: float) -> float:
    return random.uniform(0.0, ceiling)  # noqa: S311 - spreads load, guards nothing


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """At most ``attempts`` tries within ``deadline_seconds``, counted from the first.

    The ceiling of the wait before try n + 1 is ``base_seconds * 2**n``, and never over ``cap_seconds``.
    """

    attempts: int = 8
    base_seconds: float = 0.025
    cap_seconds: float = 1.0
    deadline_seconds: float = 12.0
    pause: Callable[[float], None] = time.sleep
    jitter: Callable[[float], float] = _full_jitter
    monotonic: Callable[[], float] = time.monotonic

    def wait(self, failures: int) -> None:
        """Pause after so many failures in a row (1 or more)."""
        self.pause(self.jitter(min(self.cap_seconds, self.base_seconds * 2.0 ** (failures - 1))))


def call(policy: RetryPolicy, what: str, send: Callable[[], Result]) -> Result:
    """The answer of ``send``, tried again while its failures pass.

    ``send`` must be harmless to repeat: a read, an unconditional write, or a transaction with its token.

    Raises:
        ConditionFailed: With the positions of the conditions that did not hold.
        ItemTooLarge: The service measured an item over its limit.
        StoreUnavailable: Attempts or time ran out, or the service refuses this caller.
        StoreError: The service calls the request wrong.
    """
    from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError
    from botocore.exceptions import ConnectionError as BotoConnectionError

    started = policy.monotonic()
    failures = 0
    while True:
        try:
            return send()
        except ClientError as error:
            if not _passes(error.response):
                raise _final_error(what, error.response) from error
            last: Exception = error
        except (HTTPClientError, BotoConnectionError) as error:
            last = error
        except BotoCoreError as error:
            raise StoreUnavailable(f"{what}: {error}") from error
        failures += 1
        if failures >= policy.attempts or policy.monotonic() - started >= policy.deadline_seconds:
            raise StoreUnavailable(f"{what}: still failing after {failures} attempts: {last}") from last
        policy.wait(failures)


def error_code(response: Any) -> str:
    """The service's name for an error."""
    return str(response.get("Error", {}).get("Code", ""))


def _passes(response: Any) -> bool:
    code = error_code(response)
    if code == "TransactionCanceledException":
        reasons = _reasons(response)
        # A condition that failed is an answer, whatever else went wrong beside it.
        return _CONDITION_CODES.isdisjoint(reasons) and not _PASSING_REASONS.isdisjoint(reasons)
    status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    return code in _PASSING_CODES or status >= _FIRST_SERVER_STATUS


def _final_error(what: str, response: Any) -> StoreError:
    code = error_code(response)
    message = str(response.get("Error", {}).get("Message", ""))
    if code == "TransactionCanceledException":
        reasons = _reasons(response)
        failed = tuple(at for at, reason in enumerate(reasons) if reason in _CONDITION_CODES)
        if failed:
            return ConditionFailed(failed)
        if "ItemCollectionSizeLimitExceeded" in reasons:
            return ItemTooLarge(f"{what}: {message}")
    if "size has exceeded" in message or "size to update has exceeded" in message:
        return ItemTooLarge(f"{what}: {message}")
    if code in {"ValidationException", "IdempotentParameterMismatchException", "TransactionCanceledException"}:
        return StoreError(f"{what}: the service refused the request: {code}: {message}")
    return StoreUnavailable(f"{what}: {code}: {message}")


def _reasons(response: Any) -> list[str]:
    return [str(reason.get("Code", "None")) for reason in response.get("CancellationReasons", [])]
