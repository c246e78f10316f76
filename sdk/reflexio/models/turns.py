"""One turn of a conversation and what hangs on it."""

from typing import Any, Self

from pydantic import Field, field_validator, model_validator

from reflexio.models.base import WireModel, epoch_now
from reflexio.models.enums import CitationKind, RetrievedLearningKind, UserActionType
from reflexio.models.text import FreeJson, Text
from reflexio.models.times import TurnTime, utc_offset_minutes

MAX_TOOL_STATUS = 100
"""A status is a word such as ``ok``; longer text belongs in ``tool_data``."""


class ToolUsed(WireModel):
    """A tool call that an agent made in a turn, with whatever arguments and results are worth keeping."""

    tool_name: Text
    status: str = ""
    tool_data: FreeJson = Field(default_factory=dict)

    @field_validator("status", mode="before")
    @classmethod
    def _status_text(cls, status: object) -> str:
        # Frameworks put exit codes and booleans here as readily as words.
        return "" if status is None else str(status)[:MAX_TOOL_STATUS]


class Citation(WireModel):
    """A learning that an answer says it used: its kind, its id, and how the answer called it."""

    kind: CitationKind
    real_id: Text
    tag: Text = ""
    title: Text = ""


class RetrievedLearning(WireModel):
    """A learning that the agent had in front of it for this turn, used or not."""

    kind: RetrievedLearningKind
    learning_id: Text = Field(min_length=1, max_length=1000)
    exposure_receipt: str | None = Field(default=None, max_length=8192)
    exposure_receipt_digest: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")


class InteractionData(WireModel):
    """One turn as published.

    ``content`` is what was said; ``shadow_content`` what the agent would have said without learnings;
    ``expert_content`` the answer an expert would have given. ``created_at`` is epoch seconds, or ISO-8601 with an
    offset: the offset is then kept in ``utc_offset_minutes`` (minutes east of UTC), so that "tomorrow" can be
    resolved in the speaker's day. An image is given by URL or as base64, never both.
    """

    role: Text = Field(default="User", max_length=1000)
    content: Text = Field(default="", max_length=1_000_000)
    created_at: TurnTime = Field(default_factory=epoch_now)
    utc_offset_minutes: int | None = Field(default=None, gt=-1440, lt=1440)
    shadow_content: Text = Field(default="", max_length=1_000_000)
    expert_content: Text = Field(default="", max_length=1_000_000)
    user_action: UserActionType = UserActionType.NONE
    user_action_description: Text = Field(default="", max_length=10_000)
    interacted_image_url: Text = Field(default="", max_length=2048)
    image_encoding: str = Field(default="", max_length=15_000_000)
    tools_used: list[ToolUsed] = Field(default_factory=list, max_length=1000)
    citations: list[Citation] = Field(default_factory=list, max_length=1000)
    retrieved_learnings: list[RetrievedLearning] = Field(default_factory=list, max_length=1000)

    @model_validator(mode="before")
    @classmethod
    def _offset_from_text(cls, data: Any) -> Any:
        if not isinstance(data, dict) or data.get("utc_offset_minutes") is not None:
            return data
        offset = utc_offset_minutes(data.get("created_at"))
        return data if offset is None else {**data, "utc_offset_minutes": offset}

    @field_validator("interacted_image_url")
    @classmethod
    def _web_or_inline(cls, url: str) -> str:
        if url and not url.lower().startswith(("http://", "https://", "data:")):
            raise ValueError("an image URL starts with http://, https:// or data:")
        return url

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.user_action is not UserActionType.NONE and not self.user_action_description.strip():
            raise ValueError(f"user_action {self.user_action.value!r} needs a user_action_description")
        if self.interacted_image_url and self.image_encoding:
            raise ValueError("send interacted_image_url or image_encoding, not both")
        return self


class InteractionView(WireModel):
    """One stored turn as read back; images sent inline and citations stay in the store."""

    interaction_id: int = 0
    user_id: str
    request_id: str
    created_at: int = Field(default_factory=epoch_now)
    role: str = "User"
    content: str = ""
    shadow_content: str = ""
    expert_content: str = ""
    user_action: UserActionType = UserActionType.NONE
    user_action_description: str = ""
    interacted_image_url: str = ""
    tools_used: list[ToolUsed] = Field(default_factory=list)
    retrieved_learnings: list[RetrievedLearning] = Field(default_factory=list)
