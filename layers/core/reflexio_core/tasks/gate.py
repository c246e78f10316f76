"""Ask a small model whether a window is worth a large one. Used only when ``should_run_model_name`` is set."""

from reflexio_core.ports.llm import Task
from reflexio_core.tasks.transcript import LearningKind, TaskModel, Turn


class GateInputs(TaskModel):
    """The window and the definitions of what is wanted."""

    kinds: tuple[LearningKind, ...]
    turns: tuple[Turn, ...]
    profile_definition: str = ""
    playbook_definition: str = ""


class GateOutput(TaskModel):
    """Whether anything of a kind can be learned. Both answers are required: silence is a failure, not a yes."""

    profile_useful: bool
    playbook_useful: bool


GATE: Task[GateInputs, GateOutput] = Task(
    name="gate", role="should_run", prompt_version="1", inputs=GateInputs, output=GateOutput
)
