"""TODO-DOC"""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from reflexio.models.base import SourceLabel, WireModel, epoch_now
from reflexio.models.enums import CitationKind, RetrievedLearningKind, SearchMode, UserActionType


class ToolUsed(WireModel):
    """TODO-DOC"""

    tool_name: str
    status: str = ""
    tool_data: dict[str, Any] = Field(default_factory=dict)


class Citation(WireModel):
    """TODO-DOC"""

    kind: CitationKind
    real_id: str
    tag: str = ""
    title: str = ""


class RetrievedLearning(WireModel):
    """TODO-DOC"""

    kind: RetrievedLearningKind
    learning_id: str = Field(min_length=1, max_length=1000)
    exposure_receipt: str | None = Field(default=None, max_length=8192)
    exposure_receipt_digest: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")


class InteractionData(WireModel):
    """TODO-DOC"""

    citations: list[Citation] = Field(default_factory=list, max_length=1000)
    content: str = Field(default="", max_length=1000000)
    created_at: int = Field(default_factory=epoch_now)
    expert_content: str = Field(default="", max_length=1000000)
    image_encoding: str = Field(default="", max_length=15000000)
    interacted_image_url: str = Field(default="", max_length=2048)
    retrieved_learnings: list[RetrievedLearning] = Field(default_factory=list, max_length=1000)
    role: str = Field(default="User", max_length=1000)
    shadow_content: str = Field(default="", max_length=1000000)
    tools_used: list[ToolUsed] = Field(default_factory=list, max_length=1000)
    user_action: UserActionType = UserActionType.NONE
    user_action_description: str = Field(default="", max_length=10000)


class PublishUserInteractionRequest(WireModel):
    """TODO-DOC"""

    interaction_data_list: list[InteractionData] = Field(min_length=1, max_length=1000)
    session_id: str
    user_id: str
    agent_version: str = Field(default="", max_length=1000)
    evaluation_only: bool = False
    force_extraction: bool = False
    override_learning_stall: bool = False
    request_id: str | None = None
    retrieval_experiment_arm: Literal["treatment", "holdout"] | None = None
    retrieval_experiment_id: str | None = None
    session_finished: bool = False
    skip_aggregation: bool = False
    source: SourceLabel = ""


class PublishUserInteractionResponse(WireModel):
    """TODO-DOC"""

    success: bool
    endpoint_url: str | None = None
    learning_reason: str | None = None
    learning_status: str | None = None
    message: str = ""
    playbooks_added: int | None = None
    playbooks_updated: int | None = None
    profiles_added: int | None = None
    profiles_updated: int | None = None
    request_id: str | None = None
    storage_label: str | None = None
    storage_type: str | None = None
    warnings: list[str] = Field(default_factory=list)


class FinalizeSessionRequest(WireModel):
    """TODO-DOC"""

    session_id: str
    user_id: str


class FinalizeSessionResponse(WireModel):
    """TODO-DOC"""

    success: bool
    accepted: bool = False
    message: str = ""


class LearningStatusResponse(WireModel):
    """TODO-DOC"""

    status: Literal["pending", "processing", "done", "failed", "not_tracked"]
    reason: str | None = None


class InteractionView(WireModel):
    """TODO-DOC"""

    request_id: str
    user_id: str
    content: str = ""
    created_at: int = Field(default_factory=epoch_now)
    expert_content: str = ""
    interacted_image_url: str = ""
    interaction_id: int = 0
    retrieved_learnings: list[RetrievedLearning] = Field(default_factory=list)
    role: str = "User"
    shadow_content: str = ""
    tools_used: list[ToolUsed] = Field(default_factory=list)
    user_action: UserActionType = UserActionType.NONE
    user_action_description: str = ""


class Request(WireModel):
    """TODO-DOC"""

    request_id: str
    session_id: str
    user_id: str
    agent_version: str = ""
    created_at: int = Field(default_factory=epoch_now)
    evaluation_only: bool = False
    retrieval_experiment_arm: Literal["treatment", "holdout"] | None = None
    retrieval_experiment_id: str | None = None
    source: str = ""


class RequestDataView(WireModel):
    """TODO-DOC"""

    interactions: list[InteractionView]
    request: Request


class SessionView(WireModel):
    """TODO-DOC"""

    requests: list[RequestDataView]
    session_id: str


class GetInteractionsRequest(WireModel):
    """TODO-DOC"""

    user_id: str
    end_time: datetime | None = None
    start_time: datetime | None = None
    top_k: int | None = Field(default=30, gt=0)


class GetInteractionsViewResponse(WireModel):
    """TODO-DOC"""

    interactions: list[InteractionView]
    success: bool
    msg: str | None = None


class GetRequestsRequest(WireModel):
    """TODO-DOC"""

    end_time: datetime | None = None
    offset: int | None = Field(default=0, ge=0)
    request_id: str | None = None
    session_id: str | None = None
    source: SourceLabel | None = None
    start_time: datetime | None = None
    top_k: int | None = Field(default=30, gt=0)
    user_id: str | None = None


class GetRequestsViewResponse(WireModel):
    """TODO-DOC"""

    sessions: list[SessionView]
    success: bool
    has_more: bool = False
    msg: str | None = None


class SearchInteractionRequest(WireModel):
    """TODO-DOC"""

    user_id: str
    end_time: datetime | None = None
    most_recent_k: int | None = Field(default=None, gt=0)
    query: str | None = None
    request_id: str | None = None
    search_mode: SearchMode = SearchMode.HYBRID
    start_time: datetime | None = None
    threshold: float | None = Field(default=None, ge=0.0, le=1.0)
    top_k: int | None = Field(default=None, gt=0)


class SearchInteractionsViewResponse(WireModel):
    """TODO-DOC"""

    interactions: list[InteractionView]
    success: bool
    msg: str | None = None


class DeleteUserInteractionRequest(WireModel):
    """TODO-DOC"""

    interaction_id: int = Field(gt=0)
    user_id: str


class DeleteUserInteractionResponse(WireModel):
    """TODO-DOC"""

    success: bool
    message: str = ""


class DeleteRequestRequest(WireModel):
    """TODO-DOC"""

    request_id: str


class DeleteRequestResponse(WireModel):
    """TODO-DOC"""

    success: bool
    message: str = ""


class DeleteSessionRequest(WireModel):
    """TODO-DOC"""

    session_id: str


class DeleteSessionResponse(WireModel):
    """TODO-DOC"""

    success: bool
    deleted_requests_count: int = 0
    message: str = ""


class DeleteRequestsByIdsRequest(WireModel):
    """TODO-DOC"""

    request_ids: list[str] = Field(min_length=1, max_length=10000)
