"""What SQLite alone must promise: group commit, survival of a killed process, one file shared with others."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from reflexio_core.adapters.sqlite import SqliteStore, connection, sqlite_version_problem
from reflexio_core.adapters.sqlite.group_writer import GroupWriter, Work
from reflexio_core.errors import ConditionFailed, StoreError, StoreUnavailable
from reflexio_core.ports.store import Absent, Key, Put, Store
from tests.contract.store.rows import item, partition, put_all, sks

WRITER = Path(__file__).parent / "commit_until_killed.py"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that does not exist yet, in a folder that does not either."""
    return tmp_path / "new" / "folder" / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """An empty store in that file."""
    store = SqliteStore(path)
    yield store
    store.close()


@pytest.fixture
def traced(tmp_path: Path) -> Iterator[tuple[GroupWriter, list[str], sqlite3.Connection]]:
    """A writer on a table of its own, the statements it ran, and its connection."""
    file = tmp_path / "group.db"
    opened = connection.open_connection(file)
    opened.execute("CREATE TABLE t (value TEXT)")
    statements: list[str] = []
    opened.set_trace_callback(statements.append)
    writer = GroupWriter(opened, file)
    yield writer, statements, opened
    writer.close()


def _insert(value: str) -> Work:
    def work(opened: sqlite3.Connection) -> None:
        opened.execute("INSERT INTO t VALUES (?)", (value,))

    return work


def _wait_for_waiting(writer: GroupWriter, count: int) -> None:
    for _ in range(2000):
        if writer._inbox.qsize() == count:
            return
        threading.Event().wait(0.005)
    raise AssertionError("the commits did not arrive in the inbox")


def _in_one_group(writer: GroupWriter, works: list[Work]) -> list[Future[None]]:
    """Hand in the works while the writer is held up by another, and wait until all are answered."""
    hold = threading.Event()

    def held_up(_: sqlite3.Connection) -> None:
        hold.wait(30)

    with ThreadPoolExecutor(len(works) + 1) as pool:
        first = pool.submit(writer.write, held_up)
        _wait_for_waiting(writer, 0)
        rest = []
        for at, work in enumerate(works, 1):
            rest.append(pool.submit(writer.write, work))
            _wait_for_waiting(writer, at)
        hold.set()
        first.result(30)
    return rest


def test_commits_that_wait_share_one_transaction(traced: tuple[GroupWriter, list[str], sqlite3.Connection]) -> None:
    writer, statements, _ = traced
    for answer in _in_one_group(writer, [_insert(f"{n}") for n in range(16)]):
        assert answer.result() is None
    # The first had a transaction to itself; the sixteen share the second.
    assert statements.count("COMMIT") == 2


def test_one_failing_commit_takes_no_neighbour_with_it(
    traced: tuple[GroupWriter, list[str], sqlite3.Connection], tmp_path: Path
) -> None:
    writer, _, _ = traced

    def fail(opened: sqlite3.Connection) -> None:
        opened.execute("INSERT INTO t VALUES ('half')")
        raise ConditionFailed((0,))

    answers = _in_one_group(writer, [_insert("a"), fail, _insert("b")])
    assert [type(answer.exception()) for answer in answers] == [type(None), ConditionFailed, type(None)]
    assert _values(tmp_path / "group.db") == ["a", "b"]


def test_a_full_disk_fails_every_commit_of_the_group_and_is_survived(
    traced: tuple[GroupWriter, list[str], sqlite3.Connection], tmp_path: Path
) -> None:
    writer, _, opened = traced
    pages = opened.execute("PRAGMA page_count").fetchone()[0]
    opened.execute(f"PRAGMA max_page_count = {pages + 2}")
    answers = _in_one_group(writer, [_insert("x" * 50_000), _insert("small")])
    assert isinstance(answers[0].exception(), StoreUnavailable)
    kept = [] if answers[1].exception() else ["small"]
    assert _values(tmp_path / "group.db") == kept
    opened.execute("PRAGMA max_page_count = 100000")
    writer.write(_insert("later"))
    assert _values(tmp_path / "group.db") == [*kept, "later"]


def test_a_disk_that_fails_even_the_rollback_leaves_no_caller_waiting(path: Path) -> None:
    class Dying:
        in_transaction = True

        def execute(self, statement: str) -> None:
            if statement in {"COMMIT", "ROLLBACK"}:
                raise sqlite3.OperationalError("disk I/O error")

        def close(self) -> None:
            pass

    dying: Any = Dying()
    writer = GroupWriter(dying, path)
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match="disk I/O error"):
            writer.write(lambda _: None)
    writer.close()


