"""The model, its address and its key follow from the settings and the environment alone."""

from typing import Any

import pytest

from reflexio_core.adapters.litellm import LiteLlm, configured
from reflexio_core.adapters.litellm.families import FAMILIES
from reflexio_core.adapters.litellm.target import Target, choose
from reflexio_core.errors import LlmRejected
from reflexio_core.ports.llm import LlmSettings

NO_SETTINGS = LlmSettings()

DEFAULTS = {
    "anthropic": ("ANTHROPIC_API_KEY", "anthropic/claude-sonnet-5", "anthropic/claude-haiku-4-5"),
    "gemini": ("GEMINI_API_KEY", "gemini/gemini-3-flash-preview", "gemini/gemini-3-flash-preview"),
    "openrouter": (
        "OPENROUTER_API_KEY",
        "openrouter/google/gemini-3-flash-preview",
        "openrouter/google/gemini-3-flash-preview",
    ),
    "deepseek": ("DEEPSEEK_API_KEY", "deepseek/deepseek-chat", "deepseek/deepseek-chat"),
    "minimax": ("MINIMAX_API_KEY", "minimax/MiniMax-M3", "minimax/MiniMax-M3"),
    "dashscope": ("DASHSCOPE_API_KEY", "dashscope/qwen-plus", "dashscope/qwen-turbo"),
    "xai": ("XAI_API_KEY", "xai/grok-3-mini", "xai/grok-3-mini"),
    "moonshot": ("MOONSHOT_API_KEY", "moonshot/moonshot-v1-8k", "moonshot/moonshot-v1-8k"),
    "zai": ("ZAI_API_KEY", "zai/glm-5.2", "zai/glm-5.2"),
    "openai": ("OPENAI_API_KEY", "openai/gpt-5.5", "openai/gpt-5-nano"),
    "azure": ("AZURE_API_KEY", "azure/gpt-5.5", "azure/gpt-5-nano"),
}


def _chosen(environ: dict[str, str], role: str = "generation", **settings: Any) -> Target:
    target = choose(role, environ, LlmSettings(**settings))
    assert target is not None
    return target


def _environ_of(name: str) -> dict[str, str]:
    extra = {"AZURE_API_BASE": "https://unit.openai.azure.com"} if name == "azure" else {}
    return {DEFAULTS[name][0]: f"key-of-{name}", **extra}


def test_the_families_are_those_of_the_contract_in_its_order() -> None:
    assert [family.name for family in FAMILIES] == list(DEFAULTS)


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_familys_usual_variable_is_enough(name: str) -> None:
    variable, generation, should_run = DEFAULTS[name]
    environ = _environ_of(name)
    chosen = _chosen(environ)
    assert (chosen.model, chosen.api_key, chosen.wanted) == (generation, environ[variable], None)
    assert _chosen(environ, "should_run").model == should_run
    assert chosen.max_tokens == (8192 if name in ("minimax", "zai") else None)
    assert configured(environ, NO_SETTINGS)
    assert LiteLlm(environ).model_for("should_run", NO_SETTINGS) == should_run


@pytest.mark.parametrize("first", range(len(DEFAULTS)))
def test_the_first_configured_family_answers(first: int) -> None:
    names = list(DEFAULTS)[first:]
    environ = {key: value for name in names for key, value in _environ_of(name).items()}
    assert _chosen(environ).model == DEFAULTS[names[0]][1]


@pytest.mark.parametrize("name", [name for name in DEFAULTS if name != "azure"])
def test_a_tenants_key_wins_over_every_key_of_the_environment(name: str) -> None:
    environ = {key: value for other in DEFAULTS for key, value in _environ_of(other).items()}
    chosen = _chosen(
        environ,
        api_keys={name: {"api_key": "own"}, "custom_endpoint": None, "anthropic": None}
        | ({"anthropic": {"api_key": "own"}} if name == "anthropic" else {}),
    )
    assert (chosen.model, chosen.api_key) == (DEFAULTS[name][1], "own")


def test_a_custom_endpoint_answers_every_question() -> None:
    endpoint = {"model": "Qwen/Qwen3-8B", "api_key": "own", "api_base": "http://box:8000/v1"}
    for role in ("generation", "should_run"):
        chosen = _chosen(
            _environ_of("anthropic"),
            role,
            generation_model="gemini/x",
            should_run_model="gemini/y",
            api_keys={"custom_endpoint": endpoint, "openai": {"api_key": "other"}},
        )
        assert (chosen.model, chosen.api_key, chosen.api_base) == ("openai/Qwen/Qwen3-8B", "own", "http://box:8000/v1")
        assert not chosen.own_server


def test_a_key_and_an_address_are_enough_for_any_server_of_the_openai_protocol() -> None:
    chosen = _chosen({"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://box:8000/v1"})
    assert (chosen.api_base, chosen.own_server) == ("http://box:8000/v1", True)
    named = _chosen({"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://box:8000/v1", "REFLEXIO_MODEL": "llama3"})
    assert (named.model, named.api_base, named.own_server) == ("openai/llama3", "http://box:8000/v1", False)
    keyless = _chosen({"OPENAI_BASE_URL": "http://box:8000/v1", "REFLEXIO_MODEL": "openai/llama3"})
    assert (keyless.wanted, keyless.api_base) == (None, "http://box:8000/v1")


