"""Searches: one for all kinds of learning, and one for each kind."""

from reflexio.models.interactions import SearchInteractionRequest, SearchInteractionsViewResponse
from reflexio.models.playbooks import (
    SearchAgentPlaybookRequest,
    SearchAgentPlaybooksViewResponse,
    SearchUserPlaybookRequest,
    SearchUserPlaybooksViewResponse,
)
from reflexio.models.profiles import SearchProfilesViewResponse, SearchUserProfileRequest
from reflexio.models.search import UnifiedSearchRequest, UnifiedSearchViewResponse
from reflexio_core.api.access import Scope
from reflexio_core.api.data_routes import Policy, Service
from reflexio_core.engine import search


def add_routes(service: Service) -> None:
    """Add the routes of this module."""
    policy = Policy(Scope.READ, per_minute=120, slots=service.capacity.search)
    for path, action, body, reply in (
        ("search", search.unified, UnifiedSearchRequest, UnifiedSearchViewResponse),
        ("search_profiles", search.profiles, SearchUserProfileRequest, SearchProfilesViewResponse),
        ("search_user_playbooks", search.user_playbooks, SearchUserPlaybookRequest, SearchUserPlaybooksViewResponse),
        (
            "search_agent_playbooks",
            search.agent_playbooks,
            SearchAgentPlaybookRequest,
            SearchAgentPlaybooksViewResponse,
        ),
        ("search_interactions", search.interactions, SearchInteractionRequest, SearchInteractionsViewResponse),
    ):
        service.call_with_model("POST", f"/api/{path}", action, body, reply, policy)
