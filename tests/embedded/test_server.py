"""The service says where it listens, refuses what is unsafe, and stops in order."""

import json
import signal
import socket
import time
import urllib.request
from pathlib import Path

import pytest

from reflexio import AuthenticationError
from reflexio_core.embedded.data_folder import DataFolder
from reflexio_core.embedded.state import ServiceState
from tests.embedded.services import Service

SOON_SECONDS = 8.0
"""A stop is a matter of seconds also on a machine that is busy with other tests."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_a_ready_service_says_where_it_listens_in_one_line_and_in_its_state_file(folder: Path) -> None:
    with Service(folder) as service:
        state = service.state
        with urllib.request.urlopen(f"{state.url}/health/live", timeout=10) as answer:
            assert json.load(answer) == {"status": "alive"}
        code, out, err = service.stop()
    assert code == 0
    assert out.splitlines() == [f"reflexio listens on {state.url}, data in {folder}, learner offline-rules"]
    assert "offline learner" in err
    assert state.data == str(folder)
    assert state.learner == "offline-rules"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_service_in_order_and_leaves_no_state(folder: Path, number: signal.Signals) -> None:
    with Service(folder) as service:
        began = time.monotonic()
        code, _, err = service.stop(number)
    assert code == 0
    assert "Traceback" not in err
    assert time.monotonic() - began < SOON_SECONDS
    assert ServiceState.read(DataFolder(folder).state) is None
    assert DataFolder(folder).holder() is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_listening_beyond_this_machine_without_a_key_is_refused_before_anything_is_made(
    folder: Path, host: str
) -> None:
    code, said = Service(folder, ("--host", host, "--port", "0")).refusal()
    assert code == 1
    assert "REFLEXIO_API_KEY" in said
    assert "Traceback" not in said
    assert not folder.exists()


def test_with_a_key_it_listens_beyond_this_machine_and_asks_for_the_key_here_too(folder: Path) -> None:
    with Service(folder, ("--host", "0.0.0.0", "--port", "0"), {"REFLEXIO_API_KEY": "s3cret"}) as service:
        assert service.client("s3cret").whoami().success
        with pytest.raises(AuthenticationError):
            service.client().whoami()


def test_a_port_in_use_is_named_and_the_folder_is_left_free(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = Service(folder, ("--port", str(port))).refusal()
    assert code == 1
    assert f"port {port} on 127.0.0.1 is in use" in said
    assert DataFolder(folder).holder() is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("REFLEXIO_PORT", "eighty"),
        ("REFLEXIO_PUBLISH_LEARNING_WORKERS", "0"),
        ("REFLEXIO_LOG_LEVEL", "loud"),
        ("REFLEXIO_MAX_BODY_BYTES", "much"),
    ],
)
def test_a_setting_that_cannot_be_read_is_named(folder: Path, name: str, value: str) -> None:
    arguments = () if name == "REFLEXIO_PORT" else ("--port", "0")
    code, said = Service(folder, arguments, {name: value}).refusal()
    assert code == 2
    assert name in said
    assert "Traceback" not in said


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    code, said = Service(tmp_path / "file" / "data").refusal()
    assert code == 1
    assert str(tmp_path / "file" / "data") in said


def test_a_second_process_on_the_folder_is_refused_naming_the_first(folder: Path) -> None:
    with Service(folder) as first:
        code, said = Service(folder).refusal()
        assert code == 1
        assert f"process {first.state.pid} (service)" in said
        assert first.client().whoami().success


def test_two_services_run_beside_each_other_on_two_folders(tmp_path: Path) -> None:
    with Service(tmp_path / "a") as one, Service(tmp_path / "b") as other:
        one.client().add_user_profile([{"user_id": "u", "content": "lives in Lisbon"}])
        assert len(one.client().get_profiles(user_id="u").user_profiles) == 1
        assert other.client().get_profiles(user_id="u").user_profiles == []


def test_without_a_model_it_serves_and_says_that_search_finds_words_only(folder: Path, tmp_path: Path) -> None:
    with Service(folder, extra={"REFLEXIO_MODEL_DIR": str(tmp_path / "no-model")}) as service:
        client = service.client()
        assert service.state.model is None
        client.add_user_profile([{"user_id": "u", "content": "lives in Lisbon"}])
        found = client.search(query="Lisbon", user_id="u")
        assert [row.content for row in found.profiles] == ["lives in Lisbon"]
        assert found.degraded
        _, _, err = service.stop()
    assert "reflexio model prepare" in err


def test_settings_come_from_a_file_and_the_environment_goes_first(folder: Path) -> None:
    folder.parent.joinpath(".env").write_text("REFLEXIO_API_KEY=from-file\nREFLEXIO_DEFAULT_ORG_ID=file-org\n")
    with Service(folder, extra={"REFLEXIO_API_KEY": "from-environment"}) as service:
        assert service.client("from-environment").whoami().org_id == "file-org"
        with pytest.raises(AuthenticationError):
            service.client("from-file").whoami()
