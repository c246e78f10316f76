"""Reading what is stored, page by page."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from reflexio._calls.call import Call, read_get, read_post, request_from
from reflexio.models.enums import PlaybookStatus, Status
from reflexio.models.interactions import (
    GetInteractionsRequest,
    GetInteractionsViewResponse,
    GetRequestsRequest,
    GetRequestsViewResponse,
)
from reflexio.models.playbooks import (
    GetAgentPlaybooksRequest,
    GetAgentPlaybooksViewResponse,
    GetUserPlaybooksRequest,
    GetUserPlaybooksViewResponse,
)
from reflexio.models.profiles import GetProfilesViewResponse, GetUserProfilesRequest


def get_interactions(
    request: GetInteractionsRequest | Mapping[str, Any] | None = None,
    *,
    user_id: str | None = None,
    start_time: datetime | None = None,
    end_time: datetime | None = None,
    top_k: int | None = None,
    next_token: str | None = None,
) -> Call[GetInteractionsViewResponse]:
    """One user's turns, newest first, 30 to a page unless ``top_k`` says otherwise."""
    given = {name: value for name, value in locals().items() if name != "request"}
    return read_post(
        "/api/get_interactions", request_from(GetInteractionsRequest, request, given), GetInteractionsViewResponse
    )


def get_all_interactions(limit: int = 100, *, next_token: str | None = None) -> Call[GetInteractionsViewResponse]:
    """Every user's turns, newest first. Needs the admin scope."""
    return read_get("/api/get_all_interactions", GetInteractionsViewResponse, limit=limit, next_token=next_token)


def get_requests(
    request: GetRequestsRequest | Mapping[str, Any] | None = None,
    *,
    user_id: str | None = None,
    request_id: str | None = None,
    session_id: str | None = None,
    source: str | None = None,
    start_time: datetime | None = None,
    end_time: datetime | None = None,
    top_k: int | None = None,
    offset: int | None = None,
    next_token: str | None = None,
) -> Call[GetRequestsViewResponse]:
    """Publications by session, newest session first; ``top_k`` (30) and ``offset`` count sessions."""
    given = {name: value for name, value in locals().items() if name != "request"}
    return read_post("/api/get_requests", request_from(GetRequestsRequest, request, given), GetRequestsViewResponse)


def get_profiles(
    request: GetUserProfilesRequest | Mapping[str, Any] | None = None,
    force_refresh: bool = False,
    *,
    user_id: str | None = None,
    profile_id: str | None = None,
    query: str | None = None,
    source: str | None = None,
    profile_time_to_live: str | None = None,
    status_filter: Sequence[Status | None] | None = None,
    tags: Sequence[str] | None = None,
    start_time: datetime | None = None,
    end_time: datetime | None = None,
    top_k: int | None = None,
    next_token: str | None = None,
) -> Call[GetProfilesViewResponse]:
    """One user's facts, last modified first, current ones unless ``status_filter`` says otherwise.

    ``force_refresh`` changes nothing: every call asks the service.
    """
    given = {name: value for name, value in locals().items() if name not in ("request", "force_refresh")}
    return read_post("/api/get_profiles", request_from(GetUserProfilesRequest, request, given), GetProfilesViewResponse)


def get_all_profiles(
    limit: int = 100,
    status_filter: Literal["current", "pending", "archived"] | None = None,
    user_id: str | None = None,
    profile_id: str | None = None,
    query: str | None = None,
    source: str | None = None,
    profile_time_to_live: str | None = None,
    start_time: int | None = None,
    end_time: int | None = None,
    date_field: Literal["last_modified_timestamp", "created_at"] = "last_modified_timestamp",
    *,
    include_tombstones: bool = False,
    next_token: str | None = None,
) -> Call[GetProfilesViewResponse]:
    """Every user's facts. Needs the admin scope. Times are epoch seconds and bound ``date_field``."""
    return read_get(
        "/api/get_all_profiles",
        GetProfilesViewResponse,
        limit=limit,
        status_filter=status_filter,
        profile_id=profile_id,
        user_id=user_id,
        query=query,
        source=source,
        profile_time_to_live=profile_time_to_live,
        start_time=start_time,
        end_time=end_time,
        date_field=date_field,
        include_tombstones=include_tombstones or None,
        next_token=next_token,
    )


def get_user_playbooks(
    request: GetUserPlaybooksRequest | Mapping[str, Any] | None = None,
    *,
    limit: int | None = None,
    user_playbook_id: int | None = None,
    user_id: str | None = None,
    request_id: str | None = None,
    query: str | None = None,
    playbook_name: str | None = None,
    agent_version: str | None = None,
    start_time: datetime | None = None,
    end_time: datetime | None = None,
    status_filter: Sequence[Status | None] | None = None,
    tags: Sequence[str] | None = None,
    next_token: str | None = None,
) -> Call[GetUserPlaybooksViewResponse]:
    """User playbooks, newest first, 100 to a page unless ``limit`` says otherwise."""
    given = {name: value for name, value in locals().items() if name != "request"}
    return read_post(
        "/api/get_user_playbooks", request_from(GetUserPlaybooksRequest, request, given), GetUserPlaybooksViewResponse
    )


def get_agent_playbooks(
    request: GetAgentPlaybooksRequest | Mapping[str, Any] | None = None,
    force_refresh: bool = False,
    *,
    limit: int | None = None,
    agent_playbook_id: int | None = None,
    playbook_name: str | None = None,
    agent_version: str | None = None,
    query: str | None = None,
    start_time: datetime | None = None,
    end_time: datetime | None = None,
    status_filter: Sequence[Status | None] | None = None,
    playbook_status_filter: PlaybookStatus | str | None = None,
    tags: Sequence[str] | None = None,
    request_id: str | None = None,
    session_id: str | None = None,
    next_token: str | None = None,
) -> Call[GetAgentPlaybooksViewResponse]:
    """Agent playbooks, newest first, 100 to a page unless ``limit`` says otherwise.

    ``force_refresh`` changes nothing: every call asks the service.
    """
    given = {name: value for name, value in locals().items() if name not in ("request", "force_refresh")}
    return read_post(
        "/api/get_agent_playbooks",
        request_from(GetAgentPlaybooksRequest, request, given),
        GetAgentPlaybooksViewResponse,
    )
