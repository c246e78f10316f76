"""What ``reflexio doctor`` looks at where the service is installed: this machine, apart from the service itself."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

from reflexio.cli.plugins import Check
from reflexio_core.adapters.onnx import default_model_dir, is_prepared, verify
from reflexio_core.adapters.sqlite import sqlite_version_problem
from reflexio_core.adapters.sqlite_index import SqliteIndex
from reflexio_core.api.settings import AccessSettings
from reflexio_core.embedded.background import running
from reflexio_core.embedded.data_folder import DataFolder, DataFolderUnusable
from reflexio_core.embedded.embedder import open_embedder
from reflexio_core.embedded.listening import CannotListen, bind
from reflexio_core.embedded.provider import provider_check
from reflexio_core.embedded.settings import EmbeddedSettings
from reflexio_core.embedded.state import access_of
from reflexio_core.errors import IndexUnavailable, InvalidInput

NEEDED = ("uvicorn", "numpy", "onnxruntime", "tokenizers")
"""What the extra ``embedded`` brings and the service imports."""

LEAST_FREE_BYTES = 500_000_000
"""Room for the database to grow and for SQLite's log beside it."""


def checks(data: Path | None = None) -> Sequence[Check]:
    """Each check, in order. ``data`` None means the folder of the environment."""
    return list(_checks(data))


def _checks(data: Path | None) -> Iterator[Check]:
    yield _packages()
    yield _sqlite()
    yield _full_text()
    yield _model()
    yield provider_check(os.environ)
    try:
        settings = EmbeddedSettings.from_environment(os.environ, data=data)
    except InvalidInput as error:
        yield Check("settings", False, str(error), "correct the variable")
        return
    folder = DataFolder(settings.data)
    yield _writable(folder)
    yield _index(folder)
    yield _disk(folder)
    yield _port(settings, folder)
    yield _access(folder)


def _packages() -> Check:
    missing = [name for name in NEEDED if find_spec(name) is None]
    found = f"{', '.join(missing)} missing" if missing else "complete"
    return Check("packages", not missing, found, 'pip install "reflexio-serverless[embedded]"')


def _sqlite() -> Check:
    problem = sqlite_version_problem()
    return Check("sqlite", problem is None, problem or sqlite3.sqlite_version, "install a newer Python")


def _full_text() -> Check:
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
        except sqlite3.OperationalError as error:
            return Check("sqlite full text", False, str(error), "install a Python whose SQLite has FTS5")
    return Check("sqlite full text", True, "FTS5")


def _model() -> Check:
    folder = default_model_dir()
    mend = "reflexio model prepare"
    if not is_prepared(folder):
        return Check("embedding model", False, f"none in {folder}: search finds words only", mend)
    problems = verify(folder)
    if problems:
        return Check("embedding model", False, "; ".join(problems), mend)
    return Check("embedding model", True, f"{folder}, digests right")


def _writable(folder: DataFolder) -> Check:
    place = _nearest(folder.root)
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        mend = "name a folder of yours with REFLEXIO_DATA"
        return Check("data folder", False, f"{place} cannot be written: {error.strerror}", mend)
    return Check("data folder", True, str(folder.root))


def _index(folder: DataFolder) -> Check:
    """Whether the vectors are of the installed model: the service does not start on others."""
    installed = open_embedder()
    installed.close()
    if not folder.database.exists():
        return Check("search index", True, "none yet")
    try:
        with closing(SqliteIndex(folder.database)) as index:
            built_with = index.built_with()
    except IndexUnavailable as error:
        return Check("search index", False, str(error), "name another data folder, or restore this one")
    if installed.contract is None or built_with in (None, installed.contract.fingerprint):
        return Check("search index", True, f"vectors of {built_with}" if built_with else "no vectors yet")
    found = f"built with {built_with}, and the installed model is {installed.contract.fingerprint}"
    return Check("search index", False, found, "reflexio model reindex")


def _disk(folder: DataFolder) -> Check:
    free = shutil.disk_usage(_nearest(folder.root)).free
    return Check("disk", free >= LEAST_FREE_BYTES, f"{free / 1e9:.1f} GB free", "free some space")


def _port(settings: EmbeddedSettings, folder: DataFolder) -> Check:
    try:
        state = running(folder)
        if state is not None:
            return Check("port", True, f"the service listens on {state.url}")
        bind(settings.host, settings.port).close()
    except CannotListen as error:
        return Check("port", False, str(error), "stop what listens there, or set REFLEXIO_PORT")
    except DataFolderUnusable as error:
        return Check("port", False, str(error), "name a folder of yours with REFLEXIO_DATA")
    return Check("port", True, f"{settings.port} is free")


def _access(folder: DataFolder) -> Check:
    """Who may call: as the service that runs took it from its environment, else as the next one will."""
    try:
        state = running(folder)
    except DataFolderUnusable:
        state = None  # told with the port
    key = AccessSettings.from_environment(os.environ).api_key
    return Check("access", True, state.access if state else access_of(key))


def _nearest(folder: Path) -> Path:
    """The folder, or what exists of the way to it."""
    return next(place for place in (folder, *folder.parents) if place.exists())
