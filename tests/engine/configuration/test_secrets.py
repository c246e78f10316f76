"""Credentials go in and are used, but never come out; their mask keeps them."""

from typing import Any

import pytest

from reflexio_core.engine.configuration import get_config, load_config, set_config, update_config
from reflexio_core.engine.context import Engine
from reflexio_core.errors import InvalidConfiguration
from tests.doubles.engine import TENANT

KEYS: dict[str, Any] = {
    "openai": {"api_key": "sk-openai-0123456789", "azure_config": None},
    "anthropic": {"api_key": "short"},
    "custom_endpoint": {"model": "m", "api_key": "custom-0123456789abc", "api_base": "http://127.0.0.1:1/v1"},
}
SECRETS: dict[str, Any] = {
    "api_key_config": KEYS,
    "storage_config": {"url": "https://x.example", "key": "supabase-key-012345", "db_url": "postgres://u:pw@h/db"},
    "playbook_optimizer_config": {"webhook_auth_header": "Bearer 0123456789abcdef"},
    "pending_tool_call_config": {"hmac_secrets": ["hmac-secret-one-0001", "hmac-secret-two-0002"]},
}


def _values(tree: Any) -> list[str]:
    if isinstance(tree, dict):
        return [text for inner in tree.values() for text in _values(inner)]
    if isinstance(tree, list):
        return [text for inner in tree for text in _values(inner)]
    return [tree] if isinstance(tree, str) else []


def test_no_credential_is_shown(engine: Engine) -> None:
    update_config(engine, TENANT, SECRETS)
    shown = str(get_config(engine, TENANT))
    for secret in ("sk-openai", "short", "custom-0", "supabase-key", "postgres://", "Bearer 0", "hmac-secret"):
        assert secret not in shown
    assert "http://127.0.0.1:1/v1" in _values(get_config(engine, TENANT))


def test_the_end_of_a_long_key_tells_keys_apart_and_a_short_one_shows_nothing(engine: Engine) -> None:
    update_config(engine, TENANT, SECRETS)
    keys = get_config(engine, TENANT)["api_key_config"]
    assert keys["openai"]["api_key"] == "********6789"
    assert keys["anthropic"]["api_key"] == "********"


def test_a_mask_sent_back_keeps_the_credential(engine: Engine) -> None:
    update_config(engine, TENANT, SECRETS)
    edited = get_config(engine, TENANT)
    edited["window_size"] = 21
    edited["pending_tool_call_config"]["hmac_secrets"] = edited["pending_tool_call_config"]["hmac_secrets"][1:]
    set_config(engine, TENANT, edited)
    config, _ = load_config(engine, TENANT)
    assert config.window_size == 21
    assert config.api_key_config is not None
    assert config.api_key_config.openai is not None
    assert config.api_key_config.openai.api_key == "sk-openai-0123456789"
    assert config.pending_tool_call_config.hmac_secrets == ["hmac-secret-two-0002"]
    assert config.playbook_optimizer_config.webhook_auth_header == "Bearer 0123456789abcdef"


def test_one_key_is_changed_beside_masked_ones(engine: Engine) -> None:
    update_config(engine, TENANT, SECRETS)
    keys = get_config(engine, TENANT)["api_key_config"]
    keys["anthropic"] = {"api_key": "a new one"}
    update_config(engine, TENANT, {"api_key_config": keys})
    config, _ = load_config(engine, TENANT)
    assert config.api_key_config is not None
    assert config.api_key_config.anthropic is not None
    assert config.api_key_config.anthropic.api_key == "a new one"
    assert config.api_key_config.custom_endpoint is not None
    assert config.api_key_config.custom_endpoint.api_key == "custom-0123456789abc"


@pytest.mark.parametrize("mask", ["********", "********6789", "********9999"])
def test_a_mask_that_stands_for_nothing_is_refused_and_not_stored_as_a_key(engine: Engine, mask: str) -> None:
    with pytest.raises(InvalidConfiguration) as refusal:
        update_config(engine, TENANT, {"api_key_config": {"openai": {"api_key": mask}}})
    (problem,) = refusal.value.detail["validation_errors"]
    assert problem["loc"] == ["api_key_config", "openai", "api_key"]


def test_a_mask_of_one_tenant_does_not_reach_anothers_key(engine: Engine) -> None:
    update_config(engine, TENANT, SECRETS)
    with pytest.raises(InvalidConfiguration):
        set_config(engine, "other", get_config(engine, TENANT))
