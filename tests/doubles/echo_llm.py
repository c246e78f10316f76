"""A model that learns every new user turn, word for word, as a fact and as a lesson."""

from pydantic import BaseModel

from reflexio_core.errors import LlmUsage
from reflexio_core.ports.llm import Answer, Input, LlmSettings, Output, Task
from reflexio_core.tasks.consolidate import ConsolidateInputs
from reflexio_core.tasks.extract import ExtractInputs
from reflexio_core.tasks.gate import GateInputs

USAGE = LlmUsage(calls=1, prompt_tokens=100, completion_tokens=10)


class EchoLlm:
    """Deterministic; ``asked`` are the inputs in order. Consolidation keeps everything apart."""

    def __init__(self) -> None:
        self.asked: list[BaseModel] = []

    def model_for(self, role: str, settings: LlmSettings) -> str:
        """See ``Llm.model_for``."""
        return "echo"

    def run(self, task: Task[Input, Output], inputs: Input, settings: LlmSettings) -> Answer[Output]:
        """See ``Llm.run``."""
        self.asked.append(inputs)
        return Answer(task.output.model_validate(self._answer(inputs)), USAGE, "echo", "1")

    def _answer(self, inputs: BaseModel) -> dict[str, object]:
        if isinstance(inputs, ExtractInputs):
            return self._extract(inputs)
        if isinstance(inputs, GateInputs):
            return {"profile_useful": True, "playbook_useful": True}
        assert isinstance(inputs, ConsolidateInputs)
        return {"decisions": [{"new": item.label, "action": "independent"} for item in inputs.new]}

    def _extract(self, inputs: ExtractInputs) -> dict[str, object]:
        said = [turn for turn in inputs.turns if turn.new and turn.is_user]
        evidence = {turn.label: [{"turn": turn.label, "quote": turn.text}] for turn in said}
        profiles = [{"content": f"fact: {turn.text}", "evidence": evidence[turn.label]} for turn in said]
        playbooks = [
            {"trigger": f"when {turn.text}", "content": f"lesson: {turn.text}", "evidence": evidence[turn.label]}
            for turn in said
        ]
        return {
            "profiles": profiles if "profile" in inputs.kinds else [],
            "playbooks": playbooks if "playbook" in inputs.kinds else [],
        }
