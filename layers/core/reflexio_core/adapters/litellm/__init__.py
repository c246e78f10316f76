"""Language models of any provider through LiteLLM, which is imported at the first question and not before."""

from reflexio_core.adapters.litellm.llm import LiteLlm
from reflexio_core.adapters.litellm.target import MODEL_VARIABLE, OFFLINE_MODEL, configured

__all__ = ["MODEL_VARIABLE", "OFFLINE_MODEL", "LiteLlm", "configured"]
