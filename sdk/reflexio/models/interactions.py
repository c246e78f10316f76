"""Publishing conversations, following what is learned from them, reading and deleting them."""

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from reflexio.models.base import (
    MAX_QUERY_CHARACTERS,
    Listing,
    ListingReply,
    Reply,
    RowCount,
    RowOffset,
    SourceLabel,
    WireModel,
    epoch_now,
)
from reflexio.models.enums import SearchMode
from reflexio.models.experiments import Arm
from reflexio.models.identifiers import ExistingRowId, Identifier, Label
from reflexio.models.text import Text
from reflexio.models.times import TimeRange
from reflexio.models.turns import Citation, InteractionData, InteractionView, RetrievedLearning, ToolUsed

__all__ = [
    "Citation",
    "DeleteRequestRequest",
    "DeleteRequestResponse",
    "DeleteRequestsByIdsRequest",
    "DeleteSessionRequest",
    "DeleteSessionResponse",
    "DeleteUserInteractionRequest",
    "DeleteUserInteractionResponse",
    "FinalizeSessionRequest",
    "FinalizeSessionResponse",
    "GetInteractionsRequest",
    "GetInteractionsViewResponse",
    "GetRequestsRequest",
    "GetRequestsViewResponse",
    "InteractionData",
    "InteractionView",
    "LearningStatusResponse",
    "PublishUserInteractionRequest",
    "PublishUserInteractionResponse",
    "Request",
    "RequestDataView",
    "RetrievedLearning",
    "SearchInteractionRequest",
    "SearchInteractionsViewResponse",
    "SessionView",
    "ToolUsed",
]

MAX_RETRIEVED_LEARNINGS = 1000


class PublishUserInteractionRequest(WireModel):
    """Turns of one user's session, to store and to learn from.

    ``request_id`` names this publication: sending it again with the same body changes nothing. Learning waits for
    enough turns; ``session_finished`` says that no more are coming, ``force_extraction`` learns from what is there
    without asking whether it is worth it, ``evaluation_only`` keeps the turns out of learning for good.
    """

    user_id: Identifier
    session_id: Identifier
    request_id: Identifier | None = None
    interaction_data_list: list[InteractionData] = Field(min_length=1, max_length=1000)
    source: SourceLabel = ""
    agent_version: Label = Field(default="", max_length=1000)
    session_finished: bool = False
    skip_aggregation: bool = False
    force_extraction: bool = False
    evaluation_only: bool = False
    override_learning_stall: bool = False
    retrieval_experiment_id: Identifier | None = None
    retrieval_experiment_arm: Arm | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.force_extraction and self.evaluation_only:
            raise ValueError("force_extraction and evaluation_only exclude each other")
        if (self.retrieval_experiment_id is None) != (self.retrieval_experiment_arm is None):
            raise ValueError("send retrieval_experiment_id and retrieval_experiment_arm together or not at all")
        retrieved = sum(len(turn.retrieved_learnings) for turn in self.interaction_data_list)
        if retrieved > MAX_RETRIEVED_LEARNINGS:
            raise ValueError(
                f"a request carries at most {MAX_RETRIEVED_LEARNINGS} retrieved_learnings over all turns, "
                f"this one has {retrieved}"
            )
        return self


class PublishUserInteractionResponse(Reply):
    """What was stored, under which ``request_id``, and how far learning got by the time of the answer.

    ``learning_status`` is ``done`` or ``deferred``; the counts cover learnings from this request only.
    """

    message: str = ""
    warnings: list[str] = Field(default_factory=list)
    request_id: str | None = None
    storage_type: str | None = None
    storage_label: str | None = None
    endpoint_url: str | None = None
    profiles_added: int | None = None
    profiles_updated: int | None = None
    playbooks_added: int | None = None
    playbooks_updated: int | None = None
    learning_status: str | None = None
    learning_reason: str | None = None


class FinalizeSessionRequest(WireModel):
    """A hint that a session is complete, so that learning need not wait for more turns."""

    user_id: Identifier
    session_id: Identifier


