"""Playbooks as rows: lessons for an agent, from one user (user playbook) or shared by many (agent playbook)."""

from pydantic import Field

from reflexio.models.base import WireModel, epoch_now
from reflexio.models.enums import BlockingIssueKind, PlaybookStatus, Status
from reflexio.models.identifiers import Identifier, Label, RowId
from reflexio.models.text import Text
from reflexio.models.times import EpochSeconds


class BlockingIssue(WireModel):
    """What kept an agent from doing what a playbook asks for."""

    kind: BlockingIssueKind
    details: Text


class UserPlaybook(WireModel):
    """A lesson from one user's conversations, as written by hand.

    ``trigger`` says when it applies, ``content`` what to do, ``rationale`` why, ``pitfall`` what to avoid.
    ``user_playbook_id`` 0 asks for a new id. ``embedding`` and ``expanded_terms`` are accepted and ignored: the
    service computes its own.
    """

    user_playbook_id: RowId = 0
    user_id: Identifier | None = None
    agent_version: Label
    request_id: Text
    playbook_name: Text = ""
    created_at: EpochSeconds = Field(default_factory=epoch_now)
    trigger: Text | None = None
    content: Text = ""
    rationale: Text | None = None
    pitfall: Text | None = None
    blocking_issue: BlockingIssue | None = None
    source: Text | None = None
    source_interaction_ids: list[RowId] = Field(default_factory=list)
    source_span: Text | None = None
    tags: list[Text] | None = None
    notes: Text | None = None
    reader_angle: Text | None = None
    status: Status | None = None
    merged_into: RowId | None = None
    superseded_by: RowId | None = None
    retired_at: int | None = None
    governance_subject_ref: str | None = None
    expanded_terms: str | None = None
    embedding: list[float] = Field(default=[])


class UserPlaybookView(WireModel):
    """A lesson from one user's conversations, as read back."""

    user_playbook_id: int = 0
    user_id: str | None = None
    agent_version: str
    request_id: str
    playbook_name: str = ""
    created_at: int = Field(default_factory=epoch_now)
    trigger: str | None = None
    content: str = ""
    rationale: str | None = None
    pitfall: str | None = None
    source: str | None = None
    source_interaction_ids: list[int] = Field(default_factory=list)
    source_span: str | None = None
    status: Status | None = None
    tags: list[str] = Field(default_factory=list)
    exposure_receipt: str | None = Field(default=None, max_length=8192)


class AgentPlaybook(WireModel):
    """A lesson shared by all users of an agent version, as written by hand; searches serve it once approved.

    ``agent_playbook_id`` 0 asks for a new id. ``embedding`` and ``expanded_terms`` are accepted and ignored.
    """

    agent_playbook_id: RowId = 0
    agent_version: Label
    playbook_name: Text = ""
    created_at: EpochSeconds = Field(default_factory=epoch_now)
    trigger: Text | None = None
    content: Text
    rationale: Text | None = None
    pitfall: Text | None = None
    blocking_issue: BlockingIssue | None = None
    playbook_status: PlaybookStatus = PlaybookStatus.PENDING
    playbook_metadata: Text = ""
    tags: list[Text] | None = None
    status: Status | None = None
    merged_into: RowId | None = None
    superseded_by: RowId | None = None
    expanded_terms: str | None = None
    embedding: list[float] = Field(default=[])


class AgentPlaybookView(WireModel):
    """A lesson shared by all users of an agent version, as read back."""

    agent_playbook_id: int = 0
    agent_version: str
    playbook_name: str = ""
    created_at: int = Field(default_factory=epoch_now)
    trigger: str | None = None
    content: str
    rationale: str | None = None
    pitfall: str | None = None
    playbook_status: PlaybookStatus = PlaybookStatus.PENDING
    playbook_metadata: str = ""
    status: Status | None = None
    tags: list[str] = Field(default_factory=list)
