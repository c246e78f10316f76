"""Items come back exactly as they were written."""

from typing import Any

import pytest

from reflexio_core.ports.store import Absent, AttributeIs, IndexKey, Key, Put, SparseIndex, Store, VersionIs
from tests.contract.store.rows import item, noise, partition, put_all, sks

HOSTILE_IDS = [
    "u1",
    "u10",
    "u1#",
    "u1#x",
    "u1/x",
    "u1:x",
    "u1%23",
    "#/:%",
    "' OR 1=1 --",
    "\N{GRINNING FACE}",
    "é",
    "e\u0301",
    "مرحبا",
    "a\x00b",
    " a",
    "a ",
    "A",
    "a",
]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"nul": "a\x00b", "control": "\x01\x1f\x7f", "quotes": "\"'`\\"},
        {"lone": "\ud800", "tail": "x\udfff", "\udc00": "surrogate as a name"},
        {"emoji": "\N{GRINNING FACE}", "chinese": "用户喜欢简短的回答", "arabic": "مرحبا", "separator": "\u2028"},
        {"int": 2**53 - 1, "negative": -1, "float": 0.1, "large": 1e300, "true": True, "none": None},
        {"deep": [[[{"a": [1, "2", None, {"b": []}]}]]], "": "empty name"},
        {"n": 1, "name": "reserved", "status": "words", "size": 3},
    ],
)
def test_any_json_body_comes_back_unchanged(store: Store, body: dict[str, Any]) -> None:
    put_all(store, item("p", "a", body=body))
    found = store.get(Key("p", "a"))
    assert found is not None
    assert found.body == body


def test_every_field_of_an_item_comes_back(store: Store) -> None:
    full = item(
        "p",
        "a",
        2**53,
        body={"turns": [{"role": "user", "content": "x" * 500}]},
        attrs={"lease": "t", "generation": 4, "closed": False},
        index={
            SparseIndex.DUE: IndexKey("shard", "0001"),
            SparseIndex.LISTING: IndexKey("t#profile", "0002"),
            SparseIndex.SESSION: IndexKey("t#s", "0003"),
        },
        expires_at=1_900_000_000,
    )
    put_all(store, full)
    assert store.get(Key("p", "a")) == full
    assert store.batch_get([Key("p", "a")]) == {Key("p", "a"): full}
    assert store.query(partition("p")).items == (full,)


def test_incompressible_bodies_near_the_limit_come_back(store: Store) -> None:
    text = noise(385_000)
    put_all(store, item("p", "a", body={"text": text}))
    found = store.get(Key("p", "a"))
    assert found is not None
    assert found.body == {"text": text}


def test_an_expired_item_is_still_returned(store: Store) -> None:
    past = item("p", "a", expires_at=1, index={SparseIndex.LISTING: IndexKey("t", "1")})
    put_all(store, past)
    assert store.get(Key("p", "a")) == past
    assert store.query(partition("p")).items == (past,)


def test_changing_a_returned_item_changes_nothing_stored(store: Store) -> None:
    put_all(store, item("p", "a", body={"list": [1]}))
    first = store.get(Key("p", "a"))
    assert first is not None
    first.body["list"].append(2)
    again = store.get(Key("p", "a"))
    assert again is not None
    assert again.body == {"list": [1]}


def test_hostile_ids_never_meet(store: Store) -> None:
    rows = [item(pk, sk, body={"pk": pk, "sk": sk}) for pk in HOSTILE_IDS for sk in HOSTILE_IDS]
    put_all(store, *rows)
    for pk in HOSTILE_IDS:
        assert sks(store.query(partition(pk))) == sorted(HOSTILE_IDS, key=str.encode)
    assert store.batch_get([row.key for row in rows]) == {row.key: row for row in rows}


@pytest.mark.parametrize("pk", HOSTILE_IDS)
def test_conditions_hold_on_hostile_ids(store: Store, pk: str) -> None:
    store.commit([Put(item(pk, pk, attrs={pk: pk}), Absent())])
    store.commit([Put(item(pk, pk, 2, attrs={pk: pk}), AttributeIs(pk, pk))])
    store.commit([Put(item(pk, pk, 3), VersionIs(2))])
    found = store.get(Key(pk, pk))
    assert found is not None
    assert found.version == 3


def test_batch_get_takes_any_number_of_keys(store: Store) -> None:
    rows = [item(f"p{n % 3}", f"{n:03}") for n in range(250)]
    put_all(store, *rows)
    wanted = [row.key for row in rows] + [Key("p0", "missing"), rows[0].key]
    assert store.batch_get(wanted) == {row.key: row for row in rows}


def test_batch_get_of_nothing_is_nothing(store: Store) -> None:
    assert store.batch_get([]) == {}
    assert store.batch_get([Key("p", "missing")]) == {}


def test_batch_get_reads_beyond_the_answer_limit(store: Store) -> None:
    rows = [item("p", f"{n:02}", body={"text": noise(380_000, n)}) for n in range(55)]
    for row in rows:
        put_all(store, row)
    assert store.batch_get([row.key for row in rows]) == {row.key: row for row in rows}
