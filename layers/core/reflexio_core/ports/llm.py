"""The language model: typed tasks in, typed answers out."""

from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from reflexio_core.errors import LlmUsage

In_contra = TypeVar("In_contra", bound=BaseModel, contravariant=True)
Input = TypeVar("Input", bound=BaseModel)
Output = TypeVar("Output", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Task(Generic[Input, Output]):
    """One kind of question. ``name`` is also the prompt's folder; ``role`` picks the configured model."""

    name: str
    role: str  # "generation" | "should_run"
    prompt_version: str
    inputs: type[Input]
    output: type[Output]


@dataclass(frozen=True, slots=True)
class Answer(Generic[Output]):
    """A parsed answer. ``dropped`` counts list entries that did not fit and were left out one by one."""

    output: Output
    usage: LlmUsage
    model: str
    prompt_version: str
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """Per-tenant model choice, from ``llm_config`` and ``api_key_config`` of the tenant's configuration."""

    generation_model: str | None = None
    should_run_model: str | None = None
    timeout_seconds: float | None = None
    api_keys: dict[str, Any] | None = field(default=None, repr=False)


class Llm(Protocol):
    """Runs tasks. Raises ``LlmUnavailable``, ``LlmRejected`` or ``LlmInvalidOutput``, each with its usage."""

    def model_for(self, role: str, settings: LlmSettings) -> str:
        """The model that would answer: a provider's name, or ``offline-rules``."""
        ...

    def run(self, task: Task[Input, Output], inputs: Input, settings: LlmSettings) -> Answer[Output]:
        """Ask once; at most two provider retries and one repair inside."""
        ...
