"""Writing learnings by hand: adding, changing, approving."""

from reflexio.models import playbooks, profiles
from reflexio_core.api.access import Scope
from reflexio_core.api.data_routes import Policy, Service
from reflexio_core.engine import writes


def add_routes(service: Service) -> None:
    """Add the routes of this module. An agent playbook reaches every user of the tenant, so it takes an admin."""
    _add_updates(service)
    _add_additions(service)


def _add_updates(service: Service) -> None:
    write, admin = Policy(Scope.WRITE), Policy(Scope.ADMIN)
    for path, action, body, reply, policy in (
        (
            "update_user_profile",
            writes.update_user_profile,
            profiles.UpdateUserProfileRequest,
            profiles.UpdateUserProfileResponse,
            write,
        ),
        (
            "update_user_playbook",
            writes.update_user_playbook,
            playbooks.UpdateUserPlaybookRequest,
            playbooks.UpdateUserPlaybookResponse,
            write,
        ),
        (
            "update_agent_playbook",
            writes.update_agent_playbook,
            playbooks.UpdateAgentPlaybookRequest,
            playbooks.UpdateAgentPlaybookResponse,
            admin,
        ),
        (
            "update_agent_playbook_status",
            writes.update_agent_playbook_status,
            playbooks.UpdatePlaybookStatusRequest,
            playbooks.UpdatePlaybookStatusResponse,
            admin,
        ),
    ):
        service.call_with_model("PUT", f"/api/{path}", action, body, reply, policy)


def _add_additions(service: Service) -> None:
    for path, action, body, reply, scope in (
        (
            "add_user_profile",
            writes.add_user_profiles,
            profiles.AddUserProfileRequest,
            profiles.AddUserProfileResponse,
            Scope.WRITE,
        ),
        (
            "add_user_playbook",
            writes.add_user_playbooks,
            playbooks.AddUserPlaybookRequest,
            playbooks.AddUserPlaybookResponse,
            Scope.WRITE,
        ),
        (
            "add_agent_playbook",
            writes.add_agent_playbooks,
            playbooks.AddAgentPlaybookRequest,
            playbooks.AddAgentPlaybookResponse,
            Scope.ADMIN,
        ),
    ):
        service.call_with_model("POST", f"/api/{path}", action, body, reply, Policy(scope, per_minute=60))
