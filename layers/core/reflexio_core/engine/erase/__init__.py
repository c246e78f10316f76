"""Deletes, as the wire offers them. After one returns, nothing derived only from what went can appear."""

from reflexio_core.engine.erase.conversations import (
    clear_user_data,
    delete_all_interactions,
    delete_interaction,
    delete_request,
    delete_requests_by_ids,
    delete_session,
)
from reflexio_core.engine.erase.learnings import (
    delete_agent_playbook,
    delete_agent_playbooks_by_ids,
    delete_all_agent_playbooks,
    delete_all_playbooks,
    delete_all_profiles,
    delete_all_user_playbooks,
    delete_profile,
    delete_profiles_by_ids,
    delete_user_playbook,
    delete_user_playbooks_by_ids,
)

__all__ = [
    "clear_user_data",
    "delete_agent_playbook",
    "delete_agent_playbooks_by_ids",
    "delete_all_agent_playbooks",
    "delete_all_interactions",
    "delete_all_playbooks",
    "delete_all_profiles",
    "delete_all_user_playbooks",
    "delete_interaction",
    "delete_profile",
    "delete_profiles_by_ids",
    "delete_request",
    "delete_requests_by_ids",
    "delete_session",
    "delete_user_playbook",
    "delete_user_playbooks_by_ids",
]
