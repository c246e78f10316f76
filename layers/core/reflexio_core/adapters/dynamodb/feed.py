"""The change feed on DynamoDB Streams, for those who poll. In the cloud the stream invokes a function instead.

A stream is a set of shards that split and close over time; a shard's parent must be read to its end before it. The
position that a caller keeps holds, for each shard, the number of the last record seen and an iterator. The iterator
moves on through stretches without records, where a number alone would read the same empty stretch again; when it has
expired (after 15 minutes) the number takes its place.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from reflexio_core.adapters.dynamodb.attributes import read_key
from reflexio_core.adapters.dynamodb.retry import RetryPolicy, call, error_code
from reflexio_core.errors import InvalidInput, StoreUnavailable
from reflexio_core.ports.store import Change, ChangePage

_RECORDS_PER_CALL = 1000
_EMPTY_READS = 3
"""Reads of a shard in a row that may answer nothing before the next shard has its turn."""

_LOST_PLACE_CODES = frozenset({"ExpiredIteratorException", "TrimmedDataAccessException"})


@dataclass(slots=True)
class _Place:
    """Where a shard is read next. ``done``: it is closed and was read to its end."""

    number: str | None = None
    iterator: str | None = None
    done: bool = False

    def step_back(self) -> bool:
        """Give up the iterator, then the number; False if the place is the shard's oldest record already."""
        if self.iterator is None and self.number is None:
            return False
        if self.iterator is None:
            self.number = None
        self.iterator = None
        return True


class StreamFeed:
    """Reads keys from the table's stream; never waits for new ones."""

    def __init__(self, client: Any, streams: Any, table: str, policy: RetryPolicy) -> None:
        self._client = client
        self._streams = streams
        self._table = table
        self._policy = policy
        self._known_arn: str | None = None

    def read(self, position: str | None, limit: int) -> ChangePage:
        """Up to ``limit`` changes after ``position``, in commit order for each key, and the next position.

        Records that the stream dropped (after 24 hours) are gone; reading goes on at the oldest kept.

        Raises:
            InvalidInput: For ``limit`` or ``position``.
            StoreUnavailable: The table has no stream, or it cannot be reached.
        """
        if limit < 1:
            raise InvalidInput("limit", f"a page holds at least one change, not {limit}")
        arn = self._arn()
        places = _read_position(position, arn)
        parents = self._shards(arn)
        # Shards that the stream dropped are forgotten with their records.
        places = {shard: places.get(shard, _Place()) for shard in parents}
        changes: list[Change] = []
        for shard in _parents_first(parents):
            parent = parents[shard]
            if parent in places and not places[parent].done:
                continue
            if len(changes) < limit and not places[shard].done:
                changes += self._read_shard(arn, shard, places[shard], limit - len(changes))
        return ChangePage(tuple(changes), _write_position(places, arn))

    def _read_shard(self, arn: str, shard: str, place: _Place, limit: int) -> list[Change]:
        changes: list[Change] = []
        empty = 0
        while len(changes) < limit and empty < _EMPTY_READS:
            answer = self._records(arn, shard, place, min(limit - len(changes), _RECORDS_PER_CALL))
            records = answer["Records"]
            changes += [Change(read_key(record["dynamodb"]["Keys"])) for record in records]
            if records:
                place.number = records[-1]["dynamodb"]["SequenceNumber"]
            place.iterator = answer.get("NextShardIterator")
            if not place.iterator:
                place.done = True
                break
            empty = 0 if records else empty + 1
        return changes

    def _records(self, arn: str, shard: str, place: _Place, limit: int) -> Any:
        from botocore.exceptions import ClientError

        def send() -> Any:
            try:
                iterator = place.iterator or self._iterator(arn, shard, place.number)
                return self._streams.get_records(ShardIterator=iterator, Limit=limit)
            except ClientError as error:
                if error_code(error.response) in _LOST_PLACE_CODES and place.step_back():
                    return send()
                raise

        return call(self._policy, "changes", send)

    def _iterator(self, arn: str, shard: str, number: str | None) -> str:
        start = (
            {"ShardIteratorType": "AFTER_SEQUENCE_NUMBER", "SequenceNumber": number}
            if number
            else {"ShardIteratorType": "TRIM_HORIZON"}
        )
        answer = self._streams.get_shard_iterator(StreamArn=arn, ShardId=shard, **start)
        return str(answer["ShardIterator"])

    def _arn(self) -> str:
        if self._known_arn is None:
            answer = call(self._policy, "changes", partial(self._client.describe_table, TableName=self._table))
            arn = answer["Table"].get("LatestStreamArn")
            if not arn:
                raise StoreUnavailable(f"the table {self._table} has no stream: enable it with new and old images")
            self._known_arn = str(arn)
        return self._known_arn

    def _shards(self, arn: str) -> dict[str, str | None]:
        """Each shard of the stream with its parent."""
        parents: dict[str, str | None] = {}
        page: dict[str, str] = {}
        while True:
            describe = partial(self._streams.describe_stream, StreamArn=arn, **page)
            answer = call(self._policy, "changes", describe)["StreamDescription"]
            for shard in answer["Shards"]:
                parents[shard["ShardId"]] = shard.get("ParentShardId")
            last = answer.get("LastEvaluatedShardId")
            if not last:
                return parents
            page = {"ExclusiveStartShardId": last}


def _parents_first(parents: Mapping[str, str | None]) -> list[str]:
    def depth(shard: str) -> int:
        steps = 0
        parent = parents[shard]
        while parent is not None and parent in parents:
            steps += 1
            parent = parents[parent]
        return steps

    return sorted(parents, key=lambda shard: (depth(shard), shard))


def _read_position(position: str | None, arn: str) -> dict[str, _Place]:
    if position is None:
        return {}
    try:
        state = json.loads(position)
        # A table that was made anew has another stream: its records start from the oldest.
        shards = state["shards"] if state["stream"] == arn else {}
        return {
            shard: _Place(place.get("n"), place.get("i"), bool(place.get("done"))) for shard, place in shards.items()
        }
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise InvalidInput("position", "this is not a position that the change feed returned") from error


def _write_position(places: Mapping[str, _Place], arn: str) -> str:
    shards: dict[str, dict[str, Any]] = {}
    for shard, place in places.items():
        state: dict[str, Any] = {}
        if place.done:
            state["done"] = True
        else:
            if place.number:
                state["n"] = place.number
            if place.iterator:
                state["i"] = place.iterator
        shards[shard] = state
    return json.dumps({"stream": arn, "shards": shards}, separators=(",", ":"))
