"""Blobs: durable bytes by any name."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from reflexio_core.adapters.files import FileBlobs
from reflexio_core.errors import StoreUnavailable
from reflexio_core.ports.blobs import Blobs

OpenBlobs = Callable[[], Blobs]

HOSTILE_NAMES = [
    "plain",
    "PLAIN",
    "a/b/c",
    "../../etc/passwd",
    "/absolute",
    "..",
    ".",
    "",
    "#/:%",
    "nul\x00byte",
    "new\nline",
    "\N{GRINNING FACE}",
    "é",
    "e\u0301",
    "lone\ud800",
    "x" * 5000,
    "x" * 5000 + "y",
    "CON",
]


@pytest.fixture(params=["files"])
def open_blobs(request: pytest.FixtureRequest, tmp_path: Path) -> OpenBlobs:
    """Opens the same blobs each time."""
    return lambda: FileBlobs(tmp_path / "outer" / "blobs")


@pytest.fixture
def blobs(open_blobs: OpenBlobs) -> Blobs:
    """No blobs."""
    return open_blobs()


@pytest.mark.parametrize("data", [b"", b"\x00", b"text", bytes(range(256)) * 4096 * 8])
def test_bytes_come_back_unchanged(blobs: Blobs, data: bytes) -> None:
    blobs.put("name", data)
    assert blobs.get("name") == data


def test_what_was_never_written_is_none(blobs: Blobs) -> None:
    assert blobs.get("name") is None


def test_hostile_names_never_meet(open_blobs: OpenBlobs) -> None:
    blobs = open_blobs()
    for number, name in enumerate(HOSTILE_NAMES):
        blobs.put(name, f"{number}".encode())
    again = open_blobs()
    assert [again.get(name) for name in HOSTILE_NAMES] == [f"{n}".encode() for n in range(len(HOSTILE_NAMES))]
    blobs.delete("../../etc/passwd")
    assert again.get("../../etc/passwd") is None
    assert again.get("/absolute") is not None


def test_writing_again_replaces(blobs: Blobs) -> None:
    blobs.put("name", b"old and longer")
    blobs.put("name", b"new")
    assert blobs.get("name") == b"new"


def test_delete_removes_and_deleting_nothing_is_no_error(blobs: Blobs) -> None:
    blobs.delete("name")
    blobs.put("name", b"data")
    blobs.delete("name")
    blobs.delete("name")
    assert blobs.get("name") is None
    blobs.put("name", b"again")
    assert blobs.get("name") == b"again"


def test_a_reader_sees_the_old_bytes_or_the_new_and_no_mixture(blobs: Blobs) -> None:
    choices = [bytes([n]) * 200_000 for n in range(4)]
    blobs.put("name", choices[0])
    done = threading.Event()
    wrong: list[bytes | None] = []

    def read() -> None:
        while not done.is_set():
            data = blobs.get("name")
            if data not in choices:
                wrong.append(data)

    reader = threading.Thread(target=read)
    reader.start()
    for n in range(60):
        blobs.put("name", choices[n % 4])
    done.set()
    reader.join()
    assert wrong == []


def test_files_stay_under_the_root_and_no_partial_file_stays(tmp_path: Path) -> None:
    blobs = FileBlobs(tmp_path / "blobs")
    for name in HOSTILE_NAMES:
        blobs.put(name, b"data")
    assert [child.name for child in tmp_path.iterdir()] == ["blobs"]
    files = [path for path in (tmp_path / "blobs").rglob("*") if path.is_file()]
    assert len(files) == len(HOSTILE_NAMES)
    assert all(path.read_bytes() == b"data" for path in files)


def test_a_failed_write_keeps_the_old_bytes_and_leaves_no_partial_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blobs = FileBlobs(tmp_path / "blobs")
    blobs.put("name", b"old")

    def full_disk(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr("reflexio_core.adapters.files.blobs.os.fsync", full_disk)
        with pytest.raises(StoreUnavailable, match="No space left"):
            blobs.put("name", b"new")
    assert blobs.get("name") == b"old"
    assert len([path for path in (tmp_path / "blobs").rglob("*") if path.is_file()]) == 1


def test_the_bytes_and_the_folder_entry_are_synced_before_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os
    import stat

    blobs = FileBlobs(tmp_path / "blobs")
    synced: list[str] = []
    real = os.fsync

    def note(descriptor: int) -> None:
        synced.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        real(descriptor)

    monkeypatch.setattr("reflexio_core.adapters.files.blobs.os.fsync", note)
    blobs.put("name", b"data")
    # Folders that list the two new folders, then the bytes, then the folder that lists the file.
    assert synced == ["folder", "folder", "file", "folder"]
    synced.clear()
    blobs.put("name", b"again")
    assert synced == ["file", "folder"]


def test_a_root_that_is_a_file_is_unavailable(tmp_path: Path) -> None:
    root = tmp_path / "blobs"
    root.write_bytes(b"")
    with pytest.raises(StoreUnavailable):
        FileBlobs(root).put("name", b"data")
    with pytest.raises(StoreUnavailable):
        FileBlobs(root).get("name")
