"""Clients that fail on cue."""

from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError

from reflexio_core.adapters.dynamodb import RetryPolicy

Answer = dict[str, Any] | Exception


class ScriptedClient:
    """Answers each method from its list, in order, and records the parameters; raises the exceptions among them."""

    def __init__(self, **answers: list[Answer]) -> None:
        self._answers = answers
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.closed = False

    def __getattr__(self, method: str) -> Callable[..., Any]:
        def call(**parameters: Any) -> Any:
            self.calls.append((method, parameters))
            answer = self._answers[method].pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer

        return call

    def close(self) -> None:
        self.closed = True

    def parameters(self, method: str) -> list[dict[str, Any]]:
        """What the method was called with, call by call."""
        return [parameters for name, parameters in self.calls if name == method]


class LosingClient:
    """Passes each call on to a real client, and loses the answers of the first ``lost`` ones on the way back."""

    def __init__(self, client: Any, lost: int, error: Exception) -> None:
        self._client = client
        self._lost = lost
        self._error = error

    def __getattr__(self, method: str) -> Callable[..., Any]:
        def call(**parameters: Any) -> Any:
            answer = getattr(self._client, method)(**parameters)
            if self._lost:
                self._lost -= 1
                raise self._error
            return answer

        return call


class Waits:
    """A retry policy that waits for nothing and records each wait at its ceiling."""

    def __init__(self, attempts: int = 4, **fields: Any) -> None:
        self.seconds: list[float] = []
        self.policy = RetryPolicy(
            attempts=attempts, pause=self.seconds.append, jitter=lambda ceiling: ceiling, **fields
        )


def client_error(
    code: str, message: str = "told to fail", status: int = 400, reasons: list[str] | None = None
) -> ClientError:
    """The service's refusal, as botocore raises it."""
    response: Any = {
        "Error": {"Code": code, "Message": message},
        "ResponseMetadata": {"HTTPStatusCode": status},
    }
    if reasons is not None:
        response["CancellationReasons"] = [{"Code": reason} for reason in reasons]
    return ClientError(response, "Operation")


def cancelled(*reasons: str) -> ClientError:
    """A cancelled transaction with one reason an operation."""
    return client_error("TransactionCanceledException", reasons=list(reasons))
