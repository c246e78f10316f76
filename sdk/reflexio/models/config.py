"""A tenant's configuration, as ``get_config`` answers it and ``set_config`` takes it."""

from enum import StrEnum
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from reflexio.models.extraction_config import (
    AgentSuccessConfig,
    DeduplicationConfig,
    PlaybookAggregatorConfig,
    ProfileExtractorConfig,
    UserPlaybookExtractorConfig,
    WindowSize,
    default_playbook_extractor,
    default_profile_extractor,
    default_success_judge,
)
from reflexio.models.feature_config import (
    ExpiryReclamationConfig,
    GovernanceRetentionConfig,
    LineageGcConfig,
    PendingToolCallConfig,
    PlaybookOptimizerConfig,
    RetrievalExperimentRecord,
    RetrievalFloorConfig,
    ToolDescription,
)
from reflexio.models.provider_config import ApiKeyConfig, LlmConfig, SqliteStorage, StorageConfig
from reflexio.models.strict import StrictModel

__all__ = [
    "AgentSuccessConfig",
    "ApiKeyConfig",
    "Config",
    "DeduplicationConfig",
    "ExtractionPreset",
    "LlmConfig",
    "PlaybookAggregatorConfig",
    "ProfileExtractorConfig",
    "SqliteStorage",
    "UserPlaybookExtractorConfig",
]

_PLURALS = {
    "profile_extractor_configs": "profile_extractor_config",
    "user_playbook_extractor_configs": "user_playbook_extractor_config",
    "playbook_configs": "user_playbook_extractor_config",
    "agent_feedback_configs": "user_playbook_extractor_config",
    "agent_success_configs": "agent_success_config",
}
"""Lists of an older format. Only their first entry was ever used."""


class ExtractionPreset(StrEnum):
    """Window and stride by kind of conversation; ``window_and_stride`` has the numbers, in turns."""

    QUICK_CHAT = "quick_chat"
    STANDARD = "standard"
    LONG_FORM = "long_form"
    HIGH_VOLUME = "high_volume"

    @property
    def window_and_stride(self) -> tuple[int, int]:
        """Turns that a window holds, and new turns that it takes to make the next."""
        return _PRESETS[self]


_PRESETS = {
    ExtractionPreset.QUICK_CHAT: (5, 3),
    ExtractionPreset.STANDARD: (10, 8),
    ExtractionPreset.LONG_FORM: (25, 10),
    ExtractionPreset.HIGH_VOLUME: (15, 8),
}


class Config(StrictModel):
    """All settings of one tenant.

    A window of ``window_size`` turns is learned from whenever ``stride_size`` new turns have come, when a session
    is finished, or when it was idle for ``extraction_idle_timeout_seconds`` (0: never). A preset fills window and
    stride unless they are given. An extractor set to null turns its kind of learning off.
    """

    legacy_names: ClassVar[dict[str, str]] = {
        "batch_size": "window_size",
        "extraction_window_size": "window_size",
        "batch_interval": "stride_size",
        "extraction_window_stride": "stride_size",
        "extraction_window_stride_size": "stride_size",
    }

    storage_config: StorageConfig | None = Field(default_factory=SqliteStorage)
    storage_config_test: int = 0
    agent_context_prompt: str | None = None
    tool_can_use: list[ToolDescription] | None = None
    profile_extractor_config: ProfileExtractorConfig | None = Field(default_factory=default_profile_extractor)
    user_playbook_extractor_config: UserPlaybookExtractorConfig | None = Field(
        default_factory=default_playbook_extractor
    )
    agent_success_config: AgentSuccessConfig | None = Field(default_factory=default_success_judge)
    extraction_preset: ExtractionPreset | None = None
    window_size: WindowSize = 10
    stride_size: WindowSize = 8
    extraction_idle_timeout_seconds: int = Field(default=21_600, ge=0)
    api_key_config: ApiKeyConfig | None = None
    llm_config: LlmConfig | None = None
    retrieval_experiment_config: RetrievalExperimentRecord | None = None
    retrieval_experiment_history: list[RetrievalExperimentRecord] = Field(default_factory=list)
    retrieval_floor: RetrievalFloorConfig = Field(default_factory=RetrievalFloorConfig)
    playbook_optimizer_config: PlaybookOptimizerConfig = Field(default_factory=PlaybookOptimizerConfig)
    lineage_gc: LineageGcConfig = Field(default_factory=LineageGcConfig)
    expiry_reclamation: ExpiryReclamationConfig = Field(default_factory=ExpiryReclamationConfig)
    governance_retention: GovernanceRetentionConfig = Field(default_factory=GovernanceRetentionConfig)
    pending_tool_call_config: PendingToolCallConfig = Field(default_factory=PendingToolCallConfig)
    skip_should_run_check: bool = False
    enable_document_expansion: bool = False
    shadow_mode_enabled: bool = False
    eval_sample_n_per_stratum: int = Field(default=200, gt=0)
    eval_concurrency_limit: int = Field(default=10, gt=0)
    shadow_comparison_judge_prompt_version: str = "v1.1.0"

    @classmethod
    def from_stored(cls, stored: dict[str, Any]) -> Self:
        """Read settings that were accepted once, dropping top-level keys that no longer exist."""
        known = cls.known_keys()
        return cls.model_validate({key: value for key, value in cls.with_todays_names(stored).items() if key in known})

    def updated(self, changes: dict[str, Any]) -> Self:
        """These settings with some top-level keys replaced, nested settings as a whole.

        A preset among the changes sets window and stride, unless the changes name them too.
        """
        changes = self.with_todays_names(changes)
        kept = self.model_dump()
        if changes.get("extraction_preset") is not None:
            kept = {key: value for key, value in kept.items() if key not in ("window_size", "stride_size")}
        return type(self).model_validate({**kept, **changes})

    @classmethod
    def with_todays_names(cls, data: dict[str, Any]) -> dict[str, Any]:
        """As for all settings; a list of an older format gives its first entry, an empty one null."""
        singular = {key: value for key, value in data.items() if key not in _PLURALS}
        for plural, name in _PLURALS.items():
            entries = data.get(plural)
            if isinstance(entries, list) and name not in singular:
                singular[name] = entries[0] if entries else None
        return super().with_todays_names(singular)

    @model_validator(mode="after")
    def _windows(self) -> Self:
        if self.extraction_preset is not None:
            window, stride = self.extraction_preset.window_and_stride
            if "window_size" not in self.model_fields_set:
                self.window_size = window
            if "stride_size" not in self.model_fields_set:
                self.stride_size = stride
        if self.stride_size > self.window_size:
            raise ValueError(
                f"stride_size must be <= window_size, got stride {self.stride_size} and window {self.window_size}"
            )
        for extractor in (self.profile_extractor_config, self.user_playbook_extractor_config):
            if extractor is not None:
                self._refuse_stride_over_window(extractor)
        return self

    def _refuse_stride_over_window(self, extractor: ProfileExtractorConfig | UserPlaybookExtractorConfig) -> None:
        window = extractor.window_size_override or self.window_size
        stride = extractor.stride_size_override or self.stride_size
        if stride > window:
            raise ValueError(
                f"stride_size must be <= window_size also with overrides, got stride {stride} and window {window}"
            )
