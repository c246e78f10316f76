"""Settings are replaced or merged, every version is kept, and nothing invalid is stored."""

from typing import Any

import pytest

from reflexio.models.config import Config
from reflexio_core.engine.configuration import config_at, get_config, load_config, set_config, update_config
from reflexio_core.engine.context import Engine
from reflexio_core.errors import ConfigWriteConflict, Conflict, InvalidConfiguration, NotFound
from reflexio_core.ports.store import Operation
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.memory_store import MemoryStore

SET = {"success": True, "msg": "Configuration set successfully"}
UNCHANGED = {"success": True, "msg": "Configuration unchanged"}


def test_before_anything_is_stored_the_defaults_hold_as_version_0(engine: Engine) -> None:
    assert load_config(engine, TENANT) == (Config(), 0)
    assert config_at(engine, TENANT, 0) == Config()
    assert get_config(engine, TENANT)["window_size"] == 10


def test_a_change_and_the_same_change_again(engine: Engine) -> None:
    assert update_config(engine, TENANT, {"window_size": 6, "stride_size": 4}) == SET
    assert update_config(engine, TENANT, {"window_size": 6, "stride_size": 4}) == UNCHANGED
    config, version = load_config(engine, TENANT)
    assert (config.window_size, config.stride_size, version) == (6, 4, 1)


def test_changing_nothing_stores_nothing(engine: Engine) -> None:
    assert update_config(engine, TENANT, {}) == UNCHANGED
    assert load_config(engine, TENANT)[1] == 0


def test_every_version_stays_readable(engine: Engine) -> None:
    for window in (20, 30, 40):
        update_config(engine, TENANT, {"window_size": window})
    assert [config_at(engine, TENANT, version).window_size for version in range(4)] == [10, 20, 30, 40]
    with pytest.raises(NotFound):
        config_at(engine, TENANT, 4)


def test_nested_settings_are_replaced_as_a_whole(engine: Engine) -> None:
    update_config(engine, TENANT, {"retrieval_floor": {"enabled": True, "pool_size": 7}})
    update_config(engine, TENANT, {"retrieval_floor": {"enabled": True}})
    assert load_config(engine, TENANT)[0].retrieval_floor.pool_size == 30


def test_null_turns_a_kind_of_learning_off(engine: Engine) -> None:
    update_config(engine, TENANT, {"profile_extractor_config": None})
    assert load_config(engine, TENANT)[0].profile_extractor_config is None


def test_set_config_replaces_everything_that_it_does_not_name(engine: Engine) -> None:
    update_config(engine, TENANT, {"window_size": 20, "skip_should_run_check": True})
    assert set_config(engine, TENANT, {"storage_config": {}, "window_size": 12}) == SET
    config, version = load_config(engine, TENANT)
    assert (config.window_size, config.skip_should_run_check, version) == (12, False, 2)


def test_what_get_config_answers_can_be_sent_back(engine: Engine) -> None:
    update_config(engine, TENANT, {"api_key_config": {"openai": {"api_key": "sk-0123456789abcdef"}}})
    assert set_config(engine, TENANT, get_config(engine, TENANT)) == UNCHANGED


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"window_size": -1}, ["window_size"]),
        ({"stride_size": 40}, []),
        ({"window_sise": 5}, []),
        ({"llm_config": {"generation_timeout_seconds": 0}}, ["llm_config", "generation_timeout_seconds"]),
    ],
)
def test_an_invalid_change_names_its_place_and_is_not_stored(
    engine: Engine, changes: dict[str, Any], place: list[str]
) -> None:
    with pytest.raises(InvalidConfiguration) as refusal:
        update_config(engine, TENANT, changes)
    detail = refusal.value.detail
    assert detail["error"]
    assert "set_config" in detail["hint"]
    assert [problem["loc"] for problem in detail["validation_errors"]] == [place]
    assert load_config(engine, TENANT)[1] == 0


def test_an_invalid_value_is_not_repeated_in_the_refusal(engine: Engine) -> None:
    with pytest.raises(InvalidConfiguration) as refusal:
        update_config(engine, TENANT, {"api_key_config": {"openai": {"api_key": ["sk-secret"]}}})
    assert "sk-secret" not in str(refusal.value)
    assert "sk-secret" not in str(refusal.value.detail)


def test_set_config_needs_a_storage_config(engine: Engine) -> None:
    with pytest.raises(InvalidConfiguration) as refusal:
        set_config(engine, TENANT, {"window_size": 12})
    assert refusal.value.detail["validation_errors"][0]["loc"] == ["storage_config"]


def test_experiments_are_not_changed_here(engine: Engine) -> None:
    experiment = {"experiment_id": "e", "holdout_percentage": 5.0, "started_at": 1}
    with pytest.raises(Conflict):
        update_config(engine, TENANT, {"retrieval_experiment_config": experiment})


def test_a_change_over_somebody_elses_is_a_conflict_and_changes_nothing() -> None:
    store = MemoryStore()
    engine = make_engine(store=store)
    update_config(engine, TENANT, {"window_size": 20})

    def somebody_else(_: object) -> None:
        store.before_commit = None
        update_config(engine, TENANT, {"window_size": 30})

    store.before_commit = somebody_else
    with pytest.raises(ConfigWriteConflict) as conflict:
        update_config(engine, TENANT, {"window_size": 40})
    assert conflict.value.code == "config_write_conflict"
    assert load_config(engine, TENANT)[0].window_size == 30


def test_a_first_change_over_somebody_elses_first_is_a_conflict_too() -> None:
    store = MemoryStore()
    engine = make_engine(store=store)

    def somebody_else(_: "list[Operation] | object") -> None:
        store.before_commit = None
        update_config(engine, TENANT, {"window_size": 30})

    store.before_commit = somebody_else
    with pytest.raises(ConfigWriteConflict):
        set_config(engine, TENANT, {"storage_config": None})
    assert load_config(engine, TENANT)[1] == 1


def test_tenants_have_their_own_settings(engine: Engine) -> None:
    update_config(engine, TENANT, {"window_size": 20})
    assert load_config(engine, "other") == (Config(), 0)
