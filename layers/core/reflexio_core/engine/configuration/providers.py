"""The language models and keys that a tenant has chosen."""

from reflexio.models.config import Config
from reflexio_core.ports.llm import LlmSettings


def llm_settings(config: Config) -> LlmSettings:
    """The tenant's choice of models and keys."""
    llm = config.llm_config
    return LlmSettings(
        generation_model=llm.generation_model_name if llm else None,
        should_run_model=llm.should_run_model_name if llm else None,
        timeout_seconds=llm.generation_timeout_seconds if llm else None,
        api_keys=config.api_key_config.model_dump() if config.api_key_config else None,
    )
