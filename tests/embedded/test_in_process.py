"""The engine inside a program: the client's whole surface without a socket, on the same data as the service."""

from pathlib import Path

import pytest

from reflexio_core.embedded import Embedded
from reflexio_core.embedded.background import NotAService, start, stop
from reflexio_core.embedded.data_folder import DataFolder, DataFolderInUse
from reflexio_core.embedded.settings import EmbeddedSettings
from tests.embedded.services import clean_environment
from tests.embedded.test_restart import TURNS, regions


@pytest.fixture(autouse=True)
def quiet_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in list(os.environ):
        monkeypatch.delenv(name)
    for name, value in clean_environment(tmp_path).items():
        monkeypatch.setenv(name, value)


def test_it_learns_and_finds_and_keeps_what_it_learned(tmp_path: Path) -> None:
    with Embedded(tmp_path / "data") as reflexio:
        answer = reflexio.client.publish_interaction(
            "ana", TURNS, session_id="s", session_finished=True, wait_for_response=True
        )
        assert answer.learning_status == "done"
        assert reflexio.client.search(query="deployment region", user_id="ana").profiles
        assert reflexio.engine.settings.exclusive
    with Embedded(tmp_path / "data") as reflexio:
        assert len(regions(reflexio.client, "ana")) == 1


def test_a_key_for_the_network_is_not_asked_for_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFLEXIO_API_KEY", "for the network")
    monkeypatch.setenv("REFLEXIO_URL", "http://198.51.100.1:1")
    with Embedded(tmp_path / "data") as reflexio:
        assert reflexio.client.whoami().success


def test_its_folder_is_its_own_and_no_command_ends_the_program(tmp_path: Path) -> None:
    settings = EmbeddedSettings.from_environment({}, data=tmp_path / "data", port=0)
    with Embedded(tmp_path / "data"):
        with pytest.raises(DataFolderInUse, match="in-process"):
            start(settings)
        with pytest.raises(NotAService):
            stop(DataFolder(settings.data))
        with pytest.raises(DataFolderInUse), Embedded(tmp_path / "data"):
            raise AssertionError("two engines on one folder")


def test_a_block_that_fails_gives_the_folder_back(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), Embedded(tmp_path / "data"):
        raise RuntimeError
    assert DataFolder(tmp_path / "data").holder() is None
