"""Deleting. Every call returns when the rows are gone; ``wait_for_response`` is accepted and changes nothing."""

from collections.abc import Sequence

from reflexio._calls.call import Call, write
from reflexio.models.interactions import (
    DeleteRequestRequest,
    DeleteRequestResponse,
    DeleteRequestsByIdsRequest,
    DeleteSessionRequest,
    DeleteSessionResponse,
    DeleteUserInteractionRequest,
    DeleteUserInteractionResponse,
)
from reflexio.models.playbooks import (
    DeleteAgentPlaybookRequest,
    DeleteAgentPlaybookResponse,
    DeleteAgentPlaybooksByIdsRequest,
    DeleteUserPlaybookRequest,
    DeleteUserPlaybookResponse,
    DeleteUserPlaybooksByIdsRequest,
)
from reflexio.models.profiles import (
    DeleteProfilesByIdsRequest,
    DeleteUserProfileRequest,
    DeleteUserProfileResponse,
)
from reflexio.models.service import BulkDeleteResponse, ClearUserDataRequest, ClearUserDataResponse

# ruff: noqa: ARG001 - wait_for_response is part of the published signatures


def delete_profile(
    user_id: str, profile_id: str = "", search_query: str = "", wait_for_response: bool = True
) -> Call[DeleteUserProfileResponse]:
    """Delete a fact by its id, or the one that ``search_query`` finds."""
    request = DeleteUserProfileRequest(user_id=user_id, profile_id=profile_id, search_query=search_query)
    return write("DELETE", "/api/delete_profile", request, DeleteUserProfileResponse)


def delete_interaction(
    user_id: str, interaction_id: int, wait_for_response: bool = True
) -> Call[DeleteUserInteractionResponse]:
    """Delete one turn."""
    request = DeleteUserInteractionRequest(user_id=user_id, interaction_id=interaction_id)
    return write("DELETE", "/api/delete_interaction", request, DeleteUserInteractionResponse)


def delete_request(request_id: str, wait_for_response: bool = True) -> Call[DeleteRequestResponse]:
    """Delete one publication with its turns and what was learned from it alone."""
    request = DeleteRequestRequest(request_id=request_id)
    return write("DELETE", "/api/delete_request", request, DeleteRequestResponse)


def delete_session(session_id: str, wait_for_response: bool = True) -> Call[DeleteSessionResponse]:
    """Delete a session with its publications and what was learned from them alone."""
    request = DeleteSessionRequest(session_id=session_id)
    return write("DELETE", "/api/delete_session", request, DeleteSessionResponse)


def delete_bound_session(session_id: str = "", wait_for_response: bool = True) -> Call[DeleteSessionResponse]:
    """Delete this session with its publications and what was learned from them alone."""
    return delete_session(session_id)


def delete_user_playbook(user_playbook_id: int, wait_for_response: bool = True) -> Call[DeleteUserPlaybookResponse]:
    """Delete one user playbook."""
    request = DeleteUserPlaybookRequest(user_playbook_id=user_playbook_id)
    return write("DELETE", "/api/delete_user_playbook", request, DeleteUserPlaybookResponse)


def delete_agent_playbook(agent_playbook_id: int, wait_for_response: bool = True) -> Call[DeleteAgentPlaybookResponse]:
    """Delete one agent playbook."""
    request = DeleteAgentPlaybookRequest(agent_playbook_id=agent_playbook_id)
    return write("DELETE", "/api/delete_agent_playbook", request, DeleteAgentPlaybookResponse)


def delete_requests_by_ids(request_ids: Sequence[str]) -> Call[BulkDeleteResponse]:
    """Delete publications, as ``delete_request`` does each."""
    request = DeleteRequestsByIdsRequest(request_ids=list(request_ids))
    return write("DELETE", "/api/delete_requests_by_ids", request, BulkDeleteResponse)


def delete_profiles_by_ids(profile_ids: Sequence[str]) -> Call[BulkDeleteResponse]:
    """Delete facts; ids that do not exist are not counted."""
    request = DeleteProfilesByIdsRequest(profile_ids=list(profile_ids))
    return write("DELETE", "/api/delete_profiles_by_ids", request, BulkDeleteResponse)


def delete_user_playbooks_by_ids(user_playbook_ids: Sequence[int]) -> Call[BulkDeleteResponse]:
    """Delete user playbooks; ids that do not exist are not counted."""
    request = DeleteUserPlaybooksByIdsRequest(user_playbook_ids=list(user_playbook_ids))
    return write("DELETE", "/api/delete_user_playbooks_by_ids", request, BulkDeleteResponse)


def delete_agent_playbooks_by_ids(agent_playbook_ids: Sequence[int]) -> Call[BulkDeleteResponse]:
    """Delete agent playbooks; ids that do not exist are not counted."""
    request = DeleteAgentPlaybooksByIdsRequest(agent_playbook_ids=list(agent_playbook_ids))
    return write("DELETE", "/api/delete_agent_playbooks_by_ids", request, BulkDeleteResponse)


def delete_all_interactions() -> Call[BulkDeleteResponse]:
    """Delete every publication of the tenant with its turns. Needs the admin scope."""
    return write("DELETE", "/api/delete_all_interactions", None, BulkDeleteResponse)


def delete_all_profiles() -> Call[BulkDeleteResponse]:
    """Delete every fact of the tenant. Needs the admin scope."""
    return write("DELETE", "/api/delete_all_profiles", None, BulkDeleteResponse)


def delete_all_playbooks() -> Call[BulkDeleteResponse]:
    """Delete every playbook of the tenant, user and agent. Needs the admin scope."""
    return write("DELETE", "/api/delete_all_playbooks", None, BulkDeleteResponse)


def delete_all_user_playbooks() -> Call[BulkDeleteResponse]:
    """Delete every user playbook of the tenant. Needs the admin scope."""
    return write("DELETE", "/api/delete_all_user_playbooks", None, BulkDeleteResponse)


def delete_all_agent_playbooks() -> Call[BulkDeleteResponse]:
    """Delete every agent playbook of the tenant. Needs the admin scope."""
    return write("DELETE", "/api/delete_all_agent_playbooks", None, BulkDeleteResponse)


def clear_user_data(user_id: str) -> Call[ClearUserDataResponse]:
    """Erase a user: every turn, fact and user playbook. Nothing of them comes back, queued learning included."""
    return write("POST", "/api/clear_user_data", ClearUserDataRequest(user_id=user_id), ClearUserDataResponse)
