"""Finding learnings and turns. A text in the place of a whole request is the query."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from reflexio._calls.call import Call, M, read_post, request_from
from reflexio._exceptions import InvalidArgument
from reflexio.models.enums import PlaybookStatus, SearchMode, Status
from reflexio.models.interactions import SearchInteractionRequest, SearchInteractionsViewResponse
from reflexio.models.playbooks import (
    SearchAgentPlaybookRequest,
    SearchAgentPlaybooksViewResponse,
    SearchUserPlaybookRequest,
    SearchUserPlaybooksViewResponse,
)
from reflexio.models.profiles import SearchProfilesViewResponse, SearchUserProfileRequest
from reflexio.models.search import ConversationTurn, EntityType, UnifiedSearchRequest, UnifiedSearchViewResponse


def search(
    request: UnifiedSearchRequest | Mapping[str, Any] | str | None = None,
    *,
    query: str | None = None,
    top_k: int | None = None,
    threshold: float | None = None,
    agent_version: str | None = None,
    playbook_name: str | None = None,
    user_id: str | None = None,
    source: str | None = None,
    tags: Sequence[str] | None = None,
    entity_types: Sequence[EntityType] | None = None,
    agent_playbook_status_filter: Sequence[PlaybookStatus] | None = None,
    enable_reformulation: bool | None = None,
    enable_agent_answer: bool | None = None,
    conversation_history: Sequence[ConversationTurn | Mapping[str, Any]] | None = None,
    search_mode: SearchMode | str | None = None,
    request_id: str | None = None,
    session_id: str | None = None,
    interaction_id: int | None = None,
) -> Call[UnifiedSearchViewResponse]:
    """The best profiles, user playbooks and agent playbooks for a query, ``top_k`` (5) of each.

    Pass the query and keywords, or a whole request as the first argument. With ``session_id``, what this session has
    been given before is left out.
    """
    given = {name: value for name, value in locals().items() if name != "request"}
    return read_post("/api/search", _searched(UnifiedSearchRequest, request, given), UnifiedSearchViewResponse)


def search_user_profiles(
    request: SearchUserProfileRequest | Mapping[str, Any] | str | None = None,
    *,
    user_id: str | None = None,
    query: str | None = None,
    top_k: int | None = None,
    threshold: float | None = None,
    source: str | None = None,
    tags: Sequence[str] | None = None,
    custom_feature: str | None = None,
    extractor_name: str | None = None,
    generated_from_request_id: str | None = None,
    start_time: datetime | None = None,
    end_time: datetime | None = None,
    enable_reformulation: bool | None = None,
    search_mode: SearchMode | str | None = None,
    request_id: str | None = None,
    session_id: str | None = None,
) -> Call[SearchProfilesViewResponse]:
    """Facts about one user that match a query, best first."""
    given = {name: value for name, value in locals().items() if name != "request"}
    return read_post(
        "/api/search_profiles", _searched(SearchUserProfileRequest, request, given), SearchProfilesViewResponse
    )


def search_user_playbooks(
    request: SearchUserPlaybookRequest | Mapping[str, Any] | str | None = None,
    *,
    query: str | None = None,
    user_id: str | None = None,
    agent_version: str | None = None,
    playbook_name: str | None = None,
    source: str | None = None,
    start_time: datetime | None = None,
    end_time: datetime | None = None,
    status_filter: Sequence[Status | None] | None = None,
    tags: Sequence[str] | None = None,
    top_k: int | None = None,
    threshold: float | None = None,
    enable_reformulation: bool | None = None,
    search_mode: SearchMode | str | None = None,
    request_id: str | None = None,
    session_id: str | None = None,
) -> Call[SearchUserPlaybooksViewResponse]:
    """User playbooks that match a query, best first."""
    given = {name: value for name, value in locals().items() if name != "request"}
    return read_post(
        "/api/search_user_playbooks",
        _searched(SearchUserPlaybookRequest, request, given),
        SearchUserPlaybooksViewResponse,
    )


def search_agent_playbooks(
    request: SearchAgentPlaybookRequest | Mapping[str, Any] | str | None = None,
    *,
    query: str | None = None,
    agent_version: str | None = None,
    playbook_name: str | None = None,
    start_time: datetime | None = None,
    end_time: datetime | None = None,
    status_filter: Sequence[Status | None] | None = None,
    playbook_status_filter: PlaybookStatus | Sequence[PlaybookStatus] | None = None,
    source: str | None = None,
    tags: Sequence[str] | None = None,
    top_k: int | None = None,
    threshold: float | None = None,
    enable_reformulation: bool | None = None,
    search_mode: SearchMode | str | None = None,
    user_id: str | None = None,
    request_id: str | None = None,
    session_id: str | None = None,
) -> Call[SearchAgentPlaybooksViewResponse]:
    """Agent playbooks that match a query, best first: approved ones unless ``playbook_status_filter`` names others."""
    given = {name: value for name, value in locals().items() if name != "request"}
    return read_post(
        "/api/search_agent_playbooks",
        _searched(SearchAgentPlaybookRequest, request, given),
        SearchAgentPlaybooksViewResponse,
    )


def search_interactions(
    request: SearchInteractionRequest | Mapping[str, Any] | str | None = None,
    *,
    user_id: str | None = None,
    request_id: str | None = None,
    query: str | None = None,
    start_time: datetime | None = None,
    end_time: datetime | None = None,
    top_k: int | None = None,
    most_recent_k: int | None = None,
    threshold: float | None = None,
    search_mode: SearchMode | str | None = None,
) -> Call[SearchInteractionsViewResponse]:
    """One user's turns that match a query; ``most_recent_k`` asks for that many in order of time."""
    given = {name: value for name, value in locals().items() if name != "request"}
    return read_post(
        "/api/search_interactions",
        _searched(SearchInteractionRequest, request, given),
        SearchInteractionsViewResponse,
    )


def _searched(model: type[M], request: M | Mapping[str, Any] | str | None, given: Mapping[str, Any]) -> M:
    """The search that a caller means. Raises ``InvalidArgument`` for two queries, and as ``request_from`` does."""
    if not isinstance(request, str):
        return request_from(model, request, given)
    if given.get("query") is not None:
        raise InvalidArgument("the query was given twice: as the first argument and as query=")
    return request_from(model, None, {**given, "query": request})
