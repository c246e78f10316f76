"""The scripted server behind the real LiteLLM, for tests of the whole engine."""

from tests.llm.conftest import serve

__all__ = ["serve"]
