"""Deleting. What is deleted stays gone, also what was learned from it alone."""

from reflexio.models import interactions, playbooks, profiles
from reflexio.models.service import BulkDeleteResponse, ClearUserDataRequest, ClearUserDataResponse
from reflexio_core.api.access import Scope
from reflexio_core.api.data_routes import Policy, Service
from reflexio_core.engine import erase


def add_routes(service: Service) -> None:
    """Add the routes of this module."""
    _add_single_deletes(service)
    _add_bulk_deletes(service)
    service.call_with_model(
        "POST",
        "/api/clear_user_data",
        erase.clear_user_data,
        ClearUserDataRequest,
        ClearUserDataResponse,
        Policy(Scope.WRITE, per_minute=10),
    )


def _add_single_deletes(service: Service) -> None:
    write, admin = Policy(Scope.WRITE), Policy(Scope.ADMIN)
    for path, action, body, reply, policy in (
        (
            "delete_interaction",
            erase.delete_interaction,
            interactions.DeleteUserInteractionRequest,
            interactions.DeleteUserInteractionResponse,
            write,
        ),
        (
            "delete_request",
            erase.delete_request,
            interactions.DeleteRequestRequest,
            interactions.DeleteRequestResponse,
            write,
        ),
        (
            "delete_session",
            erase.delete_session,
            interactions.DeleteSessionRequest,
            interactions.DeleteSessionResponse,
            write,
        ),
        (
            "delete_profile",
            erase.delete_profile,
            profiles.DeleteUserProfileRequest,
            profiles.DeleteUserProfileResponse,
            write,
        ),
        (
            "delete_user_playbook",
            erase.delete_user_playbook,
            playbooks.DeleteUserPlaybookRequest,
            playbooks.DeleteUserPlaybookResponse,
            write,
        ),
        (
            "delete_agent_playbook",
            erase.delete_agent_playbook,
            playbooks.DeleteAgentPlaybookRequest,
            playbooks.DeleteAgentPlaybookResponse,
            admin,
        ),
    ):
        service.call_with_model("DELETE", f"/api/{path}", action, body, reply, policy)


def _add_bulk_deletes(service: Service) -> None:
    write, admin = Policy(Scope.WRITE), Policy(Scope.ADMIN)
    for path, action, body, policy in (
        ("delete_requests_by_ids", erase.delete_requests_by_ids, interactions.DeleteRequestsByIdsRequest, write),
        ("delete_profiles_by_ids", erase.delete_profiles_by_ids, profiles.DeleteProfilesByIdsRequest, write),
        (
            "delete_user_playbooks_by_ids",
            erase.delete_user_playbooks_by_ids,
            playbooks.DeleteUserPlaybooksByIdsRequest,
            write,
        ),
        (
            "delete_agent_playbooks_by_ids",
            erase.delete_agent_playbooks_by_ids,
            playbooks.DeleteAgentPlaybooksByIdsRequest,
            admin,
        ),
    ):
        service.call_with_model("DELETE", f"/api/{path}", action, body, BulkDeleteResponse, policy)
    for path, everything in (
        ("delete_all_interactions", erase.delete_all_interactions),
        ("delete_all_profiles", erase.delete_all_profiles),
        ("delete_all_playbooks", erase.delete_all_playbooks),
        ("delete_all_user_playbooks", erase.delete_all_user_playbooks),
        ("delete_all_agent_playbooks", erase.delete_all_agent_playbooks),
    ):
        service.call("DELETE", f"/api/{path}", everything, BulkDeleteResponse, Policy(Scope.ADMIN, per_minute=10))
