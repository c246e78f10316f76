# ruff: noqa: N803 - the stand-in takes the parameters by the service's names
"""The change feed over a stream whose shards split, close, expire and are trimmed; emulators have one shard."""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from reflexio_core.adapters.dynamodb import DynamoStore
from reflexio_core.errors import InvalidInput
from reflexio_core.ports.store import ChangePage
from tests.adapters.dynamodb.stubs import Waits, client_error


@dataclass
class Shard:
    """Records by number; ``gap`` is how many empty answers come before the first record."""

    id: str
    parent: str | None = None
    numbers: list[int] = field(default_factory=list)
    closed: bool = False
    gap: int = 0
    trimmed_below: int = 0


class Stream:
    """A stand-in for both clients. Iterators are ``shard:next number:epoch:empty answers left``."""

    def __init__(self, *shards: Shard) -> None:
        self.shards = list(shards)
        self.arn = "arn-1"
        self.epoch = 0
        self.shards_per_page = 2

    def describe_table(self, TableName: str) -> Any:
        return {"Table": {"LatestStreamArn": self.arn}}

    def describe_stream(self, StreamArn: str, ExclusiveStartShardId: str | None = None) -> Any:
        assert StreamArn == self.arn
        ids = [shard.id for shard in self.shards]
        start = ids.index(ExclusiveStartShardId) + 1 if ExclusiveStartShardId else 0
        page = self.shards[start : start + self.shards_per_page]
        described: list[dict[str, str]] = []
        for shard in page:
            described.append({"ShardId": shard.id} | ({"ParentShardId": shard.parent} if shard.parent else {}))
        answer: dict[str, Any] = {"Shards": described}
        if start + len(page) < len(ids):
            answer["LastEvaluatedShardId"] = page[-1].id
        return {"StreamDescription": answer}

    def get_shard_iterator(
        self,
        StreamArn: str,
        ShardId: str,
        ShardIteratorType: str,
        SequenceNumber: str = "0",
    ) -> Any:
        shard = self._shard(ShardId)
        if ShardIteratorType == "TRIM_HORIZON":
            return {"ShardIterator": f"{ShardId}:{shard.trimmed_below}:{self.epoch}:{shard.gap}"}
        assert ShardIteratorType == "AFTER_SEQUENCE_NUMBER"
        if int(SequenceNumber) < shard.trimmed_below:
            raise client_error("TrimmedDataAccessException")
        return {"ShardIterator": f"{ShardId}:{int(SequenceNumber) + 1}:{self.epoch}:0"}

    def get_records(self, ShardIterator: str, Limit: int) -> Any:
        name, start, epoch, gap = ShardIterator.split(":")
        if int(epoch) != self.epoch:
            raise client_error("ExpiredIteratorException")
        shard = self._shard(name)
        if int(gap):
            return {"Records": [], "NextShardIterator": f"{name}:{start}:{epoch}:{int(gap) - 1}"}
        left = [number for number in shard.numbers if number >= max(int(start), shard.trimmed_below)]
        taken = left[:Limit]
        answer: dict[str, Any] = {"Records": [_record(number) for number in taken]}
        if not (shard.closed and len(taken) == len(left)):
            following = taken[-1] + 1 if taken else int(start)
            answer["NextShardIterator"] = f"{name}:{following}:{epoch}:0"
        return answer

    def _shard(self, name: str) -> Shard:
        return next(shard for shard in self.shards if shard.id == name)


def _record(number: int) -> dict[str, Any]:
    keys = {"p": {"S": "p"}, "s": {"S": f"{number}"}}
    return {"dynamodb": {"Keys": keys, "SequenceNumber": f"{number}"}}


def _store(stream: Stream) -> DynamoStore:
    return DynamoStore("t", stream, stream, retry=Waits().policy)


def _numbers(page: ChangePage) -> list[int]:
    return [int(change.key.sk) for change in page.changes]


