"""The service about itself, its configuration routes, and erasing a user."""

from datetime import datetime
from typing import Any

from pydantic import Field

from reflexio.models.base import Reply, WireModel
from reflexio.models.identifiers import Identifier


class WhoamiResponse(Reply):
    """Who the key belongs to, where data lives (no credentials), and which learner is at work.

    ``learner`` is a model name, or ``offline-rules`` when no provider is configured.
    """

    org_id: str
    storage_type: str | None = None
    storage_label: str | None = None
    storage_configured: bool = False
    learner: str | None = None
    message: str = ""


class StorageStatsResponse(Reply):
    """How much is stored about one user, and the dates of the oldest and newest fact."""

    profile_count: int = Field(default=0, ge=0)
    playbook_count: int = Field(default=0, ge=0)
    oldest_profile_modified: datetime | None = None
    newest_profile_modified: datetime | None = None
    msg: str | None = None


class ClearUserDataRequest(WireModel):
    """A user to erase: every turn, profile and user playbook."""

    user_id: Identifier


class ClearUserDataResponse(Reply):
    """How many rows of each kind were erased."""

    deleted_counts: dict[str, int] = Field(default_factory=dict)
    message: str | None = None


class BulkDeleteResponse(Reply):
    """How many rows were deleted."""

    deleted_count: int = 0
    message: str = ""


class SetConfigResponse(Reply):
    """Outcome of a change of the configuration."""

    msg: str | None = None


class MyConfigResponse(Reply):
    """The stored storage settings with their credentials; served only where an operator allows it."""

    storage_type: str | None = None
    storage_config: dict[str, Any] | None = None
    message: str = ""
