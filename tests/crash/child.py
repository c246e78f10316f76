"""A process that publishes and learns on a SQLite file, and may be told to die at a commit.

    python -m tests.crash.child DATA [COMMIT before|after]

Prints ``ready N`` when everything is learned, with the number of commits it made, then the whole state as JSON. Each
acknowledged publication is noted in DATA/acknowledged, as a client would remember it.
"""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from reflexio.models.interactions import PublishUserInteractionRequest
from reflexio_core.adapters.files import FileBlobs
from reflexio_core.adapters.sqlite import SqliteStore
from reflexio_core.domain.records import StreamHead
from reflexio_core.engine.context import Engine, EngineSettings
from reflexio_core.engine.learn import run_user
from reflexio_core.engine.publish import publish
from reflexio_core.engine.sweep import recover
from reflexio_core.ports.store import PartitionQuery
from tests.doubles.echo_llm import EchoLlm
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.ports import FixedClock

PUBLICATIONS: list[dict[str, Any]] = [
    {
        "request_id": "first",
        "user_id": "ana",
        "session_id": "s1",
        "interaction_data_list": [
            {"role": "User", "content": f"fact {n}", "created_at": 1_790_000_000} for n in range(4)
        ],
        "session_finished": True,
    },
    {
        "request_id": "second",
        "user_id": "ana",
        "session_id": "s2",
        "interaction_data_list": [{"role": "User", "content": "large " * 80_000, "created_at": 1_790_000_000}],
        "force_extraction": True,
    },
    {
        "request_id": "third",
        "user_id": "bob",
        "session_id": "s3",
        "interaction_data_list": [{"role": "User", "content": "bob's fact", "created_at": 1_790_000_000}],
        "session_finished": True,
    },
]


class FatalStore:
    """Kills the process before or after its n-th commit."""

    def __init__(self, inner: SqliteStore, at: int, when: str) -> None:
        self._inner = inner
        self._at = at
        self._when = when
        self.commits = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def commit(self, operations: Any) -> None:
        """Commit, unless this is where the process dies."""
        self.commits += 1
        if self.commits == self._at and self._when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        self._inner.commit(operations)
        if self.commits == self._at and self._when == "after":
            os.kill(os.getpid(), signal.SIGKILL)


def main(data: Path, at: int, when: str) -> None:
    """Publish, learn, print."""
    inner = SqliteStore(data / "store.db")
    store = FatalStore(inner, at, when)
    settings = EngineSettings(
        owner=f"process-{os.getpid()}", exclusive=True, storage_type="sqlite", storage_label="crash test"
    )
    engine = make_engine(
        store=store, blobs=FileBlobs(data / "blobs"), llm=EchoLlm(), clock=FixedClock(), settings=settings
    )
    finish_earlier_work(engine)
    for body in PUBLICATIONS:
        answer = publish(engine, TENANT, PublishUserInteractionRequest.model_validate(body), [])
        assert answer["success"], answer
        with (data / "acknowledged").open("a") as log:
            log.write(f"{body['request_id']}\n")
        run_user(engine, TENANT, body["user_id"])
    print("ready", store.commits)
    print(json.dumps(state(inner), sort_keys=True))
    inner.close()


def finish_earlier_work(engine: Engine) -> None:
    """What a starting service does: look for work that an earlier process left."""
    recover(engine)
    for user in ("ana", "bob"):
        run_user(engine, TENANT, user)


def state(store: SqliteStore) -> dict[str, Any]:
    """Every item by key, without what differs from run to run by design: versions, lease tokens, lease owners."""
    found: dict[str, Any] = {}
    for pk in all_partitions(store):
        page = store.query(PartitionQuery(pk, "\x01", "\U0010ffff", 10_000))
        for item in page.items:
            body = dict(item.body)
            if item.key.sk == "HEAD":
                assert StreamHead.of(item).lease == ""
            found[f"{pk} {item.key.sk}"] = body
    return found


def all_partitions(store: SqliteStore) -> list[str]:
    """Partition keys seen in the change feed."""
    return sorted({change.key.pk for change in store.changes(None, 100_000).changes})


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0, sys.argv[3] if len(sys.argv) > 3 else "")
