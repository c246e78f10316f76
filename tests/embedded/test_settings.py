"""Flags go before variables, variables before defaults; what cannot be read is named where it was set."""

from pathlib import Path

import pytest

from reflexio_core.embedded.settings import DEFAULT_PORT, EmbeddedSettings
from reflexio_core.errors import InvalidInput


def test_defaults_are_this_machine_and_the_home_folder() -> None:
    settings = EmbeddedSettings.from_environment({})
    assert settings.data == Path.home() / ".reflexio"
    assert (settings.host, settings.port) == ("127.0.0.1", DEFAULT_PORT)


def test_a_flag_wins_over_a_variable_and_a_blank_variable_sets_nothing() -> None:
    environment = {"REFLEXIO_PORT": "9000", "REFLEXIO_HOST": " ", "REFLEXIO_LOG_LEVEL": "INFO"}
    settings = EmbeddedSettings.from_environment(environment, port=0, host=None)
    assert (settings.port, settings.host, settings.log_level) == (0, "127.0.0.1", "info")
    assert EmbeddedSettings.from_environment(environment).port == 9000


def test_a_relative_folder_is_fixed_where_it_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert EmbeddedSettings.from_environment({"REFLEXIO_DATA": "notes"}).data == tmp_path / "notes"


@pytest.mark.parametrize(
    ("environment", "flags", "place"),
    [
        ({"REFLEXIO_PORT": "99999"}, {}, "REFLEXIO_PORT"),
        ({"REFLEXIO_PORT": "8061"}, {"port": -1}, "port"),
        ({"REFLEXIO_PUBLISH_LEARNING_WORKERS": "many"}, {}, "REFLEXIO_PUBLISH_LEARNING_WORKERS"),
    ],
)
def test_a_value_that_cannot_be_used_names_its_place(
    environment: dict[str, str], flags: dict[str, int], place: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        EmbeddedSettings.from_environment(environment, **flags)
    assert caught.value.field == place