class FinalizeSessionResponse(Reply):
    """``accepted`` is false when the session has no stored turns."""

    accepted: bool = False
    message: str = ""


class LearningStatusResponse(WireModel):
    """How far learning from one request is, why, and what it cost.

    ``error`` is the code of the last failure, ``llm_unavailable`` for one, until an attempt goes well.
    ``usage`` counts provider calls and tokens; ``model`` names the learner, ``offline-rules`` when none is
    configured.
    """

    status: Literal["pending", "processing", "done", "failed", "not_tracked"]
    reason: str | None = None
    error: str | None = None
    usage: dict[str, Any] | None = None
    model: str | None = None


class Request(WireModel):
    """One publication as stored, without its turns."""

    request_id: str
    user_id: str
    created_at: int = Field(default_factory=epoch_now)
    source: str = ""
    agent_version: str = ""
    session_id: str
    evaluation_only: bool = False
    retrieval_experiment_id: str | None = None
    retrieval_experiment_arm: Arm | None = None


class RequestDataView(WireModel):
    """A publication with its turns."""

    request: Request
    interactions: list[InteractionView]


class SessionView(WireModel):
    """A session with its publications."""

    session_id: str
    requests: list[RequestDataView]


class GetInteractionsRequest(TimeRange, Listing):
    """One user's turns, newest first."""

    user_id: Identifier
    top_k: RowCount | None = 30


class GetInteractionsViewResponse(ListingReply):
    """A page of one user's turns, or of all users'."""

    interactions: list[InteractionView]
    msg: str | None = None


class GetRequestsRequest(TimeRange, Listing):
    """Publications by session, newest session first; ``top_k`` and ``offset`` count sessions."""

    user_id: Identifier | None = None
    request_id: Identifier | None = None
    session_id: Identifier | None = None
    source: SourceLabel | None = None
    top_k: RowCount | None = 30
    offset: RowOffset | None = 0


class GetRequestsViewResponse(ListingReply):
    """A page of sessions; ``has_more`` says the same as a ``next_token``."""

    sessions: list[SessionView]
    has_more: bool = False
    msg: str | None = None


class SearchInteractionRequest(TimeRange):
    """Find one user's turns. ``most_recent_k`` asks for that many hits in order of time."""

    user_id: Identifier
    request_id: Identifier | None = None
    query: Text | None = Field(default=None, max_length=MAX_QUERY_CHARACTERS)
    top_k: RowCount | None = None
    most_recent_k: RowCount | None = None
    threshold: float | None = Field(default=None, ge=0.0, le=1.0)
    search_mode: SearchMode = SearchMode.HYBRID


class SearchInteractionsViewResponse(Reply):
    """Matching turns, best first; ``degraded`` true when a part that should have searched could not."""

    interactions: list[InteractionView]
    msg: str | None = None
    degraded: bool = False
    degraded_parts: list[str] = Field(default_factory=list)


class DeleteUserInteractionRequest(WireModel):
    """One turn of one user, to delete."""

    user_id: Identifier
    interaction_id: ExistingRowId


class DeleteUserInteractionResponse(Reply):
    """Outcome of deleting a turn."""

    message: str = ""


class DeleteRequestRequest(WireModel):
    """One publication, to delete with its turns and what was learned from it alone."""

    request_id: Identifier


class DeleteRequestResponse(Reply):
    """Outcome of deleting a publication."""

    message: str = ""


class DeleteSessionRequest(WireModel):
    """One session, to delete with its publications and what was learned from it alone."""

    session_id: Identifier


class DeleteSessionResponse(Reply):
    """Outcome of deleting a session, with the number of publications that it had."""

    message: str = ""
    deleted_requests_count: int = 0


class DeleteRequestsByIdsRequest(WireModel):
    """Publications to delete in one call."""

    request_ids: list[Identifier] = Field(min_length=1, max_length=10_000)
