"""A tenant's configuration: read, replaced, merged, kept in every version; and what it decides at a publication."""

from reflexio_core.engine.configuration.admission import admission_policy
from reflexio_core.engine.configuration.changes import get_config, set_config, update_config
from reflexio_core.engine.configuration.providers import llm_settings
from reflexio_core.engine.configuration.stored import config_at, load_config

__all__ = ["admission_policy", "config_at", "get_config", "llm_settings", "load_config", "set_config", "update_config"]
