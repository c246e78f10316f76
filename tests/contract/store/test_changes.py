"""The change feed: every touched key, resumable, oldest first."""

import pytest

from reflexio_core.errors import ConditionFailed, InvalidInput
from reflexio_core.ports.store import Absent, Check, Delete, Key, Put, Store, VersionIs
from tests.contract.store.rows import item, put_all


def _drain(store: Store, position: str | None, limit: int = 100) -> tuple[list[str], str]:
    """The touched sort keys until nothing new comes, and the position reached."""
    found: list[str] = []
    while True:
        page = store.changes(position, limit)
        assert len(page.changes) <= limit
        found += [change.key.sk for change in page.changes]
        position = page.position
        if not page.changes:
            return found, position


def test_a_fresh_store_has_no_changes(store: Store) -> None:
    found, position = _drain(store, None)
    assert found == []
    put_all(store, item("p", "a"))
    assert _drain(store, position)[0] == ["a"]


def test_puts_and_deletes_are_fed_and_checks_are_not(store: Store) -> None:
    put_all(store, item("p", "a"), item("p", "b"))
    store.commit([Put(item("p", "a", 2), VersionIs(1)), Check(Key("p", "b"), VersionIs(1))])
    store.commit([Delete(Key("p", "b"))])
    found, _ = _drain(store, None)
    assert sorted(found) == ["a", "a", "b", "b"]


def test_what_failed_is_not_fed(store: Store) -> None:
    put_all(store, item("p", "a"))
    with pytest.raises(ConditionFailed):
        store.commit([Put(item("p", "b")), Put(item("p", "a", 2), Absent())])
    assert _drain(store, None)[0] == ["a"]


def test_reading_resumes_where_it_stopped(store: Store) -> None:
    put_all(store, *(item("p", f"{n}") for n in range(5)))
    first = store.changes(None, 2)
    again = store.changes(None, 2)
    assert [change.key for change in first.changes] == [change.key for change in again.changes]
    rest, position = _drain(store, first.position, limit=2)
    assert sorted([change.key.sk for change in first.changes] + rest) == ["0", "1", "2", "3", "4"]
    put_all(store, item("q", "late"))
    assert _drain(store, position)[0] == ["late"]
    assert _drain(store, position)[0] == ["late"]


def test_commits_are_fed_in_their_order(store: Store) -> None:
    names = [f"{n:02}" for n in range(30)]
    for name in names:
        put_all(store, item("p", name))
    assert _drain(store, None, limit=7)[0] == names


@pytest.mark.parametrize("position", ["", "x", "-1", "{}", "[]", "9" * 30])
def test_a_made_up_position_is_refused(store: Store, position: str) -> None:
    with pytest.raises(InvalidInput):
        store.changes(position, 10)


def test_a_page_of_changes_holds_at_least_one(store: Store) -> None:
    with pytest.raises(InvalidInput):
        store.changes(None, 0)
