"""The configuration: strict, with the defaults of the wire, and readable in its older spellings."""

from typing import Any

import pytest
from pydantic import ValidationError

from reflexio.models.config import Config

PROMPT = {"extraction_definition_prompt": "keep facts"}


def refusal(settings: dict[str, Any]) -> str:
    with pytest.raises(ValidationError) as caught:
        Config.model_validate(settings)
    return str(caught.value)


def test_defaults_learn_after_ten_turns_then_every_eight() -> None:
    config = Config()
    assert (config.window_size, config.stride_size, config.extraction_idle_timeout_seconds) == (10, 8, 21_600)
    assert config.profile_extractor_config is not None
    assert config.user_playbook_extractor_config is not None
    assert config.user_playbook_extractor_config.aggregation_config.min_cluster_size == 2
    assert config.agent_success_config is not None
    assert config.agent_success_config.sampling_rate == 0.05
    assert config.model_dump(mode="json")["storage_config"] == {"db_path": None}


def test_a_configuration_survives_the_wire() -> None:
    config = Config.model_validate({"extraction_preset": "long_form", "llm_config": {"generation_model_name": "m"}})
    assert Config.model_validate_json(config.model_dump_json()) == config


@pytest.mark.parametrize(
    ("preset", "window", "stride"),
    [("quick_chat", 5, 3), ("standard", 10, 8), ("long_form", 25, 10), ("high_volume", 15, 8)],
)
def test_a_preset_fills_window_and_stride(preset: str, window: int, stride: int) -> None:
    config = Config.model_validate({"extraction_preset": preset})
    assert (config.window_size, config.stride_size) == (window, stride)


def test_a_preset_leaves_what_was_given() -> None:
    config = Config.model_validate({"extraction_preset": "long_form", "window_size": 30})
    assert (config.window_size, config.stride_size) == (30, 10)


@pytest.mark.parametrize(
    "settings",
    [
        {"window_size": 4},
        {"stride_size": 40},
        {"extraction_preset": "long_form", "window_size": 9},
        {"profile_extractor_config": {**PROMPT, "window_size_override": 3}},
        {"user_playbook_extractor_config": {**PROMPT, "stride_size_override": 11}},
    ],
)
def test_a_stride_never_exceeds_its_window(settings: dict[str, Any]) -> None:
    assert "stride_size must be <= window_size" in refusal(settings)


def test_a_misspelt_key_is_refused_with_the_nearest_known_one() -> None:
    assert "unknown key 'windw_size'; did you mean 'window_size'?" in refusal({"windw_size": 5})
    assert "did you mean 'min_cluster_size'?" in refusal(
        {"user_playbook_extractor_config": {**PROMPT, "aggregation_config": {"min_cluster": 2}}}
    )
    assert "known keys: enabled, poll_interval_seconds" in refusal({"lineage_gc": {"zzz": 1}})


@pytest.mark.parametrize(
    ("older", "today", "value"),
    [
        ("batch_size", "window_size", 12),
        ("extraction_window_size", "window_size", 12),
        ("batch_interval", "stride_size", 7),
        ("extraction_window_stride", "stride_size", 7),
    ],
)
def test_older_names_are_read_and_todays_win(older: str, today: str, value: int) -> None:
    assert getattr(Config.model_validate({older: value}), today) == value
    assert getattr(Config.model_validate({older: 1, today: value}), today) == value


@pytest.mark.parametrize(
    ("plural", "today"),
    [
        ("profile_extractor_configs", "profile_extractor_config"),
        ("user_playbook_extractor_configs", "user_playbook_extractor_config"),
        ("playbook_configs", "user_playbook_extractor_config"),
        ("agent_feedback_configs", "user_playbook_extractor_config"),
    ],
)
def test_the_first_of_an_older_list_counts_and_an_empty_list_means_off(plural: str, today: str) -> None:
    config = Config.model_validate({plural: [PROMPT, {"extraction_definition_prompt": "second"}]})
    assert getattr(config, today).extraction_definition_prompt == "keep facts"
    assert getattr(Config.model_validate({plural: []}), today) is None


