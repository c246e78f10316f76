"""The data folder: what lies where, and the lock that keeps a second process out.

The lock is the system's, on an open file: it ends with the process however that ends, so a lock that is held means a
process that lives, and a process id beside it is never a stranger's.
"""

import fcntl
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self

from reflexio_core.errors import ReflexioError

SERVICE = "service"
IN_PROCESS = "in-process"
REINDEXING = "model reindex"

LOOKING_SECONDS = 0.4
"""Far longer than a command needs to look who holds the lock."""


class DataFolderInUse(ReflexioError):
    """Another process works on the data folder. ``holder`` says which."""

    code = "data_folder_in_use"

    def __init__(self, folder: Path, holder: "Holder | None") -> None:
        who = f"process {holder.pid} ({holder.kind})" if holder else "another process"
        super().__init__(f"{who} already works on {folder}; stop it, or name another folder with --data")
        self.holder = holder


class DataFolderUnusable(ReflexioError):
    """The data folder cannot be made or written."""

    code = "data_folder_unusable"


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that holds the lock: a service, a program with the engine in it, or ``reflexio model reindex``."""

    pid: int
    kind: str


@dataclass(frozen=True, slots=True)
class DataFolder:
    """Names inside the folder."""

    root: Path

    @property
    def database(self) -> Path:
        """The record and the search index."""
        return self.root / "reflexio.db"

    @property
    def blobs(self) -> Path:
        """What is too large for the database."""
        return self.root / "blobs"

    @property
    def lock(self) -> Path:
        """Held by the process at work."""
        return self.root / "service.lock"

    @property
    def state(self) -> Path:
        """Where a running service listens."""
        return self.root / "service.json"

    @property
    def log(self) -> Path:
        """What a service in the background prints."""
        return self.root / "service.log"

    def make(self) -> None:
        """Make the folder, for its owner alone. Raises ``DataFolderUnusable``."""
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise DataFolderUnusable(f"the data folder {self.root} cannot be made: {error.strerror}") from None

    def holder(self) -> Holder | None:
        """The process at work on the folder now, or None. Raises ``DataFolderUnusable`` if it may not be read."""
        try:
            file = self.lock.open("r")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise DataFolderUnusable(f"the data folder {self.root} cannot be read: {error.strerror}") from None
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return _read_holder(file)
            return None


class FolderLock:
    """The exclusive right to work on a data folder, as a context manager.

    Raises:
        DataFolderInUse: another process has it.
        DataFolderUnusable: the folder cannot be written.
    """

    def __init__(self, folder: DataFolder, kind: str) -> None:
        self._folder = folder
        self._kind = kind
        self._file: IO[str] | None = None

    def acquire(self) -> None:
        """Take the lock, or raise at once."""
        self._folder.make()
        try:
            file = self._folder.lock.open("a+")
        except OSError as error:
            reason = f"the data folder {self._folder.root} cannot be written: {error.strerror}"
            raise DataFolderUnusable(reason) from None
        if not _locked_soon(file):
            holder = _read_holder(file)
            file.close()
            raise DataFolderInUse(self._folder.root, holder)
        file.truncate(0)
        file.write(json.dumps({"pid": os.getpid(), "kind": self._kind}))
        file.flush()
        self._file = file

    def release(self) -> None:
        """Give it back. Doing so again does nothing."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _locked_soon(file: IO[str]) -> bool:
    """Take the lock. A command that only looks holds it for a moment, so one refusal says nothing yet."""
    deadline = time.monotonic() + LOOKING_SECONDS
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(LOOKING_SECONDS / 20)
        else:
            return True


def _read_holder(file: IO[str]) -> Holder | None:
    """Who wrote the lock file; None in the moment between locking and writing."""
    file.seek(0)
    try:
        written = json.loads(file.read())
        return Holder(int(written["pid"]), str(written["kind"]))
    except (ValueError, KeyError, TypeError):
        return None
