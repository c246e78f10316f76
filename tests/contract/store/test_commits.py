"""Commits: all or nothing, under conditions, within limits."""

import pytest

from reflexio_core.errors import ConditionFailed, InvalidInput, ItemTooLarge
from reflexio_core.ports.store import (
    MAX_ITEM_BYTES,
    Absent,
    AttributeIs,
    Check,
    Delete,
    Key,
    Operation,
    Put,
    Scalar,
    Store,
    VersionIs,
)
from tests.contract.store.rows import item, partition, put_all, sks


def test_what_was_committed_is_read_at_once(store: Store) -> None:
    store.commit([Put(item("p", "a")), Put(item("p", "b"))])
    found = store.get(Key("p", "a"))
    assert found == item("p", "a")
    assert sks(store.query(partition("p"))) == ["a", "b"]


def test_an_empty_commit_does_nothing(store: Store) -> None:
    store.commit([])
    assert store.query(partition("p")).items == ()


def test_put_replaces_the_whole_item(store: Store) -> None:
    put_all(store, item("p", "a", body={"old": 1}, attrs={"state": "x"}, expires_at=5))
    put_all(store, item("p", "a", version=2, body={"new": 2}))
    assert store.get(Key("p", "a")) == item("p", "a", version=2, body={"new": 2})


def test_delete_removes_and_deleting_nothing_is_no_error(store: Store) -> None:
    put_all(store, item("p", "a"))
    store.commit([Delete(Key("p", "a")), Delete(Key("p", "never"))])
    store.commit([Delete(Key("p", "a"))])
    assert store.get(Key("p", "a")) is None


@pytest.mark.parametrize(
    ("condition", "present"),
    [
        (Absent(), False),
        (VersionIs(3), True),
        (AttributeIs("lease", "mine"), True),
        (AttributeIs("count", 7), True),
        (AttributeIs("open", True), True),
    ],
)
@pytest.mark.parametrize("kind", ["put", "delete", "check"])
def test_a_condition_that_holds_lets_the_commit_through(
    store: Store, condition: Absent | VersionIs | AttributeIs, present: bool, kind: str
) -> None:
    if present:
        put_all(store, item("p", "a", 3, attrs={"lease": "mine", "count": 7, "open": True}))
    store.commit([_operation(kind, condition), Put(item("p", "witness"))])
    assert store.get(Key("p", "witness")) is not None


@pytest.mark.parametrize(
    ("condition", "present"),
    [
        (Absent(), True),
        (VersionIs(2), True),
        (VersionIs(3), False),
        (AttributeIs("lease", "other"), True),
        (AttributeIs("lease", "mine"), False),
        (AttributeIs("unknown", "mine"), True),
        (AttributeIs("count", "7"), True),
        (AttributeIs("count", 8), True),
        (AttributeIs("open", False), True),
        (AttributeIs("open", 1), True),
        (AttributeIs("count", True), True),
    ],
)
@pytest.mark.parametrize("kind", ["put", "delete", "check"])
def test_a_condition_that_fails_writes_nothing(
    store: Store, condition: Absent | VersionIs | AttributeIs, present: bool, kind: str
) -> None:
    before = item("p", "a", 3, attrs={"lease": "mine", "count": 7, "open": True}) if present else None
    if before:
        put_all(store, before)
    with pytest.raises(ConditionFailed) as failure:
        store.commit([Put(item("p", "witness")), _operation(kind, condition)])
    assert failure.value.positions == (1,)
    assert store.get(Key("p", "witness")) is None
    assert store.get(Key("p", "a")) == before


@pytest.mark.parametrize("kind", ["put", "delete", "check"])
def test_a_single_operation_obeys_its_condition(store: Store, kind: str) -> None:
    put_all(store, item("p", "a", 3))
    with pytest.raises(ConditionFailed) as failure:
        store.commit([_operation(kind, VersionIs(4))])
    assert failure.value.positions == (0,)
    assert store.get(Key("p", "a")) == item("p", "a", 3)


def test_every_failed_position_is_named_and_no_other(store: Store) -> None:
    put_all(store, item("p", "a", 3, attrs={"lease": "mine"}), item("p", "b", 1), item("p", "c", 1))
    with pytest.raises(ConditionFailed) as failure:
        store.commit(
            [
                Put(item("p", "a", 4), VersionIs(3)),  # holds
                Put(item("p", "b", 2), VersionIs(9)),  # fails
                Put(item("p", "free")),
                Check(Key("p", "missing"), VersionIs(1)),  # fails
                Delete(Key("p", "c"), Absent()),  # fails
                Put(item("p", "d"), Absent()),  # holds
            ]
        )
    assert failure.value.positions == (1, 3, 4)
    assert [one.version for one in store.query(partition("p")).items] == [3, 1, 1]