def _drain(store: DynamoStore, position: str | None, limit: int = 100, reads: int = 12) -> tuple[list[int], str]:
    found: list[int] = []
    for _ in range(reads):
        page = store.changes(position, limit)
        assert len(page.changes) <= limit
        found += _numbers(page)
        position = page.position
    assert position is not None
    return found, position


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_a_parent_is_read_to_its_end_before_its_children(limit: int) -> None:
    stream = Stream(
        Shard("child-b", "root", [5, 6], closed=True),
        Shard("grandchild", "child-b", [7]),
        Shard("root", None, [1, 2, 3], closed=True),
        Shard("child-a", "root", [4]),
    )
    found, _ = _drain(_store(stream), None, limit)
    assert sorted(found) == [1, 2, 3, 4, 5, 6, 7]
    assert found[:3] == [1, 2, 3]
    assert found.index(6) < found.index(7)


def test_an_open_parent_holds_its_children_back() -> None:
    stream = Stream(Shard("root", None, [1]), Shard("child", "root", [3]))
    store = _store(stream)
    found, position = _drain(store, None)
    assert found == [1]
    stream.shards[0].numbers.append(2)
    stream.shards[0].closed = True
    assert _drain(store, position)[0] == [2, 3]


def test_a_shard_that_splits_between_reads_is_followed() -> None:
    stream = Stream(Shard("root", None, [1]))
    store = _store(stream)
    _, position = _drain(store, None)
    stream.shards[0].closed = True
    stream.shards += [Shard("left", "root", [2, 4]), Shard("right", "root", [3])]
    found, position = _drain(store, position)
    assert sorted(found) == [2, 3, 4]
    assert _drain(store, position)[0] == []


def test_a_position_outlives_its_iterators() -> None:
    stream = Stream(Shard("root", None, [1, 2, 3]))
    store = _store(stream)
    page = store.changes(None, 2)
    stream.epoch += 1
    assert _numbers(store.changes(page.position, 10)) == [3]


def test_an_expired_iterator_before_any_record_starts_at_the_oldest() -> None:
    stream = Stream(Shard("root"))
    store = _store(stream)
    position = store.changes(None, 10).position
    stream.shards[0].numbers.append(1)
    stream.epoch += 1
    assert _numbers(store.changes(position, 10)) == [1]


def test_trimmed_records_are_skipped_to_the_oldest_kept() -> None:
    stream = Stream(Shard("root", None, list(range(1, 10))))
    store = _store(stream)
    position = store.changes(None, 2).position
    stream.shards[0].trimmed_below = 7
    stream.epoch += 1
    assert _numbers(store.changes(position, 10)) == [7, 8, 9]


def test_a_trimmed_parent_does_not_hold_its_child_back() -> None:
    stream = Stream(Shard("child", "long-gone", [8]))
    assert _numbers(_store(stream).changes(None, 10)) == [8]


def test_a_long_stretch_without_records_is_crossed_over_several_reads() -> None:
    stream = Stream(Shard("root", None, [1], gap=10))
    store = _store(stream)
    assert _numbers(store.changes(None, 10)) == []
    assert _drain(store, None)[0] == [1]


def test_a_shard_that_is_gone_is_forgotten() -> None:
    stream = Stream(Shard("root", None, [1], closed=True), Shard("child", "root", [2]))
    store = _store(stream)
    _, position = _drain(store, None)
    del stream.shards[0]
    page = store.changes(position, 10)
    assert page.changes == ()
    assert list(json.loads(page.position)["shards"]) == ["child"]


def test_a_new_stream_is_read_from_its_oldest_record() -> None:
    stream = Stream(Shard("root", None, [1]))
    _, position = _drain(_store(stream), None)
    stream.arn = "arn-2"
    assert _numbers(_store(stream).changes(position, 10)) == [1]


@pytest.mark.parametrize("position", ['{"stream": "arn-1"}', '{"stream": "arn-1", "shards": [1]}', "null", "[" * 9999])
def test_a_made_up_position_is_refused(position: str) -> None:
    with pytest.raises(InvalidInput):
        _store(Stream(Shard("root"))).changes(position, 10)
