"""One call to a provider through LiteLLM, and what its failure means.

Nothing that a provider says leaves this module except as a kind of failure and a status: its messages may quote the
prompt or a key.
"""

import logging
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from reflexio_core.adapters.litellm.retry_after import retry_after
from reflexio_core.adapters.litellm.target import Target
from reflexio_core.errors import LlmRejected, LlmUsage

FailureKind = Literal["later", "format", "temperature", "refused"]

_LOADING = threading.Lock()
_NO_CREDIT = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}
_TOO_LONG = {"context_length_exceeded"}
_TOO_LONG_WORDS = ("context length", "context window", "maximum context", "too many tokens")


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model said."""

    text: str
    usage: LlmUsage
    cut_off: bool


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no reply.

    - ``later``: throttled, down or timed out; the same call may succeed. ``retry_after`` in seconds, if told.
    - ``format``: the request was refused, perhaps for its response format.
    - ``temperature``: the model takes no temperature.
    - ``refused``: no repetition helps.

    ``perhaps_format`` is true where some servers mean the response format by it (500). ``usage`` counts the call if it
    was sent.
    """

    kind: FailureKind
    reason: str
    usage: LlmUsage
    retry_after: float | None = None
    perhaps_format: bool = False


def ask(
    target: Target,
    messages: list[dict[str, str]],
    response_format: Mapping[str, Any] | None,
    temperature: float | None,
    timeout: float,
) -> Reply | Failure:
    """One completion, without any retry of LiteLLM's. ``timeout`` in seconds. Raises ``LlmRejected`` if LiteLLM is
    not installed."""
    library = litellm_library()
    arguments: dict[str, Any] = {
        "model": target.model,
        "messages": messages,
        "timeout": timeout,
        "max_retries": 0,
        "num_retries": 0,
    }
    optional = {
        "api_key": target.api_key,
        "api_base": target.api_base,
        "api_version": target.api_version,
        "max_tokens": target.max_tokens,
        "temperature": temperature,
        "response_format": response_format,
    }
    arguments.update({name: value for name, value in optional.items() if value is not None})
    try:
        response = library.completion(**arguments)
    except Exception as error:  # noqa: BLE001 - whatever a provider's client raises is sorted and reported
        return _failure(error)
    return _reply(response)


def litellm_library() -> Any:
    """LiteLLM, imported now if it was not: silent, and without anything fetched. Raises ``LlmRejected``."""
    with _LOADING:
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        os.environ.setdefault("LITELLM_MODE", "PRODUCTION")  # else some versions read a .env of the working folder
        try:
            import litellm
        except ImportError:
            raise LlmRejected(
                "LiteLLM is not installed: pip install 'reflexio-serverless[llm]', or unset the provider's key"
            ) from None
        litellm.telemetry = False
        litellm.suppress_debug_info = True
        litellm.turn_off_message_logging = True
        # Below this level they log requests: conversations, and keys where a provider takes them in the address.
        for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "openai", "httpx", "httpcore"):
            logger = logging.getLogger(name)
            logger.setLevel(max(logger.level, logging.WARNING))
        logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)  # its errors quote the request
        return litellm


def _reply(response: Any) -> Reply | Failure:
    usage = getattr(response, "usage", None)
    spent = LlmUsage(1, int(getattr(usage, "prompt_tokens", 0) or 0), int(getattr(usage, "completion_tokens", 0) or 0))
    choices = getattr(response, "choices", None)
    if not choices:
        return Failure("later", "an answer without a choice", spent)
    return Reply(choices[0].message.content or "", spent, choices[0].finish_reason == "length")


def _failure(error: Exception) -> Failure:
    name, said, status = type(error).__name__, str(error).lower(), _status(error)
    if name == "UnsupportedParamsError":  # LiteLLM's own refusal: nothing was sent
        return Failure("temperature" if "temperature" in said else "format", "an unsupported parameter", LlmUsage())
    if name == "LiteLLMUnknownProvider" or "llm provider not provided" in said:
        return Failure("refused", "no such provider: write provider/model, or openai/model for a server", LlmUsage())
    sent = LlmUsage(calls=1)
    if name == "Timeout" or status in (408, 409, 504):
        return Failure("later", "no answer in time", sent, retry_after(error))
    if status == 402 or _code(error) & _NO_CREDIT or (status == 400 and "credit balance" in said):
        return Failure("refused", "the account has no credit", sent)
    if status == 429:
        return Failure("later", "too many requests (429)", sent, retry_after(error))
    if status in (401, 403):
        return Failure("refused", f"the key was refused ({status})", sent)
    if status == 404:
        return Failure("refused", "no such model, or no such address (404)", sent)
    if status is not None and 400 <= status < 500:
        return _refusal(error, name, said, status)
    if status is None or name == "APIConnectionError" or "connection error" in said:
        return Failure("later", "no connection", sent)
    return Failure("later", f"the provider failed ({status})", sent, retry_after(error), perhaps_format=status == 500)


def _refusal(error: Exception, name: str, said: str, status: int) -> Failure:
    """What a request is refused for, of what can be mended."""
    sent = LlmUsage(calls=1)
    too_long = name == "ContextWindowExceededError" or _code(error) & _TOO_LONG or status == 413
    if too_long or any(words in said for words in _TOO_LONG_WORDS):
        return Failure("refused", "the prompt is longer than the model reads", sent)
    if name == "ContentPolicyViolationError":
        return Failure("refused", "the provider's content policy", sent)
    kind: FailureKind = "temperature" if "temperature" in said else "format"
    return Failure(kind, f"the request was refused ({status})", sent)


def _status(error: Exception) -> int | None:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def _code(error: Exception) -> set[str]:
    """The error object's ``code`` and ``type``, which providers keep stable; its message they do not."""
    body = getattr(error, "body", None)
    return {str(body.get(name)) for name in ("code", "type")} if isinstance(body, dict) else set()
