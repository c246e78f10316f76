"""Fit new candidates to what is already known: one call for both kinds, made only when there are neighbours."""

from typing import Annotated, Literal

from pydantic import Field

from reflexio_core.ports.llm import Task
from reflexio_core.tasks.extract import TimeToLive
from reflexio_core.tasks.transcript import LearningKind, TaskModel

Action = Literal["independent", "unify", "reject_new", "differentiate", "remove"]


class ConsolidationItem(TaskModel):
    """A candidate (label NEW-1..) or a stored learning (label OLD-1..). ``trigger`` is empty for profiles.

    ``said`` is when it was said or last changed, ISO-8601: of two that disagree the later one is true.
    """

    label: str
    kind: LearningKind
    content: str
    said: str
    trigger: str = ""
    pitfall: str = ""
    time_to_live: TimeToLive = "infinity"
    forget: bool = False


class ConsolidateInputs(TaskModel):
    """Candidates and their neighbours of the same user."""

    new: tuple[ConsolidationItem, ...]
    old: tuple[ConsolidationItem, ...]


class Decision(TaskModel):
    """What happens to one candidate.

    - ``independent``: store it as it is.
    - ``unify``: store one row with ``content`` (and ``trigger``) in place of the candidate and of ``old``. Also for a
      fact that changed: the new value replaces the old one.
    - ``reject_new``: store nothing; ``old`` says it already.
    - ``differentiate``: both stay, told apart by sharper triggers: ``trigger`` for the new one, ``old_trigger`` for the
      single entry of ``old``. Playbooks only.
    - ``remove``: the user asked to forget; every row of ``old`` goes. Profiles with ``forget`` only.
    """

    new: str
    action: Action
    old: tuple[str, ...] = ()
    content: str | None = None
    trigger: str | None = None
    old_trigger: str | None = None
    pitfall: str | None = None
    time_to_live: TimeToLive | None = None


class ConsolidateOutput(TaskModel):
    """One decision for every candidate."""

    decisions: Annotated[tuple[Decision, ...], Field()]


CONSOLIDATE: Task[ConsolidateInputs, ConsolidateOutput] = Task(
    name="consolidate",
    role="generation",
    prompt_version="1",
    inputs=ConsolidateInputs,
    output=ConsolidateOutput,
)
