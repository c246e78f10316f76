"""Settings of features that are off by default, or that only keep house."""

from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from reflexio.models.strict import StrictModel

Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Positive = Annotated[int, Field(gt=0)]


class ToolDescription(StrictModel):
    """A tool that the agent can call, so that judges know what was possible."""

    tool_name: str
    tool_description: str


class RetrievalFloorConfig(StrictModel):
    """Drop hits that a reranker scores below a floor. Floors are raw scores of the reranking model; null is its own."""

    enabled: bool = False
    pool_size: Positive = 30
    profile_floor: float | None = None
    user_playbook_floor: float | None = None
    agent_playbook_floor: float | None = None


class PlaybookOptimizerConfig(StrictModel):
    """Trying rewritten playbooks against stored conversations."""

    enabled: bool = False
    optimize_agent_playbooks: bool = False
    optimize_user_playbooks: bool = False
    auto_update_pending_agent_playbooks: bool = True
    auto_update_user_playbooks: bool = False
    max_metric_calls: Positive = 20
    max_turns: Positive = 4
    early_stop_score: float = 0.9
    reflection_minibatch_size: Positive = 2
    max_validation_windows: Positive = 2
    min_commit_windows: Positive = 2
    min_commit_score: float = 0.75
    min_commit_likert: int = Field(default=4, ge=1, le=5)
    use_merge: bool = True
    max_merge_invocations: int = Field(default=5, ge=0)
    reflection_model: str | None = None
    webhook_url: str | None = None
    webhook_auth_header: str | None = None
    webhook_timeout_seconds: Seconds = 60
    webhook_max_retries: int = Field(default=3, ge=0)
    webhook_backoff_base_seconds: Seconds = 1.0
    assistant_script_path: str | None = None
    assistant_script_args: list[str] = Field(default_factory=list)
    scheduler_jitter_seconds: Seconds = 1.0
    cooldown_after_aborts_seconds: int = Field(default=3600, ge=0)
    abort_cooldown_threshold: Positive = 2

    @model_validator(mode="after")
    def _one_backend(self) -> Self:
        if self.webhook_url and self.assistant_script_path:
            raise ValueError("give webhook_url or assistant_script_path, not both")
        return self


class LineageGcConfig(StrictModel):
    """How long tombstones of replaced learnings are kept."""

    enabled: bool = True
    tombstone_grace_window_days: int = Field(default=90, ge=0)
    poll_interval_seconds: Positive = 86_400


class ExpiryReclamationConfig(StrictModel):
    """Whether expired facts are deleted, beside being left out of every answer."""

    enabled: bool = False


class GovernanceRetentionConfig(StrictModel):
    """How long audit records are kept."""

    audit_events_retention_enabled: bool = False
    audit_events_retention_days: Positive = 365
    audit_events_delete_batch_limit: Positive = 500


class PendingToolCallConfig(StrictModel):
    """Questions to a person that park an extraction until they are answered."""

    enabled: bool = False
    max_pending_followups_per_scope: Positive = 10
    pending_ttl_seconds: Positive = 86_400
    dedup_cache_seconds: int = Field(default=300, ge=0)
    prior_answer_valid_seconds: int = Field(default=2_592_000, ge=0)
    similarity_threshold: float = Field(default=0.0, ge=0.0, le=1.0)
    resume_poll_interval_seconds: Seconds = 5.0
    resume_claim_ttl_seconds: Positive = 600
    max_resume_attempts: Positive = 3
    max_finalization_attempts: Positive = 3
    hmac_secrets: list[str] = Field(default_factory=list)
    tool_overrides: dict[str, Any] = Field(default_factory=dict)


class RetrievalExperimentRecord(StrictModel):
    """A retrieval experiment; experiment routes own it, configuration routes only show it. Times are epoch seconds."""

    experiment_id: str = Field(max_length=128)
    holdout_percentage: float = Field(gt=0, lt=100)
    started_at: int = Field(ge=0)
    ended_at: int | None = Field(default=None, ge=0)
