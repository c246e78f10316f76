"""LiteLLM takes seconds and 200 MB to import: choosing a model must not."""

import subprocess
import sys

_PROGRAM = """
import sys
from reflexio_core.adapters.litellm import LiteLlm, configured
from reflexio_core.ports.llm import LlmSettings
environ = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
assert configured(environ, LlmSettings())
assert LiteLlm(environ).model_for("generation", LlmSettings()) == "openai/gpt-5.5"
print(sorted(name for name in ("litellm", "openai", "tiktoken", "httpx") if name in sys.modules))
"""


def test_choosing_a_model_imports_no_provider_library() -> None:
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
