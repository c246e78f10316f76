"""Profiles: facts about one user."""

from pydantic import Field, field_validator

from reflexio.models.base import (
    MAX_QUERY_CHARACTERS,
    NEVER_EXPIRES,
    Listing,
    ListingReply,
    Reply,
    RowCount,
    SourceLabel,
    WireModel,
)
from reflexio.models.enums import ProfileTimeToLive, SearchMode, Status
from reflexio.models.experiments import RetrievalExperimentAssignment
from reflexio.models.identifiers import Identifier, Label, RowId
from reflexio.models.text import FreeJson, Text
from reflexio.models.times import EpochSeconds, TimeRange


class UserProfile(WireModel):
    """A fact about one user, as written by hand.

    ``generated_from_request_id`` names the publication it came from, or any word for another origin.
    ``embedding`` and ``expanded_terms`` are accepted and ignored: the service computes its own.
    """

    profile_id: Identifier
    user_id: Identifier
    content: Text
    last_modified_timestamp: EpochSeconds
    generated_from_request_id: Text
    profile_time_to_live: ProfileTimeToLive = ProfileTimeToLive.INFINITY
    expiration_timestamp: EpochSeconds = NEVER_EXPIRES
    custom_features: FreeJson | None = None
    source: Text | None = None
    source_interaction_ids: list[RowId] = Field(default_factory=list)
    source_span: Text | None = None
    tags: list[Text] | None = None
    notes: Text | None = None
    reader_angle: Text | None = None
    status: Status | None = None
    merged_into: Label | None = None
    superseded_by: Label | None = None
    extractor_names: list[Text] | None = None
    expanded_terms: str | None = None
    embedding: list[float] = Field(default=[])


class ProfileView(WireModel):
    """A fact about one user, as read back."""

    profile_id: str
    user_id: str
    content: str
    last_modified_timestamp: int
    generated_from_request_id: str
    profile_time_to_live: ProfileTimeToLive = ProfileTimeToLive.INFINITY
    expiration_timestamp: int = NEVER_EXPIRES
    custom_features: FreeJson | None = None
    source: str | None = None
    status: Status | None = None
    extractor_names: list[str] | None = None
    source_interaction_ids: list[int] = Field(default_factory=list)
    source_span: str | None = None
    tags: list[str] = Field(default_factory=list)


class AddUserProfileRequest(WireModel):
    """Facts to store as they are; each needs content."""

    user_profiles: list[UserProfile] = Field(min_length=1)

    @field_validator("user_profiles")
    @classmethod
    def _have_content(cls, profiles: list[UserProfile]) -> list[UserProfile]:
        for position, profile in enumerate(profiles):
            if not profile.content.strip():
                raise ValueError(f"user_profiles[{position}] has no content")
        return profiles


class AddUserProfileResponse(Reply):
    """How many facts were stored."""

    added_count: int = 0
    message: str | None = None


class GetUserProfilesRequest(TimeRange, Listing):
    """One user's facts, last modified first; current ones unless ``status_filter`` says otherwise."""

    user_id: Identifier
    profile_id: Identifier | None = None
    query: Text | None = Field(default=None, max_length=MAX_QUERY_CHARACTERS)
    source: SourceLabel | None = None
    profile_time_to_live: str | None = None
    status_filter: list[Status | None] | None = None
    tags: list[Text] | None = None
    top_k: RowCount | None = 30


class GetProfilesViewResponse(ListingReply):
    """A page of one user's facts, or of all users'."""

    user_profiles: list[ProfileView]
    msg: str | None = None


class SearchUserProfileRequest(TimeRange):
    """Find one user's facts. ``session_id`` leaves out what this session has been given before."""

    user_id: Identifier
    query: Text | None = Field(default=None, max_length=MAX_QUERY_CHARACTERS)
    top_k: RowCount | None = 10
    threshold: float | None = Field(default=None, ge=0.0, le=1.0)
    search_mode: SearchMode = SearchMode.HYBRID
    source: SourceLabel | None = None
    tags: list[Text] | None = None
    custom_feature: Text | None = None
    generated_from_request_id: Text | None = None
    extractor_name: str | None = None
    enable_reformulation: bool | None = False
    request_id: Identifier | None = None
    session_id: Identifier | None = None


class SearchProfilesViewResponse(Reply):
    """Matching facts, best first; ``degraded`` true when a part that should have searched could not."""

    user_profiles: list[ProfileView]
    experiment: RetrievalExperimentAssignment | None = None
    msg: str | None = None
    degraded: bool = False
    degraded_parts: list[str] = Field(default_factory=list)


class UpdateUserProfileRequest(WireModel):
    """New text or features for a fact; what is left out stays."""

    user_id: Identifier
    profile_id: Identifier
    content: Text | None = None
    custom_features: FreeJson | None = None


class UpdateUserProfileResponse(Reply):
    """Outcome of changing a fact."""

    msg: str | None = None


class DeleteUserProfileRequest(WireModel):
    """A fact to delete: by id, or the one that a search finds."""

    user_id: Identifier
    profile_id: Label = ""
    search_query: Text = Field(default="", max_length=MAX_QUERY_CHARACTERS)


class DeleteUserProfileResponse(Reply):
    """Outcome of deleting a fact."""

    message: str = ""


class DeleteProfilesByIdsRequest(WireModel):
    """Facts to delete in one call."""

    profile_ids: list[Identifier] = Field(min_length=1, max_length=10_000)


class GetProfileStatisticsResponse(Reply):
    """Facts by status, and how many expire within seven days."""

    current_count: int = 0
    pending_count: int = 0
    archived_count: int = 0
    expiring_soon_count: int = 0
    msg: str | None = None
