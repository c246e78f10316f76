"""TODO-DOC"""

from datetime import datetime
from typing import Any

from pydantic import Field

from reflexio.models.base import SourceLabel, WireModel
from reflexio.models.enums import ProfileTimeToLive, SearchMode, Status
from reflexio.models.experiments import RetrievalExperimentAssignment


class UserProfile(WireModel):
    """TODO-DOC"""

    content: str
    generated_from_request_id: str
    last_modified_timestamp: int
    profile_id: str
    user_id: str
    custom_features: dict[str, Any] | None = None
    embedding: list[float] = Field(default_factory=list)
    expanded_terms: str | None = None
    expiration_timestamp: int = 4102444800
    extractor_names: list[str] | None = None
    merged_into: str | None = None
    notes: str | None = None
    profile_time_to_live: ProfileTimeToLive = ProfileTimeToLive.INFINITY
    reader_angle: str | None = None
    source: str | None = None
    source_interaction_ids: list[int] = Field(default_factory=list)
    source_span: str | None = None
    status: Status | None = None
    superseded_by: str | None = None
    tags: list[str] | None = None


class ProfileView(WireModel):
    """TODO-DOC"""

    content: str
    generated_from_request_id: str
    last_modified_timestamp: int
    profile_id: str
    user_id: str
    custom_features: dict[str, Any] | None = None
    expiration_timestamp: int = 4102444800
    extractor_names: list[str] | None = None
    profile_time_to_live: ProfileTimeToLive = ProfileTimeToLive.INFINITY
    source: str | None = None
    source_interaction_ids: list[int] = Field(default_factory=list)
    source_span: str | None = None
    status: Status | None = None
    tags: list[str] = Field(default_factory=list)


class AddUserProfileRequest(WireModel):
    """TODO-DOC"""

    user_profiles: list[UserProfile] = Field(min_length=1)


class AddUserProfileResponse(WireModel):
    """TODO-DOC"""

    success: bool
    added_count: int = 0
    message: str | None = None


class GetUserProfilesRequest(WireModel):
    """TODO-DOC"""

    user_id: str
    end_time: datetime | None = None
    profile_id: str | None = None
    profile_time_to_live: str | None = None
    query: str | None = None
    source: SourceLabel | None = None
    start_time: datetime | None = None
    status_filter: list[Status | None] | None = None
    tags: list[str] | None = None
    top_k: int | None = Field(default=30, gt=0)


class GetProfilesViewResponse(WireModel):
    """TODO-DOC"""

    success: bool
    user_profiles: list[ProfileView]
    msg: str | None = None


class SearchUserProfileRequest(WireModel):
    """TODO-DOC"""

    user_id: str
    custom_feature: str | None = None
    enable_reformulation: bool | None = False
    end_time: datetime | None = None
    extractor_name: str | None = None
    generated_from_request_id: str | None = None
    query: str | None = None
    request_id: str | None = None
    search_mode: SearchMode = SearchMode.HYBRID
    session_id: str | None = None
    source: SourceLabel | None = None
    start_time: datetime | None = None
    tags: list[str] | None = None
    threshold: float | None = Field(default=None, ge=0.0, le=1.0)
    top_k: int | None = Field(default=10, gt=0)


class SearchProfilesViewResponse(WireModel):
    """TODO-DOC"""

    success: bool
    user_profiles: list[ProfileView]
    experiment: RetrievalExperimentAssignment | None = None
    msg: str | None = None


class UpdateUserProfileRequest(WireModel):
    """TODO-DOC"""

    profile_id: str
    user_id: str
    content: str | None = None
    custom_features: dict[str, Any] | None = None


class UpdateUserProfileResponse(WireModel):
    """TODO-DOC"""

    success: bool
    msg: str | None = None


class DeleteUserProfileRequest(WireModel):
    """TODO-DOC"""

    user_id: str
    profile_id: str = ""
    search_query: str = ""


class DeleteUserProfileResponse(WireModel):
    """TODO-DOC"""

    success: bool
    message: str = ""


class DeleteProfilesByIdsRequest(WireModel):
    """TODO-DOC"""

    profile_ids: list[str] = Field(min_length=1, max_length=10000)


class GetProfileStatisticsResponse(WireModel):
    """TODO-DOC"""

    success: bool
    archived_count: int = 0
    current_count: int = 0
    expiring_soon_count: int = 0
    msg: str | None = None
    pending_count: int = 0
