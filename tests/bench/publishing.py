"""Publish over HTTP against a bare durable commit, alone and by many at once; and the whole loop to found by search."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from reflexio_core.adapters.onnx import OnnxInference
from tests.bench.ratios import Ratio, medians
from tests.bench.service import Connection, scratch, service
from tests.doubles.openai_server import ScriptedOpenAI

ROUNDS = 150
LOOP_ROUNDS = 30
PUBLISHERS = 16
SECONDS = 3.0
TURNS = 4

LEARNED = {
    "profile_useful": True,
    "playbook_useful": True,
    "profiles": [
        {
            "content": "Production runs in us-west-2",
            "time_to_live": "infinity",
            "forget": False,
            "evidence": [{"turn": "T1", "quote": "Always use us-west-2"}],
        }
    ],
    "playbooks": [
        {
            "trigger": "Before a production deployment",
            "content": "Confirm the target region",
            "rationale": "The user corrected it",
            "pitfall": None,
            "evidence_kind": "correction",
            "evidence": [{"turn": "T1", "quote": "Always use us-west-2"}],
        }
    ],
}


def ratios(inference: OnnxInference) -> Iterator[Ratio]:
    """Measure on fresh services; the commit's file lies in the same file system."""
    with scratch() as folder:
        with service(folder / "alone") as running:
            yield _alone(running.port, folder)
            yield _together(running.port)
        with ScriptedOpenAI({"extract": LEARNED, "consolidate": {"decisions": []}}) as model:
            environment = {**model.environ, "REFLEXIO_MODEL": "openai/gpt-5.5"}
            with service(folder / "loop", environment) as running:
                yield _loop(running.port, inference)


def body(user: str, request_id: str) -> dict[str, object]:
    """A publication of four turns of 200 characters."""
    turn = "Always use us-west-2 for production, never us-east-1. ".ljust(200, "x")
    return {
        "request_id": request_id,
        "user_id": user,
        "session_id": f"session-{user}",
        "interaction_data_list": [{"role": "User", "content": turn} for _ in range(TURNS)],
    }


def _alone(port: int, folder: Path) -> Ratio:
    connection = Connection(port)
    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("PRAGMA synchronous = FULL")
    bare.execute("CREATE TABLE rows (name TEXT PRIMARY KEY, body TEXT)")

    def commit(number: int) -> None:
        bare.execute("BEGIN IMMEDIATE")
        bare.execute("INSERT INTO rows VALUES (?, ?)", (f"row {number}", "x" * 1_000))
        bare.execute("COMMIT")

    taken = medians(
        {
            "empty": lambda _: connection.get("/health/live"),
            "publish": lambda number: publish(connection, f"alone-{number}", f"alone-{number}"),
            "commit": commit,
        },
        ROUNDS,
    )
    bare.close()
    connection.close()
    return Ratio(
        "publish of 4 turns / (durable SQLite commit + empty route)",
        taken["publish"] / (taken["commit"] + taken["empty"]),
        4,
    )


def publish(connection: Connection, user: str, request_id: str) -> None:
    answer = connection.post("/api/publish_interaction", body(user, request_id))
    if not answer["success"]:
        raise RuntimeError(f"a publication was refused: {answer}")


def _together(port: int) -> Ratio:
    """Turns of one and of sixteen publishers, twice each, so that a slow moment of the machine counts for both."""
    rates: dict[int, list[float]] = {1: [], PUBLISHERS: []}
    for turn in range(2):
        for publishers, found in rates.items():
            found.append(_rate(port, publishers, turn))
    return Ratio(
        f"throughput of {PUBLISHERS} publishers at once / of one, none refused",
        max(rates[PUBLISHERS]) / max(rates[1]),
        2,
        at_least=True,
    )


def _rate(port: int, publishers: int, turn: int) -> float:
    counts = [0] * publishers
    refused: list[Exception] = []
    until = time.perf_counter() + SECONDS

    def work(which: int) -> None:
        connection = Connection(port)
        user = f"user-{publishers}-{turn}-{which}"
        try:
            while time.perf_counter() < until:
                publish(connection, user, f"{user}-{counts[which]}")
                counts[which] += 1
        except (RuntimeError, OSError) as error:
            refused.append(error)
        connection.close()

    threads = [threading.Thread(target=work, args=(which,)) for which in range(publishers)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if refused:
        raise refused[0]
    return sum(counts) / (time.perf_counter() - started)


def _loop(port: int, inference: OnnxInference) -> Ratio:
    connection = Connection(port)

    def learn(number: int) -> None:
        user = f"loop-{number}"
        answer = connection.post(
            "/api/publish_interaction?wait_for_response=true", {**body(user, user), "session_finished": True}
        )
        found = connection.post("/api/search", {"query": "deployment region", "user_id": user})
        if answer["learning_status"] != "done" or not found["profiles"] or not found["user_playbooks"]:
            raise RuntimeError(f"the loop did not close: {answer} {found}")

    taken = medians(
        {
            "publish": lambda number: publish(connection, f"plain-{number}", f"plain-{number}"),
            "loop": learn,
            "embedding": lambda number: inference.embed([f"deployment region {number}"], "query", 10.0),
        },
        LOOP_ROUNDS,
    )
    connection.close()
    return Ratio(
        "publish with wait to found by search / (plain publish + two embeddings)",
        taken["loop"] / (taken["publish"] + 2 * taken["embedding"]),
        10,
    )
