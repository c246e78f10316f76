"""The language model port, answered by rules: no key, no network, the same answer every time."""

from typing import cast

from reflexio_core.adapters.offline.consolidation import consolidate
from reflexio_core.adapters.offline.extraction import extract, useful
from reflexio_core.errors import LlmInvalidOutput, LlmUsage
from reflexio_core.ports.llm import Answer, Input, LlmSettings, Output, Task
from reflexio_core.tasks.consolidate import ConsolidateInputs
from reflexio_core.tasks.extract import ExtractInputs
from reflexio_core.tasks.gate import GateInputs, GateOutput

MODEL = "offline-rules"


class OfflineLlm:
    """Rules for every task. They read English, Spanish and Chinese and learn less than a model would."""

    def model_for(self, role: str, settings: LlmSettings) -> str:  # noqa: ARG002 - the port's signature
        """``offline-rules``, whatever is configured: the record says honestly what learned."""
        return MODEL

    def run(
        self,
        task: Task[Input, Output],
        inputs: Input,
        settings: LlmSettings,  # noqa: ARG002 - the port's signature
    ) -> Answer[Output]:
        """Answer at once, at no cost. Raises ``LlmInvalidOutput`` for a task that has no rules."""
        return Answer(cast(Output, _answer(task.name, inputs)), LlmUsage(), MODEL, task.prompt_version)


def _answer(name: str, inputs: object) -> object:
    match inputs:
        case ExtractInputs():
            return extract(inputs)
        case ConsolidateInputs():
            return consolidate(inputs)
        case GateInputs():
            facts, lessons = useful(inputs.turns)
            return GateOutput(
                profile_useful=facts and "profile" in inputs.kinds,
                playbook_useful=lessons and "playbook" in inputs.kinds,
            )
        case _:
            raise LlmInvalidOutput(f"offline rules have no answer for the task {name!r}; set a model to run it")
