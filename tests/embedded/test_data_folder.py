"""One process works on a data folder; the lock ends with it, whatever its files still say."""

import json
import multiprocessing
import os
import stat
from pathlib import Path

import pytest

from reflexio_core.embedded.data_folder import (
    IN_PROCESS,
    SERVICE,
    DataFolder,
    DataFolderInUse,
    DataFolderUnusable,
    FolderLock,
    Holder,
)
from reflexio_core.embedded.state import ServiceState


def test_a_second_lock_is_refused_naming_the_holder_and_granted_once_it_is_released(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    with FolderLock(folder, SERVICE):
        assert folder.holder() == Holder(os.getpid(), SERVICE)
        with pytest.raises(DataFolderInUse, match=f"process {os.getpid()}"), FolderLock(folder, IN_PROCESS):
            raise AssertionError("two processes hold one folder")
    with FolderLock(folder, IN_PROCESS):
        assert folder.holder() == Holder(os.getpid(), IN_PROCESS)


def test_looking_who_holds_a_folder_disturbs_nobody_who_takes_it(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    for _ in range(20):
        assert folder.holder() is None
        with FolderLock(folder, SERVICE):
            assert folder.holder() is not None


def die_holding(root: Path) -> None:
    FolderLock(DataFolder(root), SERVICE).acquire()
    os._exit(9)


def test_the_lock_of_a_process_that_died_is_free_although_its_id_is_written(tmp_path: Path) -> None:
    child = multiprocessing.get_context("spawn").Process(target=die_holding, args=(tmp_path,))
    child.start()
    child.join(30)
    assert child.exitcode == 9
    folder = DataFolder(tmp_path)
    assert json.loads(folder.lock.read_text())["pid"] == child.pid
    assert folder.holder() is None
    with FolderLock(folder, SERVICE):
        pass


def test_the_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    DataFolder(tmp_path / "a" / "data").make()
    assert stat.S_IMODE((tmp_path / "a" / "data").stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataFolderUnusable, match=str(tmp_path / "file" / "data")):
        DataFolder(tmp_path / "file" / "data").make()


@pytest.mark.parametrize("written", ["", "{", '{"pid": 1}', "[]"])
def test_a_state_file_that_cannot_be_read_is_no_state(tmp_path: Path, written: str) -> None:
    (tmp_path / "service.json").write_text(written)
    assert ServiceState.read(tmp_path / "service.json") is None
