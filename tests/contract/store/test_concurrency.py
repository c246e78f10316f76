"""Many writers at once, in one store and in several on the same data."""

import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from reflexio_core.errors import ConditionFailed
from reflexio_core.ports.store import Absent, Check, Delete, Item, Key, Operation, Put, Store, VersionIs
from tests.contract.conftest import OpenStore
from tests.contract.store.rows import item, partition, put_all, sks

COUNTER = Key("p", "counter")


def _together(tasks: int, work: Callable[[int], None]) -> None:
    """Run ``work(0) .. work(tasks - 1)`` in threads that start at the same moment; raise what one raised."""
    ready = threading.Barrier(tasks)

    def one(number: int) -> None:
        ready.wait(timeout=30)
        work(number)

    with ThreadPoolExecutor(tasks) as pool:
        list(pool.map(one, range(tasks)))


def _increment(store: Store, times: int) -> None:
    while times:
        found = store.get(COUNTER)
        assert found is not None
        count = found.body["count"] + 1
        try:
            store.commit([Put(item("p", "counter", count, body={"count": count}), VersionIs(found.version))])
        except ConditionFailed:
            continue
        times -= 1


def test_increments_under_a_version_lose_nothing(store: Store) -> None:
    put_all(store, item("p", "counter", 0, body={"count": 0}))
    _together(8, lambda _: _increment(store, 6))
    found = store.get(COUNTER)
    assert found is not None
    assert found.body == {"count": 48}


def test_two_stores_on_the_same_data_see_and_fence_each_other(open_store: OpenStore) -> None:
    one, two = open_store(), open_store()
    put_all(one, item("p", "counter", 0, body={"count": 0}))
    _together(6, lambda number: _increment((one, two)[number % 2], 5))
    for store in (one, two):
        found = store.get(COUNTER)
        assert found is not None
        assert found.body == {"count": 30}


def test_one_of_many_claims_wins(store: Store) -> None:
    won: list[int] = []
    lost: list[tuple[int, ...]] = []

    def claim(number: int) -> None:
        try:
            store.commit([Put(item("p", "lease", body={"owner": number}), Absent()), Put(item("p", f"w{number}"))])
        except ConditionFailed as failure:
            lost.append(failure.positions)
        else:
            won.append(number)

    _together(8, claim)
    assert len(won) == 1
    assert lost == [(0,)] * 7
    assert sks(store.query(partition("p"))) == ["lease", f"w{won[0]}"]


def test_readers_see_a_commit_whole_or_not_at_all(store: Store) -> None:
    def pair(version: int) -> list[Operation]:
        return [Put(item("p", sk, version)) for sk in ("a", "b")]

    store.commit(pair(0))
    done = threading.Event()
    torn: list[list[int]] = []

    def work(number: int) -> None:
        if number:
            while not done.is_set():
                versions = [one.version for one in store.query(partition("p")).items]
                if len(set(versions)) != 1:
                    torn.append(versions)
            return
        try:
            for version in range(1, 40):
                store.commit(pair(version))
        finally:
            done.set()

    _together(3, work)
    assert torn == []


def test_random_commits_agree_with_a_dictionary(store: Store) -> None:
    dice = random.Random(20_240_601)
    model: dict[Key, Item] = {}
    for _ in range(150):
        operations: list[Operation] = []
        failed: list[int] = []
        for sk in dice.sample("abcdefgh", dice.randint(1, 4)):
            key = Key("p", sk)
            now = model.get(key)
            version = now.version if now else 0
            when = dice.choice([None, Absent(), VersionIs(version), VersionIs(version + dice.randint(0, 1))])
            holds = when is None or (
                now is None if when == Absent() else now is not None and when == VersionIs(version)
            )
            if not holds:
                failed.append(len(operations))
            match dice.choice(["put", "put", "delete", "check"]):
                case "check" if when is not None:
                    operations.append(Check(key, when))
                case "delete":
                    operations.append(Delete(key, when))
                case _:
                    operations.append(Put(item("p", sk, version + 1, body={"n": dice.random()}), when))
        found: tuple[int, ...] = ()
        try:
            store.commit(operations)
        except ConditionFailed as failure:
            found = failure.positions
        assert found == tuple(failed)
        for operation in [] if failed else operations:
            if isinstance(operation, Put):
                model[operation.item.key] = operation.item
            elif isinstance(operation, Delete):
                model.pop(operation.key, None)
    assert store.query(partition("p")).items == tuple(model[key] for key in sorted(model, key=lambda key: key.sk))
