"""The service about itself, and its configuration."""

from collections.abc import Mapping
from typing import Any

from reflexio._calls.call import Call, read_get
from reflexio._retry import Repeatable
from reflexio.models.config import Config
from reflexio.models.profiles import GetProfileStatisticsResponse
from reflexio.models.service import SetConfigResponse, StorageStatsResponse, WhoamiResponse


def set_config(config: Config | Mapping[str, Any]) -> Call[SetConfigResponse]:
    """Replace the whole configuration. Learning that is under way keeps the one it was published under."""
    settings = config if isinstance(config, Config) else Config.model_validate(dict(config))
    return _write_config("/api/set_config", settings.model_dump(mode="json"))


def update_config(partial: Mapping[str, Any]) -> Call[SetConfigResponse]:
    """Replace some top-level settings; a nested object is replaced as a whole."""
    return _write_config("/api/update_config", dict(partial))


def get_config() -> Call[Config]:
    """The configuration in force."""
    return Call("GET", "/api/get_config", Config.from_stored)


def whoami() -> Call[WhoamiResponse]:
    """Who the key belongs to, where data lives, which learner is at work."""
    return read_get("/api/whoami", WhoamiResponse)


def storage_stats(user_id: str) -> Call[StorageStatsResponse]:
    """How much is stored about one user."""
    return read_get("/api/storage_stats", StorageStatsResponse, user_id=user_id)


def get_profile_statistics() -> Call[GetProfileStatisticsResponse]:
    """Facts of the tenant by status."""
    return read_get("/api/get_profile_statistics", GetProfileStatisticsResponse)


def version() -> Call[dict[str, Any]]:
    """The service's version, its API's, and the oldest client that it serves."""
    return Call("GET", "/meta/version", _object)


def health() -> Call[dict[str, Any]]:
    """Whether the service is ready; raises ``ServerError`` with the failed checks when it is not."""
    return Call("GET", "/health/ready", _object)


def _write_config(path: str, body: Mapping[str, Any]) -> Call[SetConfigResponse]:
    return Call("POST", path, SetConfigResponse.model_validate, body=body, repeatable=Repeatable.UNSENT)


def _object(answer: Any) -> dict[str, Any]:
    if not isinstance(answer, dict):
        raise TypeError("expected a JSON object")
    return answer
