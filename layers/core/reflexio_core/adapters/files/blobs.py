"""The Blobs port on a folder: a file a name, replaced in one step, durable before ``put`` returns."""

import hashlib
import os
import tempfile
from pathlib import Path

from reflexio_core.errors import StoreUnavailable

_FOLDER_CHARACTERS = 2
"""256 folders: listings stay short with a hundred thousand blobs."""


class FileBlobs:
    """See ``ports.blobs.Blobs``. Every method raises ``StoreUnavailable`` if the disk cannot answer.

    A name may be any text; its file is called by the name's digest, so no name reaches out of ``root`` and two names
    never share a file, whatever the file system thinks of case, length or Unicode forms.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def put(self, name: str, data: bytes) -> None:
        """Store the bytes durably; writing a name again replaces it. Readers see the old bytes or the new."""
        path = self._path(name)
        try:
            self._make_folder(path.parent)
            descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".part-")
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                Path(temporary).replace(path)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
            _sync_folder(path.parent)
        except OSError as error:
            raise StoreUnavailable(f"the blob folder {self._root} cannot be written: {error}") from error

    def get(self, name: str) -> bytes | None:
        """The bytes, or None."""
        try:
            return self._path(name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreUnavailable(f"the blob folder {self._root} cannot be read: {error}") from error

    def delete(self, name: str) -> None:
        """Remove the name durably; removing what is not there is no error."""
        path = self._path(name)
        try:
            path.unlink()
            _sync_folder(path.parent)
        except FileNotFoundError:
            return
        except OSError as error:
            raise StoreUnavailable(f"the blob folder {self._root} cannot be written: {error}") from error

    def _path(self, name: str) -> Path:
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        return self._root / digest[:_FOLDER_CHARACTERS] / digest

    def _make_folder(self, folder: Path) -> None:
        if folder.is_dir():
            return
        missing = [part for part in (folder, *folder.parents) if not part.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        # A new folder is durable once the one that lists it is.
        for part in reversed(missing):
            _sync_folder(part.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
