"""The store double keeps the promises that engine tests rest on."""

import pytest

from reflexio_core.errors import ConditionFailed, InvalidInput, ItemTooLarge
from reflexio_core.keys import TenantKeys
from reflexio_core.ports.index import DocKind
from reflexio_core.ports.store import Absent, AttributeIs, Check, Delete, Item, Put, SparseIndex, VersionIs
from tests.doubles.memory_store import MemoryStore

KEYS = TenantKeys("acme")


def _listed(number: int) -> Item:
    listed = KEYS.listed(DocKind.PROFILE, float(number), f"p{number}")
    return Item(KEYS.profile("u", f"p{number}"), {"n": number}, index={SparseIndex.LISTING: listed})


def test_a_commit_with_one_failed_condition_writes_nothing() -> None:
    store = MemoryStore()
    store.commit([Put(_listed(1))])
    with pytest.raises(ConditionFailed) as failure:
        store.commit([Put(_listed(2)), Put(_listed(1), Absent())])
    assert failure.value.positions == (1,)
    assert store.get(_listed(2).key) is None


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        (VersionIs(3), True),
        (VersionIs(2), False),
        (AttributeIs("lease", "x"), True),
        (AttributeIs("lease", "y"), False),
        (AttributeIs("other", "x"), False),
        (Absent(), False),
    ],
)
def test_conditions_look_at_the_stored_item(when: Absent | VersionIs | AttributeIs, holds: bool) -> None:
    store = MemoryStore()
    key = KEYS.head("u")
    store.commit([Put(Item(key, {}, version=3, attrs={"lease": "x"}))])
    if holds:
        store.commit([Check(key, when)])
    else:
        with pytest.raises(ConditionFailed):
            store.commit([Check(key, when)])


def test_pages_of_both_query_kinds_give_every_row_once_in_order() -> None:
    store = MemoryStore()
    store.commit([Put(_listed(number)) for number in range(7)])
    numbers: list[int] = []
    token = None
    while True:
        page = store.query_index(KEYS.listing(DocKind.PROFILE, 3, token=token))
        numbers += [item.body["n"] for item in page.items]
        token = page.token
        if token is None:
            break
    assert numbers == [6, 5, 4, 3, 2, 1, 0]
    first = store.query(KEYS.profiles("u", 4))
    second = store.query(KEYS.profiles("u", 4, first.token))
    assert [item.body["n"] for item in (*first.items, *second.items)] == list(range(7))
    assert second.token is None


def test_a_token_of_another_query_is_refused() -> None:
    store = MemoryStore()
    store.commit([Put(_listed(number)) for number in range(3)])
    token = store.query_index(KEYS.listing(DocKind.PROFILE, 1)).token
    with pytest.raises(InvalidInput):
        store.query_index(KEYS.listing(DocKind.USER_PLAYBOOK, 1, token=token))


def test_what_the_store_returns_and_was_given_can_be_changed_without_changing_it() -> None:
    store = MemoryStore()
    item = _listed(1)
    store.commit([Put(item)])
    item.body["n"] = 9
    read = store.get(item.key)
    assert read is not None
    read.body["n"] = 8
    again = store.get(item.key)
    assert again is not None
    assert again.body == {"n": 1}


def test_the_feed_names_touched_keys_in_order() -> None:
    store = MemoryStore()
    store.commit([Put(_listed(1))])
    page = store.changes(None, 10)
    store.commit([Put(_listed(2)), Delete(_listed(1).key)])
    assert [change.key for change in page.changes] == [_listed(1).key]
    later = store.changes(page.position, 10)
    assert [change.key for change in later.changes] == [_listed(2).key, _listed(1).key]


def test_size_limits_are_the_durable_stores() -> None:
    with pytest.raises(ItemTooLarge):
        MemoryStore().commit([Put(_listed(number)) for number in range(101)])
