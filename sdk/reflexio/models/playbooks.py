"""TODO-DOC"""

from datetime import datetime

from pydantic import Field

from reflexio.models.base import SourceLabel, WireModel, epoch_now
from reflexio.models.enums import BlockingIssueKind, PlaybookStatus, SearchMode, Status
from reflexio.models.experiments import RetrievalExperimentAssignment


class BlockingIssue(WireModel):
    """TODO-DOC"""

    details: str
    kind: BlockingIssueKind


class UserPlaybook(WireModel):
    """TODO-DOC"""

    agent_version: str
    request_id: str
    blocking_issue: BlockingIssue | None = None
    content: str = ""
    created_at: int = Field(default_factory=epoch_now)
    embedding: list[float] = Field(default_factory=list)
    expanded_terms: str | None = None
    governance_subject_ref: str | None = None
    merged_into: int | None = None
    notes: str | None = None
    playbook_name: str = ""
    rationale: str | None = None
    reader_angle: str | None = None
    retired_at: int | None = None
    source: str | None = None
    source_interaction_ids: list[int] = Field(default_factory=list)
    source_span: str | None = None
    status: Status | None = None
    superseded_by: int | None = None
    tags: list[str] | None = None
    trigger: str | None = None
    user_id: str | None = None
    user_playbook_id: int = 0


class UserPlaybookView(WireModel):
    """TODO-DOC"""

    agent_version: str
    request_id: str
    content: str = ""
    created_at: int = Field(default_factory=epoch_now)
    exposure_receipt: str | None = Field(default=None, max_length=8192)
    playbook_name: str = ""
    rationale: str | None = None
    source: str | None = None
    source_interaction_ids: list[int] = Field(default_factory=list)
    source_span: str | None = None
    status: Status | None = None
    tags: list[str] = Field(default_factory=list)
    trigger: str | None = None
    user_id: str | None = None
    user_playbook_id: int = 0


class AgentPlaybook(WireModel):
    """TODO-DOC"""

    agent_version: str
    content: str
    agent_playbook_id: int = 0
    blocking_issue: BlockingIssue | None = None
    created_at: int = Field(default_factory=epoch_now)
    embedding: list[float] = Field(default_factory=list)
    expanded_terms: str | None = None
    merged_into: int | None = None
    playbook_metadata: str = ""
    playbook_name: str = ""
    playbook_status: PlaybookStatus = PlaybookStatus.PENDING
    rationale: str | None = None
    status: Status | None = None
    superseded_by: int | None = None
    tags: list[str] | None = None
    trigger: str | None = None


class AgentPlaybookView(WireModel):
    """TODO-DOC"""

    agent_version: str
    content: str
    agent_playbook_id: int = 0
    created_at: int = Field(default_factory=epoch_now)
    playbook_metadata: str = ""
    playbook_name: str = ""
    playbook_status: PlaybookStatus = PlaybookStatus.PENDING
    rationale: str | None = None
    status: Status | None = None
    tags: list[str] = Field(default_factory=list)
    trigger: str | None = None


class AddUserPlaybookRequest(WireModel):
    """TODO-DOC"""

    user_playbooks: list[UserPlaybook] = Field(min_length=1, max_length=1000)


class AddUserPlaybookResponse(WireModel):
    """TODO-DOC"""

    success: bool
    added_count: int = 0
    message: str | None = None


class AddAgentPlaybookRequest(WireModel):
    """TODO-DOC"""

    agent_playbooks: list[AgentPlaybook] = Field(min_length=1)


class AddAgentPlaybookResponse(WireModel):
    """TODO-DOC"""

    success: bool
    added_count: int = 0
    message: str | None = None


class GetUserPlaybooksRequest(WireModel):
    """TODO-DOC"""

    agent_version: str | None = None
    end_time: datetime | None = None
    limit: int | None = Field(default=100, gt=0)
    playbook_name: str | None = None
    query: str | None = None
    request_id: str | None = None
    start_time: datetime | None = None
    status_filter: list[Status | None] | None = None
    tags: list[str] | None = None
    user_id: str | None = None
    user_playbook_id: int | None = Field(default=None, gt=0)


class GetUserPlaybooksViewResponse(WireModel):
    """TODO-DOC"""

    success: bool
    user_playbooks: list[UserPlaybookView]
    msg: str | None = None


