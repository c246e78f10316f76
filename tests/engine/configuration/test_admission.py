"""Which publications are learned from, with which windows, is decided by the settings at that moment."""

from typing import Any

import pytest

from reflexio.models.config import Config
from reflexio_core.domain.records import AdmissionPolicy, KindPolicy
from reflexio_core.engine.configuration import admission_policy

PROFILE = {"extraction_definition_prompt": "facts"}
PLAYBOOK = {"extraction_definition_prompt": "lessons"}
FROM_A_OR_B = {**PLAYBOOK, "request_sources_enabled": ["a", "b"]}


def _policy(source: str = "", evaluation_only: bool = False, **settings: Any) -> AdmissionPolicy:
    return admission_policy(Config.model_validate(settings), 3, source=source, evaluation_only=evaluation_only)


def test_by_default_both_kinds_are_eligible_with_windows_of_10_and_strides_of_8() -> None:
    kind = KindPolicy(eligible=True, window_size=10, stride_size=8, skip_gate=False)
    assert _policy() == AdmissionPolicy(config_version=3, idle_timeout_seconds=21_600, profile=kind, playbook=kind)


@pytest.mark.parametrize(
    ("settings", "eligible"),
    [
        ({"evaluation_only": True}, (False, False)),
        ({"profile_extractor_config": None}, (False, True)),
        ({"user_playbook_extractor_config": None}, (True, False)),
        ({"profile_extractor_config": {**PROFILE, "manual_trigger": True}}, (False, True)),
        ({"profile_extractor_config": {**PROFILE, "request_sources_enabled": ["bot"]}}, (False, True)),
        ({"profile_extractor_config": {**PROFILE, "request_sources_enabled": ["bot"]}, "source": "bot"}, (True, True)),
        ({"profile_extractor_config": {**PROFILE, "request_sources_enabled": []}, "source": "bot"}, (True, True)),
        (
            {"user_playbook_extractor_config": {**PLAYBOOK, "request_sources_enabled": ["a", "b"]}, "source": "b"},
            (True, True),
        ),
        (
            {"user_playbook_extractor_config": {**PLAYBOOK, "request_sources_enabled": ["a"]}, "source": "ab"},
            (True, False),
        ),
    ],
)
def test_each_kind_is_eligible_on_its_own(settings: dict[str, Any], eligible: tuple[bool, bool]) -> None:
    policy = _policy(**settings)
    assert (policy.profile.eligible, policy.playbook.eligible) == eligible


def test_overrides_of_a_kind_win_over_the_global_windows() -> None:
    policy = _policy(
        window_size=20,
        stride_size=5,
        profile_extractor_config={**PROFILE, "window_size_override": 6, "stride_size_override": 2},
        user_playbook_extractor_config={**PLAYBOOK, "window_size_override": 30},
    )
    assert (policy.profile.window_size, policy.profile.stride_size) == (6, 2)
    assert (policy.playbook.window_size, policy.playbook.stride_size) == (30, 5)


@pytest.mark.parametrize(
    ("preset", "expected"), [("quick_chat", (5, 3)), ("long_form", (25, 10)), ("high_volume", (15, 8))]
)
def test_a_preset_fills_the_windows_unless_they_are_given(preset: str, expected: tuple[int, int]) -> None:
    policy = _policy(extraction_preset=preset)
    assert (policy.profile.window_size, policy.profile.stride_size) == expected
    assert _policy(extraction_preset=preset, window_size=40).playbook.window_size == 40


def test_gate_and_idle_time_are_frozen_too() -> None:
    policy = _policy(skip_should_run_check=True, extraction_idle_timeout_seconds=0)
    assert policy.idle_timeout_seconds == 0
    assert policy.profile.skip_gate
    assert policy.playbook.skip_gate
