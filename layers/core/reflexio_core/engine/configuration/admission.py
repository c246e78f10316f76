"""What the configuration decides when a publication is admitted. Later changes do not touch it."""

from reflexio.models.config import Config, ProfileExtractorConfig, UserPlaybookExtractorConfig
from reflexio_core.domain.records import AdmissionPolicy, KindPolicy


def admission_policy(config: Config, config_version: int, *, source: str, evaluation_only: bool) -> AdmissionPolicy:
    """The policy to freeze on a publication from ``source``."""
    profile = config.profile_extractor_config
    manual = profile is not None and profile.manual_trigger
    return AdmissionPolicy(
        config_version=config_version,
        idle_timeout_seconds=config.extraction_idle_timeout_seconds,
        profile=_of_kind(config, profile, source, excluded=evaluation_only or manual),
        playbook=_of_kind(config, config.user_playbook_extractor_config, source, excluded=evaluation_only),
    )


def _of_kind(
    config: Config,
    extractor: ProfileExtractorConfig | UserPlaybookExtractorConfig | None,
    source: str,
    *,
    excluded: bool,
) -> KindPolicy:
    if extractor is None:
        return KindPolicy(eligible=False, skip_gate=config.skip_should_run_check)
    window = extractor.window_size_override or config.window_size
    stride = extractor.stride_size_override or config.stride_size
    sources = extractor.request_sources_enabled
    return KindPolicy(
        eligible=not excluded and (not sources or source in sources),
        window_size=window,
        stride_size=min(stride, window),
        skip_gate=config.skip_should_run_check,
    )
