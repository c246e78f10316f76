"""Adding and changing learnings by hand, and a person's verdicts."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from reflexio._calls.call import Call, write
from reflexio._calls.publishing import DEFAULT_AGENT_VERSION
from reflexio.models.base import epoch_now
from reflexio.models.enums import PlaybookStatus
from reflexio.models.playbooks import (
    AddAgentPlaybookRequest,
    AddAgentPlaybookResponse,
    AddUserPlaybookRequest,
    AddUserPlaybookResponse,
    AgentPlaybook,
    UpdateAgentPlaybookRequest,
    UpdateAgentPlaybookResponse,
    UpdatePlaybookStatusRequest,
    UpdatePlaybookStatusResponse,
    UpdateUserPlaybookRequest,
    UpdateUserPlaybookResponse,
    UserPlaybook,
)
from reflexio.models.profiles import (
    AddUserProfileRequest,
    AddUserProfileResponse,
    UpdateUserProfileRequest,
    UpdateUserProfileResponse,
    UserProfile,
)

BY_HAND = "manual"
"""Origin of a learning that no publication led to."""


def add_user_profile(user_profiles: Sequence[UserProfile | Mapping[str, Any]]) -> Call[AddUserProfileResponse]:
    """Store facts as they are. A dict may leave out the id, the time and the origin: they are filled in."""
    rows = [
        row
        if isinstance(row, UserProfile)
        else UserProfile.model_validate(
            {
                "profile_id": str(uuid4()),
                "last_modified_timestamp": epoch_now(),
                "generated_from_request_id": BY_HAND,
                **row,
            }
        )
        for row in user_profiles
    ]
    return write("POST", "/api/add_user_profile", AddUserProfileRequest(user_profiles=rows), AddUserProfileResponse)


def add_user_playbook(
    user_playbooks: Sequence[UserPlaybook | Mapping[str, Any]],
) -> Call[AddUserPlaybookResponse]:
    """Store user playbooks as they are. A dict may leave out agent version and origin: they are filled in."""
    rows = [
        row
        if isinstance(row, UserPlaybook)
        else UserPlaybook.model_validate({"agent_version": DEFAULT_AGENT_VERSION, "request_id": BY_HAND, **row})
        for row in user_playbooks
    ]
    return write("POST", "/api/add_user_playbook", AddUserPlaybookRequest(user_playbooks=rows), AddUserPlaybookResponse)


def add_agent_playbooks(
    agent_playbooks: Sequence[AgentPlaybook | Mapping[str, Any]],
) -> Call[AddAgentPlaybookResponse]:
    """Store agent playbooks as they are. A dict may leave out the agent version."""
    rows = [
        row
        if isinstance(row, AgentPlaybook)
        else AgentPlaybook.model_validate({"agent_version": DEFAULT_AGENT_VERSION, **row})
        for row in agent_playbooks
    ]
    return write(
        "POST", "/api/add_agent_playbook", AddAgentPlaybookRequest(agent_playbooks=rows), AddAgentPlaybookResponse
    )


def update_user_profile(
    user_id: str,
    profile_id: str,
    *,
    content: str | None = None,
    custom_features: Mapping[str, Any] | None = None,
) -> Call[UpdateUserProfileResponse]:
    """Change a fact; what is None stays."""
    request = UpdateUserProfileRequest(
        user_id=user_id,
        profile_id=profile_id,
        content=content,
        custom_features=None if custom_features is None else dict(custom_features),
    )
    return write("PUT", "/api/update_user_profile", request, UpdateUserProfileResponse)


def update_user_playbook(
    user_playbook_id: int,
    *,
    playbook_name: str | None = None,
    content: str | None = None,
    trigger: str | None = None,
    rationale: str | None = None,
    pitfall: str | None = None,
) -> Call[UpdateUserPlaybookResponse]:
    """Change a user playbook; what is None stays."""
    request = UpdateUserPlaybookRequest(
        user_playbook_id=user_playbook_id,
        playbook_name=playbook_name,
        content=content,
        trigger=trigger,
        rationale=rationale,
        pitfall=pitfall,
    )
    return write("PUT", "/api/update_user_playbook", request, UpdateUserPlaybookResponse)


def update_agent_playbook(
    agent_playbook_id: int,
    *,
    playbook_name: str | None = None,
    content: str | None = None,
    trigger: str | None = None,
    rationale: str | None = None,
    pitfall: str | None = None,
    playbook_status: PlaybookStatus | None = None,
) -> Call[UpdateAgentPlaybookResponse]:
    """Change an agent playbook; what is None stays."""
    request = UpdateAgentPlaybookRequest(
        agent_playbook_id=agent_playbook_id,
        playbook_name=playbook_name,
        content=content,
        trigger=trigger,
        rationale=rationale,
        pitfall=pitfall,
        playbook_status=playbook_status,
    )
    return write("PUT", "/api/update_agent_playbook", request, UpdateAgentPlaybookResponse)


def update_agent_playbook_status(
    agent_playbook_id: int, *, playbook_status: PlaybookStatus | str
) -> Call[UpdatePlaybookStatusResponse]:
    """Approve or reject an agent playbook, or put it back to pending."""
    request = UpdatePlaybookStatusRequest(
        agent_playbook_id=agent_playbook_id, playbook_status=PlaybookStatus(playbook_status)
    )
    return write("PUT", "/api/update_agent_playbook_status", request, UpdatePlaybookStatusResponse)
