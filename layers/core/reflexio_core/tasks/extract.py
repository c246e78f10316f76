"""Judge a window and extract profiles and playbooks from it, in one call."""

from typing import Annotated, Literal

from pydantic import Field

from reflexio_core.ports.llm import Task
from reflexio_core.tasks.transcript import Evidence, LearningKind, TaskModel, Turn

TimeToLive = Literal["one_day", "one_week", "one_month", "one_quarter", "one_year", "infinity"]
EvidenceKind = Literal[
    "correction", "preference", "observed-failure", "rejected-approach", "expert-gap", "verified-success"
]


class KnownProfile(TaskModel):
    """A current profile of the user, shown so that it is not learned again."""

    content: str


class ExtractInputs(TaskModel):
    """A window and what to look for.

    ``kinds`` says which learnings are wanted. ``judge`` asks for the usefulness verdicts; when it is False the window
    is to be learned from without judging. ``known_profiles`` are the most recently changed ones.
    """

    kinds: tuple[LearningKind, ...]
    judge: bool
    turns: tuple[Turn, ...]
    agent_context: str = ""
    profile_definition: str = ""
    profile_context: str = ""
    playbook_definition: str = ""
    playbook_context: str = ""
    tools: tuple[str, ...] = ()
    known_profiles: tuple[KnownProfile, ...] = ()


EVERYTHING = "everything"
"""``content`` of a request to forget all that is known of the user, in whatever language it was made."""


class ProfileCandidate(TaskModel):
    """A fact about the user, or with ``forget`` a request to forget one (then ``content`` says what) or all."""

    content: Annotated[str, Field(min_length=1)]
    time_to_live: TimeToLive = "infinity"
    forget: bool = False
    evidence: Annotated[tuple[Evidence, ...], Field(min_length=1)]


class PlaybookCandidate(TaskModel):
    """A lesson for the agent: when ``trigger``, do ``content``; ``pitfall`` is what goes wrong otherwise.

    States the reusable behaviour; the user's own fact (a region, a name) belongs into a profile.
    """

    trigger: Annotated[str, Field(min_length=1)]
    content: Annotated[str, Field(min_length=1)]
    rationale: str = ""
    pitfall: str | None = None
    evidence_kind: EvidenceKind = "correction"
    evidence: Annotated[tuple[Evidence, ...], Field(min_length=1)]


class ExtractOutput(TaskModel):
    """Verdicts and candidates. A verdict of False with candidates means: ignore the candidates of that kind."""

    profile_useful: bool = True
    playbook_useful: bool = True
    profiles: tuple[ProfileCandidate, ...] = ()
    playbooks: tuple[PlaybookCandidate, ...] = ()


EXTRACT: Task[ExtractInputs, ExtractOutput] = Task(
    name="extract", role="generation", prompt_version="1", inputs=ExtractInputs, output=ExtractOutput
)
