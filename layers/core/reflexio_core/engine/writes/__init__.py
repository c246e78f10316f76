"""Learnings written by people: adding, changing, approving."""

from reflexio_core.engine.writes.add_playbooks import add_agent_playbooks, add_user_playbooks
from reflexio_core.engine.writes.add_profiles import add_user_profiles
from reflexio_core.engine.writes.changes import (
    update_agent_playbook,
    update_agent_playbook_status,
    update_user_playbook,
    update_user_profile,
)

__all__ = [
    "add_agent_playbooks",
    "add_user_playbooks",
    "add_user_profiles",
    "update_agent_playbook",
    "update_agent_playbook_status",
    "update_user_playbook",
    "update_user_profile",
]
