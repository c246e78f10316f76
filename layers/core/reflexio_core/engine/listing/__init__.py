"""What is stored, row by row, newest first and page by page. Nothing is cut without a token that leads to the rest."""

from reflexio_core.engine.listing.interactions import get_all_interactions, get_interactions
from reflexio_core.engine.listing.playbooks import get_agent_playbooks, get_user_playbooks
from reflexio_core.engine.listing.profiles import get_all_profiles, get_profiles
from reflexio_core.engine.listing.sessions import get_requests

__all__ = [
    "get_agent_playbooks",
    "get_all_interactions",
    "get_all_profiles",
    "get_interactions",
    "get_profiles",
    "get_requests",
    "get_user_playbooks",
]