def test_older_extractor_names_are_read() -> None:
    config = Config.model_validate(
        {
            "profile_extractor_config": {
                "profile_content_definition_prompt": "p",
                "batch_size_override": 9,
                "extraction_window_stride_override": 3,
            },
            "playbook_configs": [
                {
                    "feedback_name": "n",
                    "feedback_definition_prompt": "f",
                    "feedback_aggregator_config": {
                        "min_feedback_threshold": 3,
                        "refresh_count": 4,
                        "similarity_threshold": 0.5,
                    },
                }
            ],
            "agent_success_configs": [{"success_definition_prompt": "s"}],
        }
    )
    profile, playbook = config.profile_extractor_config, config.user_playbook_extractor_config
    assert profile is not None
    assert playbook is not None
    assert config.agent_success_config is not None
    assert (profile.extraction_definition_prompt, profile.window_size_override, profile.stride_size_override) == (
        "p",
        9,
        3,
    )
    assert (playbook.extractor_name, playbook.extraction_definition_prompt) == ("n", "f")
    aggregation = playbook.aggregation_config
    assert (aggregation.min_cluster_size, aggregation.reaggregation_trigger_count) == (3, 4)
    assert aggregation.clustering_similarity == 0.5


def test_null_turns_a_kind_off_but_null_aggregation_means_its_defaults() -> None:
    assert Config.model_validate({"profile_extractor_config": None}).profile_extractor_config is None
    config = Config.model_validate({"user_playbook_extractor_config": {**PROMPT, "aggregation_config": None}})
    assert config.user_playbook_extractor_config is not None
    assert config.user_playbook_extractor_config.aggregation_config.reaggregation_trigger_count == 2


def test_prompts_are_not_blank_and_lose_control_characters() -> None:
    config = Config.model_validate({"profile_extractor_config": {"extraction_definition_prompt": "a\x07\tb\n"}})
    assert config.profile_extractor_config is not None
    assert config.profile_extractor_config.extraction_definition_prompt == "a\tb\n"
    assert "must not be blank" in refusal({"profile_extractor_config": {"extraction_definition_prompt": " \x07"}})


def test_provider_settings_name_what_is_missing() -> None:
    assert "openai needs an api_key or an azure_config" in refusal({"api_key_config": {"openai": {}}})
    endpoint = {"model": "m", "api_key": "k", "api_base": "file:///etc"}
    assert "starts with http:// or https://" in refusal({"api_key_config": {"custom_endpoint": endpoint}})


def test_storage_of_other_deployments_keeps_its_spelling() -> None:
    storage = {"type": "postgres", "db_url": "postgres://x", "schema": "s"}
    kept = Config.model_validate({"storage_config": storage}).model_dump(mode="json")["storage_config"]
    assert kept == {**storage, "pool_size": 10, "pool_acquire_timeout": 30.0, "read_db_url": None}
    assert Config.model_validate({"storage_config": {}}).model_dump()["storage_config"] == {"db_path": None}


def test_stored_settings_lose_keys_that_no_longer_exist() -> None:
    assert Config.from_stored({"batch_size": 12, "gone": 1}).window_size == 12


def test_changes_replace_top_level_settings_only() -> None:
    before = Config.model_validate({"llm_config": {"generation_model_name": "a", "should_run_model_name": "b"}})
    after = before.updated({"llm_config": {"generation_model_name": "c"}, "batch_size": 20})
    assert after.llm_config is not None
    assert (after.llm_config.generation_model_name, after.llm_config.should_run_model_name) == ("c", None)
    assert (after.window_size, before.window_size) == (20, 10)


def test_a_preset_among_changes_takes_effect() -> None:
    before = Config.model_validate({"window_size": 30, "stride_size": 20})
    after = before.updated({"extraction_preset": "quick_chat"})
    assert (after.window_size, after.stride_size) == (5, 3)
    kept = after.updated({"agent_context_prompt": "x"})
    assert (kept.window_size, kept.stride_size) == (5, 3)
