"""A model that finds nothing: windows pass, nothing is learned."""

from pydantic import BaseModel

from reflexio_core.errors import LlmUsage
from reflexio_core.ports.llm import Answer, Input, LlmSettings, Output, Task
from reflexio_core.tasks.extract import ExtractOutput


class SilentLlm:
    """Answers every extraction with empty lists and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[BaseModel] = []

    def model_for(self, role: str, settings: LlmSettings) -> str:
        """See ``Llm.model_for``."""
        return "silent"

    def run(self, task: Task[Input, Output], inputs: Input, settings: LlmSettings) -> Answer[Output]:
        """See ``Llm.run``."""
        self.asked.append(inputs)
        return Answer(task.output.model_validate(ExtractOutput().model_dump()), LlmUsage(), "silent", "1")
