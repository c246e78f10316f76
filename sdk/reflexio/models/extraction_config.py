"""How conversations become learnings: what to extract, how to merge, how to judge."""

import unicodedata
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, field_validator

from reflexio.models.base import SourceLabel
from reflexio.models.strict import StrictModel

DEFAULT_PROFILE_DEFINITION = (
    "Keep what stays true about the user and helps later conversations: who they are, their role, their environment, "
    "preferences, constraints and decisions."
)
DEFAULT_PLAYBOOK_DEFINITION = (
    "Keep what an agent should do differently next time: corrections, rejected approaches, failures and their cure, "
    "and ways of working that proved right."
)
DEFAULT_SUCCESS_DEFINITION = (
    "A session succeeds when the user's goal was understood and reached: the answer is right and usable, or the "
    "action that was asked for is done, within every constraint the user gave. It fails when the goal was missed, an "
    "available action was not taken, a constraint was broken, or the user left without what they came for."
)


def _prompt(text: str) -> str:
    kept = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) != "Cc")
    if not kept.strip():
        raise ValueError("the definition must not be blank")
    return kept


Prompt = Annotated[str, AfterValidator(_prompt)]
"""Instructions for a model: not blank; control characters other than newline and tab are dropped."""

WindowSize = Annotated[int, Field(gt=0)]


class _Extractor(StrictModel):
    legacy_names: ClassVar[dict[str, str]] = {
        "playbook_name": "extractor_name",
        "feedback_name": "extractor_name",
        "profile_content_definition_prompt": "extraction_definition_prompt",
        "feedback_definition_prompt": "extraction_definition_prompt",
        "playbook_definition_prompt": "extraction_definition_prompt",
        "batch_size_override": "window_size_override",
        "extraction_window_size_override": "window_size_override",
        "batch_interval_override": "stride_size_override",
        "extraction_window_stride_override": "stride_size_override",
    }

    extractor_name: str | None = None
    extraction_definition_prompt: Prompt
    context_prompt: str | None = None
    tagging_definition_prompt: str | None = None
    request_sources_enabled: list[SourceLabel] | None = None
    window_size_override: WindowSize | None = None
    stride_size_override: WindowSize | None = None


class ProfileExtractorConfig(_Extractor):
    """What counts as a fact about a user.

    ``request_sources_enabled`` limits extraction to those sources (null or empty: all). ``manual_trigger`` true
    leaves extraction to explicit requests. The overrides replace the window and stride for this kind.
    """

    should_extract_profile_prompt_override: str | None = None
    manual_trigger: bool = False


class PlaybookAggregatorConfig(StrictModel):
    """When lessons of several users become one agent playbook; ``min_cluster_size`` below 2 turns it off."""

    legacy_names: ClassVar[dict[str, str]] = {
        "min_feedback_threshold": "min_cluster_size",
        "refresh_count": "reaggregation_trigger_count",
        "similarity_threshold": "clustering_similarity",
    }

    min_cluster_size: int = Field(default=2, ge=1)
    reaggregation_trigger_count: int = Field(default=2, ge=1)
    clustering_similarity: float | None = Field(default=None, ge=0.0, le=1.0)
    direction_overlap_threshold: float = Field(default=0.6, ge=0.0, le=1.0)


class DeduplicationConfig(StrictModel):
    """How new lessons are reconciled with stored ones: neighbours above ``search_threshold``, at most
    ``search_top_k`` of them."""

    strategy: Literal["legacy", "audited"] = "legacy"
    search_threshold: float = Field(default=0.4, ge=0.0, le=1.0)
    search_top_k: int = Field(default=5, ge=1)
    max_unified_content_chars: int = Field(default=1200, ge=1)


class UserPlaybookExtractorConfig(_Extractor):
    """What counts as a lesson for an agent, and how lessons are merged."""

    legacy_names: ClassVar[dict[str, str]] = {
        **_Extractor.legacy_names,
        "feedback_aggregator_config": "aggregation_config",
        "playbook_aggregator_config": "aggregation_config",
    }

    aggregation_config: PlaybookAggregatorConfig = Field(default_factory=PlaybookAggregatorConfig)
    deduplication_config: DeduplicationConfig | None = None

    @field_validator("aggregation_config", mode="before")
    @classmethod
    def _null_is_default(cls, value: Any) -> Any:
        return {} if value is None else value


class AgentSuccessConfig(StrictModel):
    """What counts as a successful session, and the share of sessions that is judged (0 to 1)."""

    legacy_names: ClassVar[dict[str, str]] = {
        "batch_size_override": "window_size_override",
        "extraction_window_size_override": "window_size_override",
        "batch_interval_override": "stride_size_override",
        "extraction_window_stride_override": "stride_size_override",
    }

    evaluation_name: str | None = None
    success_definition_prompt: Prompt
    tagging_definition_prompt: str | None = None
    request_sources_enabled: list[SourceLabel] | None = None
    sampling_rate: float = Field(default=0.05, ge=0.0, le=1.0)
    evaluation_only_sampling_rate: float | None = Field(default=None, ge=0.0, le=1.0)
    retrieved_learning_sampling_rate: float | None = Field(default=None, ge=0.0, le=1.0)
    window_size_override: WindowSize | None = None
    stride_size_override: WindowSize | None = None


def default_profile_extractor() -> ProfileExtractorConfig:
    """Profile learning as it is until someone changes it."""
    return ProfileExtractorConfig(extraction_definition_prompt=DEFAULT_PROFILE_DEFINITION)


def default_playbook_extractor() -> UserPlaybookExtractorConfig:
    """Playbook learning as it is until someone changes it."""
    return UserPlaybookExtractorConfig(extraction_definition_prompt=DEFAULT_PLAYBOOK_DEFINITION)


def default_success_judge() -> AgentSuccessConfig:
    """The session judge as it is until someone changes it."""
    return AgentSuccessConfig(evaluation_name="agent_success", success_definition_prompt=DEFAULT_SUCCESS_DEFINITION)
