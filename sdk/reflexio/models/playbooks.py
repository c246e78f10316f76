"""Writing, reading, searching, approving and deleting playbooks."""

from pydantic import Field, field_validator

from reflexio.models.base import (
    MAX_QUERY_CHARACTERS,
    Listing,
    ListingReply,
    Reply,
    RowCount,
    SourceLabel,
    WireModel,
)
from reflexio.models.enums import PlaybookStatus, SearchMode, Status
from reflexio.models.experiments import RetrievalExperimentAssignment
from reflexio.models.identifiers import ExistingRowId, Identifier, Label, RowId
from reflexio.models.playbook_rows import (
    AgentPlaybook,
    AgentPlaybookView,
    BlockingIssue,
    UserPlaybook,
    UserPlaybookView,
)
from reflexio.models.text import Text
from reflexio.models.times import TimeRange

__all__ = [
    "AddAgentPlaybookRequest",
    "AddAgentPlaybookResponse",
    "AddUserPlaybookRequest",
    "AddUserPlaybookResponse",
    "AgentPlaybook",
    "AgentPlaybookView",
    "BlockingIssue",
    "DeleteAgentPlaybookRequest",
    "DeleteAgentPlaybookResponse",
    "DeleteAgentPlaybooksByIdsRequest",
    "DeleteUserPlaybookRequest",
    "DeleteUserPlaybookResponse",
    "DeleteUserPlaybooksByIdsRequest",
    "GetAgentPlaybooksRequest",
    "GetAgentPlaybooksViewResponse",
    "GetUserPlaybooksRequest",
    "GetUserPlaybooksViewResponse",
    "SearchAgentPlaybookRequest",
    "SearchAgentPlaybooksViewResponse",
    "SearchUserPlaybookRequest",
    "SearchUserPlaybooksViewResponse",
    "UpdateAgentPlaybookRequest",
    "UpdateAgentPlaybookResponse",
    "UpdatePlaybookStatusRequest",
    "UpdatePlaybookStatusResponse",
    "UpdateUserPlaybookRequest",
    "UpdateUserPlaybookResponse",
    "UserPlaybook",
    "UserPlaybookView",
]


class AddUserPlaybookRequest(WireModel):
    """User playbooks to store as they are; each needs content or a trigger."""

    user_playbooks: list[UserPlaybook] = Field(min_length=1, max_length=1000)

    @field_validator("user_playbooks")
    @classmethod
    def _say_something(cls, playbooks: list[UserPlaybook]) -> list[UserPlaybook]:
        for position, playbook in enumerate(playbooks):
            if not playbook.content.strip() and not (playbook.trigger or "").strip():
                raise ValueError(f"user_playbooks[{position}] has neither content nor trigger")
        return playbooks


class AddUserPlaybookResponse(Reply):
    """How many user playbooks were stored."""

    added_count: int = 0
    message: str | None = None


class AddAgentPlaybookRequest(WireModel):
    """Agent playbooks to store as they are; each needs content."""

    agent_playbooks: list[AgentPlaybook] = Field(min_length=1)

    @field_validator("agent_playbooks")
    @classmethod
    def _have_content(cls, playbooks: list[AgentPlaybook]) -> list[AgentPlaybook]:
        for position, playbook in enumerate(playbooks):
            if not playbook.content.strip():
                raise ValueError(f"agent_playbooks[{position}] has no content")
        return playbooks


class AddAgentPlaybookResponse(Reply):
    """How many agent playbooks were stored."""

    added_count: int = 0
    message: str | None = None


class GetUserPlaybooksRequest(TimeRange, Listing):
    """User playbooks, newest first; every given field narrows the list."""

    user_id: Identifier | None = None
    user_playbook_id: ExistingRowId | None = None
    request_id: Text | None = None
    agent_version: Label | None = None
    playbook_name: Text | None = None
    query: Text | None = Field(default=None, max_length=MAX_QUERY_CHARACTERS)
    status_filter: list[Status | None] | None = None
    tags: list[Text] | None = None
    limit: RowCount | None = 100


class GetUserPlaybooksViewResponse(ListingReply):
    """A page of user playbooks."""

    user_playbooks: list[UserPlaybookView]
    msg: str | None = None


class GetAgentPlaybooksRequest(TimeRange, Listing):
    """Agent playbooks, newest first; every given field narrows the list."""

    agent_playbook_id: ExistingRowId | None = None
    agent_version: Label | None = None
    playbook_name: Text | None = None
    playbook_status_filter: PlaybookStatus | None = None
    query: Text | None = Field(default=None, max_length=MAX_QUERY_CHARACTERS)
    status_filter: list[Status | None] | None = None
    tags: list[Text] | None = None
    request_id: Text | None = None
    session_id: Identifier | None = None
    limit: RowCount | None = 100


