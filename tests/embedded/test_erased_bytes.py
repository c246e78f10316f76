"""What was deleted is nowhere in the data folder once the service has stopped."""

import hashlib
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from reflexio.models.interactions import InteractionData, PublishUserInteractionRequest
from reflexio.models.service import ClearUserDataRequest
from reflexio_core.embedded import Runtime, build_engine, wiring
from reflexio_core.embedded.data_folder import IN_PROCESS
from reflexio_core.embedded.settings import EmbeddedSettings
from reflexio_core.engine.erase import clear_user_data
from reflexio_core.engine.publish import publish
from reflexio_core.engine.requests import INLINE_BYTES
from reflexio_core.engine.status import learning_status
from reflexio_core.ports.index import DocKind

TENANT = "default"
PUBLICATIONS = 40
SOON_SECONDS = 20.0


def word(user: str, number: int) -> str:
    """One of the user's words, like no other from its first letter to its last."""
    return "w" + hashlib.sha256(f"{user}{number}".encode()).hexdigest()[:20]


WORDS = {user: [word(user, number) for number in range(PUBLICATIONS)] for user in ("ann", "bob")}
"""Index and record compress and split what they hold; an end of a word is left whole."""


@pytest.fixture(autouse=True)
def without_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFLEXIO_MODEL_DIR", str(tmp_path / "no-model"))


def opened(tmp_path: Path) -> Runtime:
    return build_engine(EmbeddedSettings.from_environment({}, data=tmp_path / "data"), IN_PROCESS, {})


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SOON_SECONDS
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def tell(runtime: Runtime, user: str) -> None:
    """Conversations of a user, one too large for the database, all learned from and found by search."""
    for number, name in enumerate(WORDS[user]):
        filler = " and so on" * (INLINE_BYTES // 10 + 1) if number == 0 else ""
        body = PublishUserInteractionRequest(
            user_id=user,
            session_id=f"{user}{number}",
            request_id=f"{user}{number}",
            session_finished=True,
            interaction_data_list=[InteractionData(content=f"I live in {name.capitalize()}.{filler}")],
        )
        publish(runtime.engine, TENANT, body, [])
    wait_until(lambda: learning_status(runtime.engine, TENANT, f"{user}{PUBLICATIONS - 1}")["status"] == "done")
    wait_until(lambda: runtime.engine.index.count(TENANT, DocKind.INTERACTION) >= PUBLICATIONS)


def left(folder: Path, user: str) -> list[tuple[str, str]]:
    """Which words of a user are in which files."""
    files = {file: file.read_bytes().lower() for file in folder.rglob("*") if file.is_file()}
    return [(name, file.name) for file, data in files.items() for name in WORDS[user] if name[-12:].encode() in data]


def forget(runtime: Runtime, user: str) -> None:
    clear_user_data(runtime.engine, TENANT, ClearUserDataRequest(user_id=user))


def test_after_a_clean_stop_no_file_holds_a_word_of_an_erased_user(tmp_path: Path) -> None:
    with opened(tmp_path) as runtime:
        tell(runtime, "ann")
        tell(runtime, "bob")
        assert left(tmp_path, "ann")
        forget(runtime, "ann")
    assert left(tmp_path, "ann") == []
    assert {name for name, _ in left(tmp_path, "bob")} == set(WORDS["bob"])


def indexed(folder: Path, user: str) -> list[str]:
    """Which words of a user the full-text index still holds, deleted or not."""
    with closing(sqlite3.connect(folder / "data" / "reflexio.db")) as connection:
        data = b"".join(block for (block,) in connection.execute("SELECT block FROM index_words_data"))
    return [name for name in WORDS[user] if name[-12:].encode() in data]


def test_a_running_service_takes_deleted_words_out_of_its_index_and_cuts_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "TRIM_SECONDS", 0.0)
    with opened(tmp_path) as runtime:
        tell(runtime, "ann")
        assert indexed(tmp_path, "ann")
        forget(runtime, "ann")
        tell(runtime, "bob")
        wait_until(lambda: indexed(tmp_path, "ann") == [])
        wait_until(lambda: "reflexio.db-wal" not in {file for _, file in left(tmp_path, "ann")})


def test_what_a_stop_had_no_time_for_is_done_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as hurried:
        hurried.setattr(Runtime, "_scrub_at_last", lambda _: None)
        with opened(tmp_path) as runtime:
            tell(runtime, "ann")
            forget(runtime, "ann")
    assert left(tmp_path, "ann"), "SQLite did it alone, so nothing is proved"
    with opened(tmp_path):
        pass
    assert left(tmp_path, "ann") == []
