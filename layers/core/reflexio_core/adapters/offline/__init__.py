"""The offline learner: rules in place of a language model, for the first minute and for tests."""

from reflexio_core.adapters.offline.llm import MODEL, OfflineLlm

__all__ = ["MODEL", "OfflineLlm"]