class GetAgentPlaybooksViewResponse(ListingReply):
    """A page of agent playbooks."""

    agent_playbooks: list[AgentPlaybookView]
    msg: str | None = None


class SearchUserPlaybookRequest(TimeRange):
    """Find user playbooks. ``session_id`` leaves out what this session has been given before."""

    user_id: Identifier | None = Field(default=None, max_length=512)
    query: Text | None = Field(default=None, max_length=MAX_QUERY_CHARACTERS)
    top_k: int | None = Field(default=10, gt=0, le=100)
    threshold: float | None = Field(default=None, ge=0.0, le=1.0)
    search_mode: SearchMode = SearchMode.HYBRID
    agent_version: Label | None = None
    playbook_name: Text | None = None
    source: SourceLabel | None = None
    status_filter: list[Status | None] | None = None
    tags: list[Text] | None = None
    enable_reformulation: bool | None = False
    request_id: Identifier | None = Field(default=None, max_length=512)
    session_id: Identifier | None = Field(default=None, max_length=512)


class SearchUserPlaybooksViewResponse(Reply):
    """Matching user playbooks, best first; ``degraded`` true when a part that should have searched could not."""

    user_playbooks: list[UserPlaybookView]
    experiment: RetrievalExperimentAssignment | None = None
    msg: str | None = None
    degraded: bool = False
    degraded_parts: list[str] = Field(default_factory=list)


class SearchAgentPlaybookRequest(TimeRange):
    """Find agent playbooks: approved ones, unless ``playbook_status_filter`` names others."""

    query: Text | None = Field(default=None, max_length=MAX_QUERY_CHARACTERS)
    top_k: RowCount | None = 10
    threshold: float | None = Field(default=None, ge=0.0, le=1.0)
    search_mode: SearchMode = SearchMode.HYBRID
    agent_version: Label | None = None
    playbook_name: Text | None = None
    playbook_status_filter: PlaybookStatus | list[PlaybookStatus] | None = None
    source: SourceLabel | None = None
    status_filter: list[Status | None] | None = None
    tags: list[Text] | None = None
    enable_reformulation: bool | None = False
    user_id: Identifier | None = None
    request_id: Identifier | None = None
    session_id: Identifier | None = None


class SearchAgentPlaybooksViewResponse(Reply):
    """Matching agent playbooks, best first; ``degraded`` true when a part that should have searched could not."""

    agent_playbooks: list[AgentPlaybookView]
    experiment: RetrievalExperimentAssignment | None = None
    msg: str | None = None
    degraded: bool = False
    degraded_parts: list[str] = Field(default_factory=list)


class UpdateUserPlaybookRequest(WireModel):
    """New text for a user playbook; what is left out stays."""

    user_playbook_id: ExistingRowId
    playbook_name: Text | None = None
    trigger: Text | None = None
    content: Text | None = None
    rationale: Text | None = None
    pitfall: Text | None = None


class UpdateUserPlaybookResponse(Reply):
    """Outcome of changing a user playbook."""

    msg: str | None = None


class UpdateAgentPlaybookRequest(WireModel):
    """New text or verdict for an agent playbook; what is left out stays."""

    agent_playbook_id: ExistingRowId
    playbook_name: Text | None = None
    trigger: Text | None = None
    content: Text | None = None
    rationale: Text | None = None
    pitfall: Text | None = None
    playbook_status: PlaybookStatus | None = None


class UpdateAgentPlaybookResponse(Reply):
    """Outcome of changing an agent playbook."""

    msg: str | None = None


class UpdatePlaybookStatusRequest(WireModel):
    """A person's verdict on an agent playbook."""

    agent_playbook_id: ExistingRowId
    playbook_status: PlaybookStatus


class UpdatePlaybookStatusResponse(Reply):
    """Outcome of a verdict."""

    msg: str | None = None


class DeleteUserPlaybookRequest(WireModel):
    """One user playbook, to delete."""

    user_playbook_id: ExistingRowId


class DeleteUserPlaybookResponse(Reply):
    """Outcome of deleting a user playbook."""

    message: str = ""


class DeleteAgentPlaybookRequest(WireModel):
    """One agent playbook, to delete."""

    agent_playbook_id: ExistingRowId


class DeleteAgentPlaybookResponse(Reply):
    """Outcome of deleting an agent playbook."""

    message: str = ""


class DeleteUserPlaybooksByIdsRequest(WireModel):
    """User playbooks to delete in one call."""

    user_playbook_ids: list[RowId] = Field(min_length=1, max_length=10_000)


class DeleteAgentPlaybooksByIdsRequest(WireModel):
    """Agent playbooks to delete in one call."""

    agent_playbook_ids: list[RowId] = Field(min_length=1, max_length=10_000)
