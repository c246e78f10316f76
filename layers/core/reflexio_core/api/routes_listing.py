"""Listings, in pages. Those across users need the admin scope."""

import functools
from typing import Annotated, Literal

from fastapi import Query, Response

from reflexio.models.base import RowCount
from reflexio.models.identifiers import Identifier
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
from reflexio.models.times import EpochSeconds
from reflexio_core.api.access import Scope
from reflexio_core.api.data_routes import ByCaller, Policy, Service
from reflexio_core.engine import listing

NextToken = Annotated[str | None, Query(max_length=4096)]


def add_routes(service: Service) -> None:
    """Add the routes of this module."""
    read = Policy(Scope.READ)
    any_user = Policy(Scope.READ, across_users=Scope.ADMIN)
    for path, action, body, reply, policy in (
        ("get_interactions", listing.get_interactions, GetInteractionsRequest, GetInteractionsViewResponse, read),
        ("get_profiles", listing.get_profiles, GetUserProfilesRequest, GetProfilesViewResponse, read),
        ("get_requests", listing.get_requests, GetRequestsRequest, GetRequestsViewResponse, any_user),
        (
            "get_user_playbooks",
            listing.get_user_playbooks,
            GetUserPlaybooksRequest,
            GetUserPlaybooksViewResponse,
            any_user,
        ),
        (
            "get_agent_playbooks",
            listing.get_agent_playbooks,
            GetAgentPlaybooksRequest,
            GetAgentPlaybooksViewResponse,
            Policy(Scope.READ, per_minute=120),
        ),
    ):
        service.call_with_model("POST", f"/api/{path}", action, body, reply, policy)
    _add_listings_of_everything(service)


def _add_listings_of_everything(service: Service) -> None:
    policy = Policy(Scope.ADMIN, per_minute=30)

    async def get_all_interactions(
        caller: ByCaller, limit: Annotated[RowCount, Query()] = 100, next_token: NextToken = None
    ) -> Response:
        ask = functools.partial(listing.get_all_interactions, service.engine, caller.tenant, limit, next_token)
        return await service.answer(policy, caller, ask)

    async def get_all_profiles(
        caller: ByCaller,
        limit: Annotated[RowCount, Query()] = 100,
        status_filter: str | None = None,
        profile_id: Annotated[Identifier | None, Query()] = None,
        user_id: Annotated[Identifier | None, Query()] = None,
        query: str | None = None,
        source: str | None = None,
        profile_time_to_live: str | None = None,
        start_time: Annotated[EpochSeconds | None, Query()] = None,
        end_time: Annotated[EpochSeconds | None, Query()] = None,
        date_field: Literal["last_modified_timestamp", "created_at"] = "last_modified_timestamp",
        include_tombstones: bool = False,
        next_token: NextToken = None,
    ) -> Response:
        ask = functools.partial(
            listing.get_all_profiles,
            service.engine,
            caller.tenant,
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
            include_tombstones=include_tombstones,
            next_token=next_token,
        )
        return await service.answer(policy, caller, ask)

    service.add("GET", "/api/get_all_interactions", get_all_interactions, GetInteractionsViewResponse, policy)
    service.add("GET", "/api/get_all_profiles", get_all_profiles, GetProfilesViewResponse, policy)
