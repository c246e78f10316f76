"""TODO-DOC"""

from datetime import datetime
from typing import Any

from pydantic import Field

from reflexio.models.base import WireModel


class WhoamiResponse(WireModel):
    """TODO-DOC"""

    org_id: str
    success: bool
    message: str = ""
    storage_configured: bool = False
    storage_label: str | None = None
    storage_type: str | None = None


class StorageStatsResponse(WireModel):
    """TODO-DOC"""

    success: bool
    msg: str | None = None
    newest_profile_modified: datetime | None = None
    oldest_profile_modified: datetime | None = None
    playbook_count: int = Field(default=0, ge=0)
    profile_count: int = Field(default=0, ge=0)


class ClearUserDataRequest(WireModel):
    """TODO-DOC"""

    user_id: str


class ClearUserDataResponse(WireModel):
    """TODO-DOC"""

    success: bool
    deleted_counts: dict[str, int] = Field(default_factory=dict)
    message: str | None = None


class BulkDeleteResponse(WireModel):
    """TODO-DOC"""

    success: bool
    deleted_count: int = 0
    message: str = ""


class SetConfigResponse(WireModel):
    """TODO-DOC"""

    success: bool
    msg: str | None = None


class MyConfigResponse(WireModel):
    """TODO-DOC"""

    success: bool
    message: str = ""
    storage_config: dict[str, Any] | None = None
    storage_type: str | None = None
