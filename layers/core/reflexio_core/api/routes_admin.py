"""Configuration, who the key belongs to, and how much is stored."""

import functools
from typing import Annotated, Any

from fastapi import Query, Response

from reflexio.models.identifiers import Identifier
from reflexio.models.profiles import GetProfileStatisticsResponse
from reflexio.models.service import SetConfigResponse, StorageStatsResponse, WhoamiResponse
from reflexio_core.api.access import Scope
from reflexio_core.api.data_routes import ByCaller, Policy, Service
from reflexio_core.api.declared import CONFIG_REFUSALS
from reflexio_core.engine import account, configuration


def add_routes(service: Service) -> None:
    """Add the routes of this module."""
    changing = Policy(Scope.ADMIN, per_minute=10)
    service.call("GET", "/api/get_config", configuration.get_config, dict[str, Any], Policy(Scope.ADMIN))
    for path, action in (("set_config", configuration.set_config), ("update_config", configuration.update_config)):
        service.call_with_object("POST", f"/api/{path}", action, SetConfigResponse, changing, CONFIG_REFUSALS)
    service.call("GET", "/api/whoami", account.whoami, WhoamiResponse, Policy(Scope.READ))
    service.call(
        "GET",
        "/api/get_profile_statistics",
        account.profile_statistics,
        GetProfileStatisticsResponse,
        Policy(Scope.ADMIN),
    )

    reading = Policy(Scope.READ, per_minute=120)

    async def storage_stats(caller: ByCaller, user_id: Annotated[Identifier, Query()]) -> Response:
        ask = functools.partial(account.storage_stats, service.engine, caller.tenant, user_id)
        return await service.answer(reading, caller, ask)

    service.add("GET", "/api/storage_stats", storage_stats, StorageStatsResponse, reading)
