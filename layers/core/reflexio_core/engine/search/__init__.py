"""Searches: all kinds of learning at once, or one kind each. Each gives the JSON-ready body of its wire answer."""

from reflexio_core.engine.search.all_kinds import unified
from reflexio_core.engine.search.by_kind import agent_playbooks, interactions, profiles, user_playbooks

__all__ = ["agent_playbooks", "interactions", "profiles", "unified", "user_playbooks"]
