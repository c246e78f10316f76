"""Each provider family is reached through the real LiteLLM with its own key, address and model."""

from types import SimpleNamespace
from typing import Any

import pytest

from reflexio_core.adapters.litellm import LiteLlm
from reflexio_core.adapters.litellm.provider import litellm_library
from reflexio_core.ports.llm import LlmSettings
from reflexio_core.tasks import EXTRACT, GATE
from tests.doubles.openai_server import ScriptedOpenAI
from tests.llm.conftest import Serve
from tests.llm.samples import DEMO_EXTRACT, FULL_GATE

ANSWER = '{"profile_useful": true, "playbook_useful": false}'

# Families that speak the OpenAI protocol: key and address variables, model as the server sees it.
SPOKEN = [
    ("OPENROUTER_API_KEY", "OPENROUTER_API_BASE", "google/gemini-3-flash-preview"),
    ("DEEPSEEK_API_KEY", "DEEPSEEK_API_BASE", "deepseek-chat"),
    ("MINIMAX_API_KEY", "MINIMAX_API_BASE", "MiniMax-M3"),
    ("DASHSCOPE_API_KEY", "DASHSCOPE_API_BASE", "qwen-plus"),
    ("XAI_API_KEY", "XAI_API_BASE", "grok-3-mini"),
    ("MOONSHOT_API_KEY", "MOONSHOT_API_BASE", "moonshot-v1-8k"),
    ("ZAI_API_KEY", "ZAI_API_BASE", "glm-5.2"),
    ("OPENAI_API_KEY", "OPENAI_BASE_URL", "gpt-5.5"),
]


@pytest.mark.parametrize(("key", "base", "model"), SPOKEN, ids=[key.removesuffix("_API_KEY") for key, _, _ in SPOKEN])
def test_a_family_of_the_openai_protocol_gets_its_key_and_model_at_its_address(key: str, base: str, model: str) -> None:
    with ScriptedOpenAI() as server:
        answer = LiteLlm({key: "key-of-the-family", base: server.base_url}).run(EXTRACT, DEMO_EXTRACT, LlmSettings())
        (request,) = server.requests
    assert request.headers["authorization"] == "Bearer key-of-the-family"
    assert request.body["model"] == model
    assert answer.usage.calls == 1
    assert answer.usage.prompt_tokens == request.prompt_tokens


def test_azure_gets_its_key_version_and_deployment_at_its_address() -> None:
    with ScriptedOpenAI() as server:
        environ = {
            "AZURE_API_KEY": "key-of-azure",
            "AZURE_API_BASE": server.base_url.removesuffix("/v1"),
            "AZURE_OPENAI_DEPLOYMENT": "ours",
        }
        LiteLlm(environ).run(EXTRACT, DEMO_EXTRACT, LlmSettings())
        (request,), (path,) = server.requests, server.paths
    assert path.startswith("/openai/deployments/ours/chat/completions?api-version=2024-10-21")
    assert request.headers["api-key"] == "key-of-azure"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Arguments of LiteLLM's calls, which are answered here and go nowhere."""
    seen: list[dict[str, Any]] = []

    def completion(**arguments: Any) -> Any:
        seen.append(arguments)
        choice = SimpleNamespace(message=SimpleNamespace(content=ANSWER), finish_reason="stop")
        return SimpleNamespace(choices=[choice], usage=SimpleNamespace(prompt_tokens=1, completion_tokens=2))

    monkeypatch.setattr(litellm_library(), "completion", completion)
    return seen


@pytest.mark.parametrize(
    ("environ", "settings", "expected"),
    [
        (
            {"ANTHROPIC_API_KEY": "a"},
            LlmSettings(),
            {"model": "anthropic/claude-haiku-4-5", "api_key": "a"},
        ),
        (
            {"ANTHROPIC_API_KEY": "a", "ANTHROPIC_BASE_URL": "http://box"},
            LlmSettings(should_run_model="claude-opus-5"),
            {"model": "anthropic/claude-opus-5", "api_key": "a", "api_base": "http://box"},
        ),
        (
            {"GEMINI_API_KEY": "g"},
            LlmSettings(),
            {"model": "gemini/gemini-3-flash-preview", "api_key": "g"},
        ),
        (
            {"MINIMAX_API_KEY": "m"},
            LlmSettings(timeout_seconds=5),
            {"model": "minimax/MiniMax-M3", "api_key": "m", "max_tokens": 8192, "timeout": 5},
        ),
        (
            {"OPENAI_API_KEY": "o"},
            LlmSettings(),
            {"model": "openai/gpt-5-nano", "api_key": "o"},
        ),
        (
            {"OPENAI_API_KEY": "o"},
            LlmSettings(api_keys={"custom_endpoint": {"model": "m", "api_key": "own", "api_base": "http://box/v1"}}),
            {"model": "openai/m", "api_key": "own", "api_base": "http://box/v1"},
        ),
        (
            {"REFLEXIO_MODEL": "bedrock/amazon.nova-lite-v1:0"},
            LlmSettings(),
            {"model": "bedrock/amazon.nova-lite-v1:0"},
        ),
    ],
    ids=["anthropic", "anthropic elsewhere", "gemini", "minimax", "openai", "custom endpoint", "litellm's own"],
)
def test_litellm_is_called_with_the_familys_model_key_and_address(
    calls: list[dict[str, Any]], environ: dict[str, str], settings: LlmSettings, expected: dict[str, Any]
) -> None:
    LiteLlm(environ).run(GATE, FULL_GATE, settings)
    (arguments,) = calls
    places = {"model", "api_key", "api_base", "api_version", "max_tokens"} & arguments.keys()
    assert {name: arguments[name] for name in places | expected.keys()} == expected
    assert (arguments["max_retries"], arguments["num_retries"], arguments["temperature"]) == (0, 0, 0.0)
    assert arguments["timeout"] == (settings.timeout_seconds or 60)


def test_an_unnamed_model_is_one_that_the_server_offers(serve: Serve) -> None:
    asked = serve({}, environ={"REFLEXIO_MODEL": ""}, models=("bge-small-embedding", "llama-3.1-8b", "other"))
    assert asked.llm.model_for("generation", LlmSettings()) == "openai/gpt-5.5"
    for _ in range(2):
        answer = asked.llm.run(EXTRACT, DEMO_EXTRACT, LlmSettings())
    assert answer.model == asked.llm.model_for("generation", LlmSettings()) == "openai/llama-3.1-8b"
    assert [request.body["model"] for request in asked.server.requests] == ["llama-3.1-8b"] * 2
    assert asked.server.paths.count("/v1/models") == 1


@pytest.mark.parametrize("models", [(), ("gpt-5.5", "other"), ("text-embedding-3-small",)])
def test_the_default_model_stands_where_the_server_has_it_or_offers_none(serve: Serve, models: tuple[str, ...]) -> None:
    asked = serve({}, environ={"REFLEXIO_MODEL": ""}, models=models)
    assert asked.llm.run(EXTRACT, DEMO_EXTRACT, LlmSettings()).model == "openai/gpt-5.5"