def test_a_commit_waits_for_another_writer_of_the_file(store: SqliteStore, path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(store.commit, [Put(item("p", "a"))])
        assert store.get(Key("p", "a")) is None  # and no reader waits
        other.execute("COMMIT")
        answer.result(30)
    other.close()
    assert store.get(Key("p", "a")) is not None


def test_a_file_that_stays_locked_is_unavailable(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.02)
    store = SqliteStore(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="locked"):
        store.commit([Put(item("p", "a"))])
    other.execute("ROLLBACK")
    other.close()
    store.commit([Put(item("p", "a"), Absent())])
    store.close()


def test_each_commit_is_synced_to_disk(path: Path) -> None:
    path.parent.mkdir(parents=True)
    opened = connection.open_connection(path)
    assert opened.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert opened.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    opened.close()


def test_closing_keeps_what_was_acknowledged_and_refuses_the_rest(path: Path) -> None:
    store = SqliteStore(path)
    acknowledged: list[str] = []
    enough = threading.Event()

    def commit_until_closed(worker: int) -> None:
        for n in range(100_000):
            try:
                store.commit([Put(item("p", f"{worker}-{n}"))])
            except StoreUnavailable:
                return
            acknowledged.append(f"{worker}-{n}")
            if len(acknowledged) > 50:
                enough.set()

    with ThreadPoolExecutor(4) as pool:
        workers = [pool.submit(commit_until_closed, worker) for worker in range(4)]
        enough.wait(30)
        store.close()
        for worker in workers:
            worker.result(30)
    store.close()
    with pytest.raises(StoreUnavailable):
        store.get(Key("p", "0-0"))
    again = SqliteStore(path)
    found = sks(again.query(partition("p", limit=1_000_000)))
    again.close()
    assert sorted(found) == sorted(acknowledged)


@pytest.mark.parametrize("acknowledgements", [1, 40, 400])
def test_a_killed_process_loses_no_acknowledged_commit_and_leaves_no_half(path: Path, acknowledgements: int) -> None:
    child = subprocess.Popen([sys.executable, str(WRITER), str(path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    acknowledged = {child.stdout.readline().strip() for _ in range(acknowledgements)}
    os.kill(child.pid, signal.SIGKILL)
    acknowledged |= {line.strip() for line in child.stdout if line.endswith("\n")}
    child.stdout.close()
    child.wait(30)
    assert "" not in acknowledged
    store = SqliteStore(path)
    halves = [set(sks(store.query(partition(pk, limit=1_000_000)))) for pk in ("left", "right")]
    fed = {change.key.sk for change in store.changes(None, 1_000_000).changes}
    store.close()
    assert halves[0] == halves[1] == fed
    assert acknowledged <= halves[0]


def test_processes_share_the_file(store: SqliteStore, path: Path) -> None:
    child = subprocess.Popen([sys.executable, str(WRITER), str(path), "100"], stdout=subprocess.PIPE, text=True)
    for n in range(100):
        store.commit([Put(item("mine", f"{n:03}"), Absent())])
    output, _ = child.communicate(timeout=60)
    assert len(output.split()) == 100
    assert len(store.query(partition("mine")).items) == 100
    assert len(store.query(partition("left")).items) == 100


def test_threads_that_come_and_go_leave_one_idle_reader(store: SqliteStore) -> None:
    put_all(store, item("p", "a"))
    for _ in range(20):
        reader = threading.Thread(target=store.get, args=(Key("p", "a"),))
        reader.start()
        reader.join()
    assert len(store._readers) == 1


def test_trimmed_changes_are_gone_and_positions_stay_valid(store: SqliteStore) -> None:
    put_all(store, *(item("p", f"{n}") for n in range(5)))
    position = store.changes(None, 3).position
    store.trim_changes(position)
    assert _fed(store, None) == ["3", "4"]
    store.trim_changes(store.changes(None, 100).position)
    end = store.changes(None, 100).position
    put_all(store, item("p", "next"))
    assert _fed(store, end) == ["next"]


def test_trimming_in_many_steps_removes_all_but_the_newest(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reflexio_core.adapters.sqlite.store._CHANGES_PER_TRIM", 3)
    put_all(store, *(item("p", f"{n:02}") for n in range(10)))
    store.trim_changes(store.changes(None, 100).position)
    assert _fed(store, None) == ["09"]


def test_a_newer_schema_is_refused_by_name(path: Path) -> None:
    SqliteStore(path).close()
    with sqlite3.connect(path) as opened:
        opened.execute("UPDATE store_schema SET version = 99")
    opened.close()
    with pytest.raises(StoreError, match=r"schema 99.*schema 1"):
        SqliteStore(path)


def test_a_file_that_is_no_database_is_refused_by_name(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"something else entirely " * 100)
    with pytest.raises(StoreError, match=r"store\.db"):
        SqliteStore(path)
    assert path.read_bytes().startswith(b"something else")


def test_a_folder_in_place_of_the_file_is_unavailable(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(StoreUnavailable):
        SqliteStore(path)


def test_reopening_finds_everything(path: Path) -> None:
    first = SqliteStore(path)
    put_all(first, item("p", "a", body={"text": "\x00\ud800"}))
    position = first.changes(None, 10).position
    first.close()
    second = SqliteStore(path)
    assert second.get(Key("p", "a")) == item("p", "a", body={"text": "\x00\ud800"})
    assert second.changes(position, 10).changes == ()
    second.close()


def test_an_old_sqlite_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sqlite_version_problem() is None
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.34.1")
    assert sqlite_version_problem() == ("SQLite 3.34.1 is too old: 3.35.0 or newer is needed; install a newer Python")
    with pytest.raises(StoreError, match=r"3\.34\.1"):
        SqliteStore(path)


def _fed(store: Store, position: str | None) -> list[str]:
    return [change.key.sk for change in store.changes(position, 100).changes]


def _values(path: Path) -> list[str]:
    opened = sqlite3.connect(path)
    values = [row[0] for row in opened.execute("SELECT value FROM t")]
    opened.close()
    return values
