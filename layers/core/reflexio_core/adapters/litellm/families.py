"""Provider families: their usual variables, LiteLLM's prefix, and the models to use unless one is named."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Family:
    """One provider. ``name`` is both LiteLLM's prefix and the key in a tenant's ``api_key_config``.

    ``keys``, ``bases`` and ``versions`` are environment variables, the first that is set counts. ``stems`` begin the
    names of its models, to place a name without prefix. ``max_tokens`` is set where the provider's own default cuts
    answers short.
    """

    name: str
    generation: str
    should_run: str
    keys: tuple[str, ...]
    bases: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    stems: tuple[str, ...] = ()
    max_tokens: int | None = None

    def default_model(self, role: str) -> str:
        """Name of the model for ``role``, without prefix."""
        return self.should_run if role == "should_run" else self.generation


_OPENAI_STEMS = ("gpt", "chatgpt", "o1", "o3", "o4")

FAMILIES: tuple[Family, ...] = (
    Family(
        name="anthropic",
        generation="claude-sonnet-5",
        should_run="claude-haiku-4-5",
        keys=("ANTHROPIC_API_KEY",),
        bases=("ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"),
        stems=("claude",),
    ),
    Family(
        name="gemini",
        generation="gemini-3-flash-preview",
        should_run="gemini-3-flash-preview",
        keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        bases=("GEMINI_API_BASE",),
        stems=("gemini", "gemma"),
    ),
    Family(
        name="openrouter",
        generation="google/gemini-3-flash-preview",
        should_run="google/gemini-3-flash-preview",
        keys=("OPENROUTER_API_KEY",),
        bases=("OPENROUTER_API_BASE",),
    ),
    Family(
        name="deepseek",
        generation="deepseek-chat",
        should_run="deepseek-chat",
        keys=("DEEPSEEK_API_KEY",),
        bases=("DEEPSEEK_API_BASE",),
        stems=("deepseek",),
    ),
    Family(
        name="minimax",
        generation="MiniMax-M3",
        should_run="MiniMax-M3",
        keys=("MINIMAX_API_KEY",),
        bases=("MINIMAX_API_BASE",),
        stems=("minimax",),
        max_tokens=8192,
    ),
    Family(
        name="dashscope",
        generation="qwen-plus",
        should_run="qwen-turbo",
        keys=("DASHSCOPE_API_KEY",),
        bases=("DASHSCOPE_API_BASE",),
        stems=("qwen", "qwq"),
    ),
    Family(
        name="xai",
        generation="grok-3-mini",
        should_run="grok-3-mini",
        keys=("XAI_API_KEY",),
        bases=("XAI_API_BASE",),
        stems=("grok",),
    ),
    Family(
        name="moonshot",
        generation="moonshot-v1-8k",
        should_run="moonshot-v1-8k",
        keys=("MOONSHOT_API_KEY",),
        bases=("MOONSHOT_API_BASE",),
        stems=("moonshot", "kimi"),
    ),
    Family(
        name="zai",
        generation="glm-5.2",
        should_run="glm-5.2",
        keys=("ZAI_API_KEY",),
        bases=("ZAI_API_BASE",),
        stems=("glm",),
        max_tokens=8192,
    ),
    Family(
        name="openai",
        generation="gpt-5.5",
        should_run="gpt-5-nano",
        keys=("OPENAI_API_KEY",),
        bases=("OPENAI_BASE_URL", "OPENAI_API_BASE"),
        stems=_OPENAI_STEMS,
    ),
    # A deployment bears a name of the operator's choosing; without one we suppose that of its model.
    Family(
        name="azure",
        generation="gpt-5.5",
        should_run="gpt-5-nano",
        keys=("AZURE_API_KEY", "AZURE_OPENAI_API_KEY"),
        bases=("AZURE_API_BASE", "AZURE_OPENAI_ENDPOINT"),
        versions=("AZURE_API_VERSION", "AZURE_OPENAI_API_VERSION", "OPENAI_API_VERSION"),
        stems=_OPENAI_STEMS,
    ),
)
"""In order of preference, when several are configured and no model is named."""

BY_NAME = {family.name: family for family in FAMILIES}