class GetAgentPlaybooksRequest(WireModel):
    """TODO-DOC"""

    agent_playbook_id: int | None = Field(default=None, gt=0)
    agent_version: str | None = None
    end_time: datetime | None = None
    limit: int | None = Field(default=100, gt=0)
    playbook_name: str | None = None
    playbook_status_filter: PlaybookStatus | None = None
    query: str | None = None
    request_id: str | None = None
    session_id: str | None = None
    start_time: datetime | None = None
    status_filter: list[Status | None] | None = None
    tags: list[str] | None = None


class GetAgentPlaybooksViewResponse(WireModel):
    """TODO-DOC"""

    agent_playbooks: list[AgentPlaybookView]
    success: bool
    msg: str | None = None


class SearchUserPlaybookRequest(WireModel):
    """TODO-DOC"""

    agent_version: str | None = None
    enable_reformulation: bool | None = False
    end_time: datetime | None = None
    playbook_name: str | None = None
    query: str | None = None
    request_id: str | None = Field(default=None, max_length=255)
    search_mode: SearchMode = SearchMode.HYBRID
    session_id: str | None = Field(default=None, max_length=255)
    source: SourceLabel | None = None
    start_time: datetime | None = None
    status_filter: list[Status | None] | None = None
    tags: list[str] | None = None
    threshold: float | None = Field(default=None, ge=0.0, le=1.0)
    top_k: int | None = Field(default=10, le=100, gt=0)
    user_id: str | None = Field(default=None, max_length=255)


class SearchUserPlaybooksViewResponse(WireModel):
    """TODO-DOC"""

    success: bool
    user_playbooks: list[UserPlaybookView]
    experiment: RetrievalExperimentAssignment | None = None
    msg: str | None = None


class SearchAgentPlaybookRequest(WireModel):
    """TODO-DOC"""

    agent_version: str | None = None
    enable_reformulation: bool | None = False
    end_time: datetime | None = None
    playbook_name: str | None = None
    playbook_status_filter: PlaybookStatus | list[PlaybookStatus] | None = None
    query: str | None = None
    request_id: str | None = None
    search_mode: SearchMode = SearchMode.HYBRID
    session_id: str | None = None
    source: SourceLabel | None = None
    start_time: datetime | None = None
    status_filter: list[Status | None] | None = None
    tags: list[str] | None = None
    threshold: float | None = Field(default=None, ge=0.0, le=1.0)
    top_k: int | None = Field(default=10, gt=0)
    user_id: str | None = None


class SearchAgentPlaybooksViewResponse(WireModel):
    """TODO-DOC"""

    agent_playbooks: list[AgentPlaybookView]
    success: bool
    experiment: RetrievalExperimentAssignment | None = None
    msg: str | None = None


class UpdateUserPlaybookRequest(WireModel):
    """TODO-DOC"""

    user_playbook_id: int = Field(gt=0)
    content: str | None = None
    playbook_name: str | None = None
    rationale: str | None = None
    trigger: str | None = None


class UpdateUserPlaybookResponse(WireModel):
    """TODO-DOC"""

    success: bool
    msg: str | None = None


class UpdateAgentPlaybookRequest(WireModel):
    """TODO-DOC"""

    agent_playbook_id: int = Field(gt=0)
    content: str | None = None
    playbook_name: str | None = None
    playbook_status: PlaybookStatus | None = None
    rationale: str | None = None
    trigger: str | None = None


class UpdateAgentPlaybookResponse(WireModel):
    """TODO-DOC"""

    success: bool
    msg: str | None = None


class UpdatePlaybookStatusRequest(WireModel):
    """TODO-DOC"""

    agent_playbook_id: int = Field(gt=0)
    playbook_status: PlaybookStatus


class UpdatePlaybookStatusResponse(WireModel):
    """TODO-DOC"""

    success: bool
    msg: str | None = None


class DeleteUserPlaybookRequest(WireModel):
    """TODO-DOC"""

    user_playbook_id: int = Field(gt=0)


class DeleteUserPlaybookResponse(WireModel):
    """TODO-DOC"""

    success: bool
    message: str = ""


class DeleteAgentPlaybookRequest(WireModel):
    """TODO-DOC"""

    agent_playbook_id: int = Field(gt=0)


class DeleteAgentPlaybookResponse(WireModel):
    """TODO-DOC"""

    success: bool
    message: str = ""


class DeleteUserPlaybooksByIdsRequest(WireModel):
    """TODO-DOC"""

    user_playbook_ids: list[int] = Field(min_length=1, max_length=10000)


class DeleteAgentPlaybooksByIdsRequest(WireModel):
    """TODO-DOC"""

    agent_playbook_ids: list[int] = Field(min_length=1, max_length=10000)
