"""The part of a conversation that a task sees."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

LearningKind = Literal["profile", "playbook"]


class TaskModel(BaseModel):
    """Base of task inputs and outputs: immutable, unknown keys of a model's answer ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ToolCall(TaskModel):
    """A tool that the agent used in a turn."""

    name: str
    data: dict[str, Any] = {}
    status: str = ""


class Turn(TaskModel):
    """One turn. ``label`` is T1..Tn in order; ``new`` is False for overlap that an earlier window has judged.

    ``time`` is ISO-8601 in the turn's own time zone, so that "tomorrow" can be resolved. ``text`` is what was said;
    it may have been shortened in its middle, marked visibly. ``quoted`` are stretches of ``text`` that repeat what
    the service itself had served to the agent: no evidence can rest on them.
    """

    label: str
    role: str  # "user", "assistant", "system", "tool", or another word, as published
    text: str
    time: str
    session: str
    new: bool = True
    action: str = ""
    tools: tuple[ToolCall, ...] = ()
    expert_text: str = ""
    quoted: tuple[str, ...] = ()

    @property
    def is_user(self) -> bool:
        """Whether a person said it."""
        return self.role.strip().casefold() in {"user", "human", "customer"}


class Evidence(TaskModel):
    """Where a learning comes from: a turn's label and a stretch of its text, verbatim."""

    turn: str
    quote: str = ""
