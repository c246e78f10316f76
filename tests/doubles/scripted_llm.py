"""A model that answers from a script, one reply after the other for each task."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from reflexio_core.errors import LlmUsage
from reflexio_core.ports.llm import Answer, Input, LlmSettings, Output, Task

USAGE = LlmUsage(calls=1, prompt_tokens=100, completion_tokens=10)
MODEL = "scripted"

Reply = dict[str, Any] | Exception | Callable[[Any], dict[str, Any]]


class ScriptedLlm:
    """``script`` maps a task's name to a reply or a list of replies, of which the last stays. A reply is the answer, a
    function from the inputs to it, or an error to raise; an unscripted task answers with its empty output.

    ``asked`` are the inputs in order, ``tasks`` the names of their tasks, ``settings`` what came with them.
    """

    def __init__(self, **script: Reply | list[Reply]) -> None:
        self._script = {
            name: list(replies) if isinstance(replies, list) else [replies] for name, replies in script.items()
        }
        self.asked: list[Any] = []
        self.tasks: list[str] = []
        self.settings: list[LlmSettings] = []

    def model_for(self, role: str, settings: LlmSettings) -> str:
        """See ``Llm.model_for``."""
        return MODEL

    def run(self, task: Task[Input, Output], inputs: Input, settings: LlmSettings) -> Answer[Output]:
        """See ``Llm.run``."""
        self.asked.append(inputs)
        self.tasks.append(task.name)
        self.settings.append(settings)
        reply = self._next(task.name)
        if isinstance(reply, Exception):
            raise reply
        answer = reply(inputs) if callable(reply) else reply
        return Answer(task.output.model_validate(answer), USAGE, MODEL, task.prompt_version)

    def of(self, task: str) -> list[Any]:
        """Inputs of one task, in order."""
        return [inputs for name, inputs in zip(self.tasks, self.asked, strict=True) if name == task]

    def _next(self, task: str) -> Reply:
        replies = self._script.get(task)
        if replies is None:
            return {"decisions": []} if task == "consolidate" else {"profile_useful": False, "playbook_useful": False}
        return replies.pop(0) if len(replies) > 1 else replies[0]


def output(inputs: BaseModel, **answer: Any) -> dict[str, Any]:
    """An answer that is limited to the kinds that were asked for."""
    kinds = getattr(inputs, "kinds", ())
    return {name: rows for name, rows in answer.items() if name.removesuffix("s") in kinds}
