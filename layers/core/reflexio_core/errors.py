"""The error tree. Each error is named by its condition and mapped once to HTTP (``api.errors``).

ReflexioError
├── InvalidInput          the caller's data cannot be accepted; names the field
│   └── InvalidConfiguration  settings that do not fit together; lists each place
├── NotFound              nothing with that id in this tenant
├── Conflict              the request contradicts what is stored
│   ├── IdempotencyMismatch   same request id, other body
│   └── ConfigWriteConflict   the configuration changed between reading and writing it
├── AccessDenied          no key, a wrong key, or a key without the scope
├── LimitExceeded         a rate or capacity limit; carries ``retry_after``
├── StoreError
│   ├── ConditionFailed   a commit's condition did not hold; nothing was written
│   ├── ItemTooLarge      an item or a commit over the store's size limits
│   └── StoreUnavailable  throttled or unreachable after retries
├── IndexUnavailable      the search index cannot answer
├── InferenceUnavailable  embeddings or reranking cannot answer, or not in time
├── ModelMismatch         the index was built with another model or dimension
└── LlmError
    ├── LlmUnavailable    provider down, throttled or timed out: try later
    ├── LlmRejected       provider refused the credentials or the account: try after a change
    └── LlmInvalidOutput  the answer did not fit its schema, after one repair
"""

from dataclasses import dataclass
from typing import Any


class ReflexioError(Exception):
    """Base of every error that the engine raises on purpose."""

    code = "internal_error"


class InvalidInput(ReflexioError):
    """The caller's data cannot be accepted. ``field`` is the path a caller can find, as ``a.b[0].c``."""

    code = "invalid_input"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


class InvalidConfiguration(InvalidInput):
    """Settings that cannot be accepted. ``detail`` is what the caller gets: an error, a hint, and each place."""

    code = "invalid_configuration"

    def __init__(self, error: str, hint: str, validation_errors: list[dict[str, Any]]) -> None:
        super().__init__("config", f"{error}: {'; '.join(str(problem['msg']) for problem in validation_errors)}")
        self.detail: dict[str, Any] = {"error": error, "hint": hint, "validation_errors": validation_errors}


class NotFound(ReflexioError):
    """Nothing with that id exists for this tenant."""

    code = "not_found"


class Conflict(ReflexioError):
    """The request contradicts what is stored."""

    code = "conflict"


class IdempotencyMismatch(Conflict):
    """The request id was used before with another body."""

    code = "request_id_reused"


class ConfigWriteConflict(Conflict):
    """The configuration changed between reading and writing it; nothing was written."""

    code = "config_write_conflict"


class AccessDenied(ReflexioError):
    """No key, a wrong key, or a key without the needed scope."""

    code = "access_denied"


class LimitExceeded(ReflexioError):
    """A rate or capacity limit. ``retry_after`` is in seconds."""

    code = "limit_exceeded"

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class StoreError(ReflexioError):
    """Base of the store's errors."""

    code = "store_error"


class ConditionFailed(StoreError):
    """A commit's condition did not hold; nothing was written. ``positions`` index the failed operations."""

    code = "condition_failed"

    def __init__(self, positions: tuple[int, ...], message: str = "a condition of the commit did not hold") -> None:
        super().__init__(f"{message} (operations {list(positions)})")
        self.positions = positions


class ItemTooLarge(StoreError):
    """An item over 400 KB, or a commit over 100 items or 4 MB."""

    code = "item_too_large"


class StoreUnavailable(StoreError):
    """Throttled or unreachable, after retries. Nothing is known to be wrong with the request."""

    code = "store_unavailable"


class IndexUnavailable(ReflexioError):
    """The search index cannot answer."""

    code = "index_unavailable"


class InferenceUnavailable(ReflexioError):
    """Embeddings or reranking cannot answer, or not within the deadline."""

    code = "inference_unavailable"


class ModelMismatch(ReflexioError):
    """The index was built with another embedding model, revision or dimension. Names both."""

    code = "model_mismatch"


class LlmError(ReflexioError):
    """Base of the model port's errors. ``usage`` counts what the failed attempts cost."""

    code = "llm_error"

    def __init__(self, message: str, usage: "LlmUsage | None" = None) -> None:
        super().__init__(message)
        self.usage = usage or LlmUsage()


class LlmUnavailable(LlmError):
    """Provider down, throttled or timed out, after the adapter's own retries."""

    code = "llm_unavailable"


class LlmRejected(LlmError):
    """The provider refused the credentials, the account or the model name."""

    code = "llm_rejected"


class LlmInvalidOutput(LlmError):
    """The answer did not fit its schema, after one repair."""

    code = "llm_invalid_output"


@dataclass(frozen=True, slots=True)
class LlmUsage:
    """What calls cost: number of provider calls, prompt and completion tokens as the provider counts them."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: "LlmUsage") -> "LlmUsage":
        return LlmUsage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )

    def as_dict(self) -> dict[str, Any]:
        """JSON form, as stored in window records and returned by learning_status."""
        return {
            "calls": self.calls,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
        }
