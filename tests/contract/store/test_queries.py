"""Range queries and paging, over partitions and sparse indexes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from reflexio_core.errors import InvalidInput
from reflexio_core.ports.store import Delete, IndexKey, IndexQuery, Key, Put, SparseIndex, Store
from tests.contract.store.rows import LAST, due, due_query, item, noise, pages, partition, put_all, sks

BYTE_ORDER = ["A", "a", "a\x00", "a!", "a#", "a#1", "aa", "b", "é", "字", "\uffff", "\U00010000", "\N{GRINNING FACE}"]


def test_sort_keys_are_ordered_by_their_bytes(store: Store) -> None:
    put_all(store, *(item("p", sk) for sk in reversed(BYTE_ORDER)))
    assert sks(store.query(partition("p"))) == BYTE_ORDER
    assert sks(store.query(partition("p", reverse=True))) == BYTE_ORDER[::-1]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("low", range(len(BYTE_ORDER)))
def test_a_range_has_its_lower_bound_and_not_its_upper(store: Store, low: int, reverse: bool) -> None:
    put_all(store, *(item("p", sk, index=due(sk)) for sk in BYTE_ORDER))
    for high in range(len(BYTE_ORDER)):
        bounds: dict[str, Any] = {"after": BYTE_ORDER[low], "before": BYTE_ORDER[high], "reverse": reverse}
        expected = BYTE_ORDER[low:high][::-1] if reverse else BYTE_ORDER[low:high]
        assert sks(store.query(partition("p", **bounds))) == expected
        assert sks(store.query_index(due_query(**bounds))) == expected


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("limit", [1, 2, 3, 7, 10, 11])
def test_pages_join_to_the_whole_and_end_without_a_token(store: Store, limit: int, reverse: bool) -> None:
    names = [f"{n:02}" for n in range(10)]
    put_all(store, *(item("p", sk, index=due(sk)) for sk in names))
    expected = names[::-1] if reverse else names
    expected_pages = [expected[start : start + limit] for start in range(0, len(expected), limit)]
    assert pages(store, partition("p", limit=limit, reverse=reverse)) == expected_pages
    assert pages(store, due_query(limit=limit, reverse=reverse)) == expected_pages


@pytest.mark.parametrize("reverse", [False, True])
def test_paging_over_ties_loses_and_doubles_nothing(store: Store, reverse: bool) -> None:
    rows = [item(f"p{n % 4}", f"{n:02}", index=due(f"{n // 12}")) for n in range(36)]
    put_all(store, *rows)
    found = pages(store, due_query(limit=5, reverse=reverse))
    names = [sk for page in found for sk in page]
    assert sorted(names) == [row.key.sk for row in rows]
    assert [len(page) for page in found] == [5, 5, 5, 5, 5, 5, 5, 1]
    groups = [int(sk) // 12 for sk in names]
    assert groups == sorted(groups, reverse=reverse)


@pytest.mark.parametrize("reverse", [False, True])
def test_ties_at_the_upper_bound_stay_out(store: Store, reverse: bool) -> None:
    put_all(store, *(item("p", f"{n:02}", index=due(f"{n // 8}")) for n in range(24)))
    found = pages(store, due_query(after="0", before="2", limit=3, reverse=reverse))
    assert sorted(sk for page in found for sk in page) == [f"{n:02}" for n in range(16)]


def test_rows_written_behind_the_token_appear_and_before_it_do_not(store: Store) -> None:
    put_all(store, *(item("p", sk) for sk in ("b", "d", "f")))
    first = store.query(partition("p", limit=2))
    put_all(store, item("p", "a"), item("p", "e"))
    assert sks(store.query(partition("p", limit=10, token=first.token))) == ["e", "f"]


def test_a_page_continues_after_its_last_row_was_deleted(store: Store) -> None:
    put_all(store, *(item("p", sk, index=due(sk)) for sk in ("a", "b", "c", "d")))
    by_key, by_index = store.query(partition("p", limit=2)), store.query_index(due_query(limit=2))
    store.commit([Delete(Key("p", "b"))])
    assert sks(store.query(partition("p", token=by_key.token))) == ["c", "d"]
    assert sks(store.query_index(due_query(token=by_index.token))) == ["c", "d"]


def test_the_limit_may_change_between_pages(store: Store) -> None:
    put_all(store, *(item("p", f"{n}") for n in range(6)))
    first = store.query(partition("p", limit=2))
    assert sks(store.query(partition("p", limit=3, token=first.token))) == ["2", "3", "4"]


def test_an_empty_or_inverted_range_is_an_empty_page(store: Store) -> None:
    put_all(store, item("p", "a", index=due("a")))
    for bounds in ({"after": "b", "before": "a"}, {"after": "a", "before": "a"}, {"after": "", "before": ""}):
        assert store.query(partition("p", **bounds)).items == ()
        assert store.query_index(due_query(**bounds)).items == ()


def test_large_items_fill_a_page_up_to_its_limit(store: Store) -> None:
    text = noise(380_000)
    for n in range(8):
        put_all(store, item("p", f"{n}", body={"text": text}, index=due(f"{n}")))
    assert pages(store, partition("p", limit=6)) == [["0", "1", "2", "3", "4", "5"], ["6", "7"]]
    assert pages(store, due_query(limit=6)) == [["0", "1", "2", "3", "4", "5"], ["6", "7"]]


@pytest.mark.parametrize("token", ["", "x", "!!", "e30", "bnVsbA", "WzFd", "é", "W" * 5000, "\x00"])
def test_a_made_up_token_is_refused_by_name(store: Store, token: str) -> None:
    reads: list[Callable[[], object]] = [
        lambda: store.query(partition("p", token=token)),
        lambda: store.query_index(due_query(token=token)),
    ]
    for read in reads:
        with pytest.raises(InvalidInput) as failure:
            read()
        assert failure.value.field == "next_token"


def test_a_token_of_another_query_is_refused(store: Store) -> None:
    put_all(store, *(item(pk, f"{n}", index=due(f"{n}", pk)) for pk in ("p", "q") for n in range(4)))
    by_key = store.query(partition("p", limit=2)).token
    by_index = store.query_index(due_query("p", limit=2)).token
    for query in (
        partition("q", token=by_key),
        partition("p", token=by_key, reverse=True),
        partition("p", token=by_key, after="1"),
        partition("p", token=by_key, before="9"),
        partition("p", token=by_index),
    ):
        with pytest.raises(InvalidInput):
            store.query(query)
    for other in (
        due_query("q", token=by_index),
        due_query("p", token=by_key),
        replace(due_query("p", token=by_index), index=SparseIndex.LISTING),
    ):
        with pytest.raises(InvalidInput):
            store.query_index(other)


def test_an_altered_token_is_refused(store: Store) -> None:
    put_all(store, *(item("p", f"{n}") for n in range(4)))
    token = store.query(partition("p", limit=2)).token
    assert token
    for at in range(len(token)):
        altered = token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :]
        with pytest.raises(InvalidInput):
            store.query(partition("p", token=altered))


@pytest.mark.parametrize("limit", [0, -1])
def test_a_page_holds_at_least_one_row(store: Store, limit: int) -> None:
    with pytest.raises(InvalidInput):
        store.query(partition("p", limit=limit))
    with pytest.raises(InvalidInput):
        store.query_index(due_query(limit=limit))


def test_an_item_is_only_in_the_indexes_it_carries_a_key_for(store: Store) -> None:
    put_all(
        store,
        item("p", "none"),
        item("p", "due", index=due("1")),
        item("p", "both", index={**due("2"), SparseIndex.LISTING: IndexKey("shard", "1")}),
        item("p", "session", index={SparseIndex.SESSION: IndexKey("shard", "1")}),
    )
    found = {index: sks(store.query_index(IndexQuery(index, "shard", "", LAST, 10))) for index in SparseIndex}
    assert found == {
        SparseIndex.DUE: ["due", "both"],
        SparseIndex.LISTING: ["both"],
        SparseIndex.SESSION: ["session"],
    }


def test_an_index_key_moves_and_vanishes_with_its_item(store: Store) -> None:
    put_all(store, item("p", "a", index=due("5")))
    put_all(store, item("p", "a", 2, index=due("9")))
    assert sks(store.query_index(due_query(before="6"))) == []
    assert sks(store.query_index(due_query(after="6"))) == ["a"]
    put_all(store, item("p", "a", 3, index=due("1", "elsewhere")))
    assert sks(store.query_index(due_query())) == []
    assert sks(store.query_index(due_query("elsewhere"))) == ["a"]
    put_all(store, item("p", "a", 4))
    assert sks(store.query_index(due_query("elsewhere"))) == []
    put_all(store, item("p", "a", 5, index=due("1")))
    store.commit([Delete(Key("p", "a"))])
    assert sks(store.query_index(due_query())) == []


def test_an_index_returns_the_item_as_it_is_now(store: Store) -> None:
    put_all(store, item("p", "a", index=due("5"), body={"text": "old"}))
    store.commit([Put(item("p", "a", 2, index=due("5"), body={"text": "new"}))])
    assert [one.body for one in store.query_index(due_query()).items] == [{"text": "new"}]