def test_a_condition_sees_the_state_before_the_commit(store: Store) -> None:
    store.commit([Put(item("p", "a"), Absent()), Check(Key("p", "b"), Absent())])
    with pytest.raises(ConditionFailed):
        store.commit([Put(item("p", "b"), Absent()), Check(Key("p", "a"), Absent())])
    assert store.get(Key("p", "b")) is None


def test_a_version_survives_delete_and_recreate_as_the_writer_chose_it(store: Store) -> None:
    put_all(store, item("p", "a", 5))
    store.commit([Delete(Key("p", "a"), VersionIs(5))])
    store.commit([Put(item("p", "a", 6), Absent())])
    with pytest.raises(ConditionFailed):
        store.commit([Put(item("p", "a", 7), VersionIs(5))])
    store.commit([Put(item("p", "a", 7), VersionIs(6))])
    found = store.get(Key("p", "a"))
    assert found is not None
    assert found.version == 7


def test_a_hundred_operations_fit_one_commit(store: Store) -> None:
    rows = [item("p", f"{n:03}") for n in range(100)]
    store.commit([Put(row, Absent()) for row in rows])
    assert len(store.query(partition("p")).items) == 100
    with pytest.raises(ConditionFailed) as failure:
        store.commit([Put(row, Absent()) for row in rows])
    assert failure.value.positions == tuple(range(100))


def test_a_hundred_and_one_operations_are_refused(store: Store) -> None:
    with pytest.raises(ItemTooLarge):
        store.commit([Put(item("p", f"{n:03}")) for n in range(101)])
    assert store.query(partition("p")).items == ()


def test_an_item_at_the_limit_fits_and_one_above_is_refused(store: Store) -> None:
    overhead = len("p" + "a" + '{"text":""}')
    fits = item("p", "a", body={"text": "x" * (MAX_ITEM_BYTES - overhead)})
    store.commit([Put(fits)])
    assert store.get(Key("p", "a")) == fits
    with pytest.raises(ItemTooLarge):
        store.commit([Put(item("p", "b", body={"text": "x" * (MAX_ITEM_BYTES - overhead + 1)}))])


def test_size_counts_bytes_and_not_characters(store: Store) -> None:
    with pytest.raises(ItemTooLarge):
        store.commit([Put(item("p", "a", body={"text": "字" * (MAX_ITEM_BYTES // 3)}))])


def test_a_commit_over_four_megabytes_is_refused_whole(store: Store) -> None:
    large = {"text": "x" * 380_000}
    with pytest.raises(ItemTooLarge):
        store.commit([Put(item("p", f"{n}", body=large)) for n in range(11)])
    assert store.query(partition("p")).items == ()
    store.commit([Put(item("p", f"{n}", body=large)) for n in range(10)])
    assert len(store.query(partition("p")).items) == 10


def test_two_operations_on_one_key_are_refused(store: Store) -> None:
    with pytest.raises(InvalidInput):
        store.commit([Put(item("p", "a")), Delete(Key("p", "a"))])


@pytest.mark.parametrize("key", [Key("", "a"), Key("p", ""), Key("p" * 1025, "a"), Key("p", "é" * 513)])
def test_a_key_must_have_1_to_1024_bytes(store: Store, key: Key) -> None:
    with pytest.raises(InvalidInput):
        store.commit([Delete(key)])


def test_a_body_that_is_not_json_is_refused(store: Store) -> None:
    with pytest.raises(InvalidInput):
        store.commit([Put(item("p", "a", body={"not": float("nan")}))])
    with pytest.raises(InvalidInput):
        store.commit([Put(item("p", "a", body={"not": object()}))])


@pytest.mark.parametrize("name", ["name", "status", "size", "a.b", "#x", ":x", "a b", "with-dash", "ключ"])
@pytest.mark.parametrize("value", ["", "text", 0, -5, 2**53, True, False])
def test_any_attribute_name_and_scalar_can_be_compared(store: Store, name: str, value: Scalar) -> None:
    put_all(store, item("p", "a", attrs={name: value}))
    store.commit([Put(item("p", "a", 2, attrs={name: value}), AttributeIs(name, value))])
    found = store.get(Key("p", "a"))
    assert found is not None
    assert found.attrs == {name: value}
    assert type(found.attrs[name]) is type(value)


def _operation(kind: str, condition: Absent | VersionIs | AttributeIs) -> Operation:
    match kind:
        case "put":
            return Put(item("p", "a", 9), condition)
        case "delete":
            return Delete(Key("p", "a"), condition)
        case _:
            return Check(Key("p", "a"), condition)