def test_the_model_is_named_by_the_tenant_before_the_environment() -> None:
    environ = {**_environ_of("gemini"), "REFLEXIO_MODEL": "gemini/from-environment"}
    assert _chosen(environ).model == "gemini/from-environment"
    assert _chosen(environ, generation_model="gemini/from-tenant").model == "gemini/from-tenant"
    assert _chosen(environ, "should_run", generation_model="gemini/a", should_run_model="gemini/b").model == "gemini/b"


@pytest.mark.parametrize(
    ("named", "model", "key"),
    [
        ("claude-opus-5", "anthropic/claude-opus-5", "key-of-anthropic"),
        ("gpt-5-mini", "openai/gpt-5-mini", "key-of-openai"),
        ("qwen-max", "dashscope/qwen-max", "key-of-dashscope"),
        ("openrouter/meta/llama", "openrouter/meta/llama", "key-of-openrouter"),
        ("something-new", "anthropic/something-new", "key-of-anthropic"),
    ],
)
def test_a_named_model_gets_the_key_of_its_family(named: str, model: str, key: str) -> None:
    environ = {key: value for name in DEFAULTS for key, value in _environ_of(name).items()}
    chosen = _chosen(environ, generation_model=named)
    assert (chosen.model, chosen.api_key) == (model, key)


def test_a_name_without_prefix_goes_to_whoever_is_configured() -> None:
    assert _chosen(_environ_of("azure"), generation_model="gpt-5-mini").model == "azure/gpt-5-mini"
    assert _chosen({"OPENAI_API_KEY": "k"}, generation_model="qwen2.5:7b").model == "openai/qwen2.5:7b"


def test_a_prefix_of_litellms_own_is_left_to_litellm() -> None:
    chosen = _chosen(_environ_of("openai"), generation_model="bedrock/amazon.nova-lite-v1:0")
    assert chosen == Target("bedrock/amazon.nova-lite-v1:0")


def test_azure_needs_an_address_and_may_name_its_deployment() -> None:
    assert choose("generation", {"AZURE_API_KEY": "k"}, NO_SETTINGS) is None
    chosen = _chosen(
        {
            "AZURE_OPENAI_API_KEY": "k",
            "AZURE_OPENAI_ENDPOINT": "https://unit.openai.azure.com",
            "AZURE_OPENAI_DEPLOYMENT": "ours",
            "OPENAI_API_VERSION": "2025-01-01",
        }
    )
    assert (chosen.model, chosen.api_base, chosen.api_version) == (
        "azure/ours",
        "https://unit.openai.azure.com",
        "2025-01-01",
    )
    own = _chosen(
        {},
        api_keys={
            "openai": {
                "api_key": None,
                "azure_config": {
                    "api_key": "own",
                    "endpoint": "https://own.openai.azure.com",
                    "api_version": "2024-02-15-preview",
                    "deployment_name": None,
                },
            }
        },
    )
    assert (own.model, own.api_key, own.api_version) == ("azure/gpt-5.5", "own", "2024-02-15-preview")


def test_a_key_of_the_environment_never_goes_to_a_tenants_address() -> None:
    environ = {"DASHSCOPE_API_KEY": "ours"}
    chosen = _chosen(environ, api_keys={"dashscope": {"api_key": "", "api_base": "https://theirs"}})
    assert (chosen.api_key, chosen.api_base) == ("ours", None)
    own = _chosen(environ, api_keys={"dashscope": {"api_key": "own", "api_base": "https://theirs"}})
    assert (own.api_key, own.api_base) == ("own", "https://theirs")


@pytest.mark.parametrize(
    "environ", [{}, {"OPENAI_API_KEY": "  "}, {"OPENAI_BASE_URL": "http://box/v1"}, {"AZURE_API_KEY": "k"}]
)
def test_without_a_usable_key_nothing_is_configured(environ: dict[str, str]) -> None:
    assert not configured(environ, NO_SETTINGS)
    with pytest.raises(LlmRejected, match="no provider is configured"):
        LiteLlm(environ).model_for("generation", NO_SETTINGS)


def test_the_offline_learner_can_be_chosen_in_spite_of_keys() -> None:
    assert not configured({**_environ_of("openai"), "REFLEXIO_MODEL": "offline-rules"}, NO_SETTINGS)
    assert not configured(_environ_of("openai"), LlmSettings(generation_model="offline-rules"))


def test_a_named_model_without_its_key_is_refused_by_name_not_replaced() -> None:
    settings = LlmSettings(generation_model="anthropic/claude-sonnet-5")
    assert configured({}, settings)
    assert _chosen({}, generation_model="anthropic/claude-sonnet-5").wanted == "ANTHROPIC_API_KEY"


def test_keys_stay_out_of_representations() -> None:
    assert "secret-key" not in repr(LlmSettings(api_keys={"openai": {"api_key": "secret-key"}}))
    assert "key-of-openai" not in repr(_chosen(_environ_of("openai")))
