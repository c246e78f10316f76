"""Measure what a learner finds of the corpus, through the SDK against a live embedded service.

    python -m tests.bench.learning                 # the offline rules
    python -m tests.bench.learning --model gpt-5   # any LiteLLM name; its key comes from the environment

Every conversation is published as its own user, sessions in order, each with ``session_finished``; then each
expectation is a search. Writes ``tests/corpus/RESULTS.md`` and exits 1 when a bar is missed: 80 % of the expected
facts and lessons found, nothing learned from small talk, nothing out of date served, no secret kept.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from reflexio import ReflexioClient, Status
from tests.corpus import results
from tests.corpus.cases import Learning, Score, load, run

OFFLINE = "offline-rules"
_START_SECONDS = 60
_STOP_SECONDS = 15
_KEYS = (
    "OPENAI",
    "ANTHROPIC",
    "GEMINI",
    "GOOGLE",
    "AZURE",
    "OPENROUTER",
    "DEEPSEEK",
    "MISTRAL",
    "GROQ",
    "XAI",
    "MINIMAX",
)
_KEPT = [None, Status.PENDING, Status.ARCHIVED]


@dataclass(slots=True)
class Service:
    """A running service as the corpus sees it."""

    client: ReflexioClient
    modes: set[str] = field(default_factory=set)

    def publish(self, user: str, session: str, turns: Sequence[dict[str, Any]], date: str) -> None:
        """Publish a finished session and wait until it is learned from."""
        start = datetime.fromisoformat(date)
        dated = [
            {**turn, "created_at": (start + timedelta(minutes=number)).isoformat()} for number, turn in enumerate(turns)
        ]
        answer = self.client.publish_interaction(
            user, dated, session_id=session, session_finished=True, wait_for_response=True
        )
        if answer.learning_status != "done":
            raise RuntimeError(f"{session}: learning is {answer.learning_status}: {answer.learning_reason}")

    def search(self, user: str, query: str) -> list[Learning]:
        """What one search serves; a publication that waited has put its learnings where searches find them."""
        found = self.client.search(query=query, user_id=user)
        self.modes.add(found.search_mode_effective or "unknown")
        return [*map(_profile, found.profiles), *map(_playbook, found.user_playbooks)]

    def current(self, user: str) -> list[Learning]:
        """Every current learning of a user."""
        profiles = self.client.iter_profiles(user_id=user)
        return [*map(_profile, profiles), *map(_playbook, self.client.iter_user_playbooks(user_id=user))]

    def stored(self, user: str) -> list[Learning]:
        """Every learning kept, archived ones and quoted evidence included."""
        profiles = self.client.iter_profiles(user_id=user, status_filter=_KEPT)
        playbooks = self.client.iter_user_playbooks(user_id=user, status_filter=_KEPT)
        return [*map(_profile, profiles), *map(_playbook, playbooks)]


@contextmanager
def service(model: str) -> Iterator[str]:
    """An embedded service on a free port with a fresh data folder; yields its address."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    if not model:
        environment = {name: value for name, value in environment.items() if not name.startswith(_KEYS)}
    with tempfile.TemporaryDirectory(prefix="reflexio-bench-") as data:
        command = [sys.executable, "-m", "reflexio_core.embedded.server", "--port", "0", "--data", data]
        log = Path(data) / "service.log"
        with log.open("w") as output:
            process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=environment)
            try:
                yield _ready(process, log)
            finally:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(_STOP_SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def measure(model: str) -> tuple[str, list[Score]]:
    """The learner's name, and every case of the corpus, one after the other."""
    scores = []
    with service(model) as url, ReflexioClient(url_endpoint=url) as client:
        if model:
            client.update_config({"llm_config": {"generation_model_name": model}})
        backend = Service(client)
        for case in load():
            scores.append(run(case, backend))
            missed = "".join(f"\n    not found: {miss.kind} {miss.query!r}" for miss in scores[-1].missed)
            broken = "".join(f"\n    broken: {violation}" for violation in scores[-1].violations)
            print(f"{case.id}: {scores[-1].found}/{scores[-1].expected}{missed}{broken}", file=sys.stderr, flush=True)
    name = model or OFFLINE
    return (name if backend.modes == {"hybrid"} else f"{name} (search: {', '.join(sorted(backend.modes))})"), scores


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the table, say whether the bar was met."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.learning")
    parser.add_argument("--model", default="", help="LiteLLM model name; empty measures the offline rules")
    model = parser.parse_args(arguments).model.strip()
    name, scores = measure(model)
    results.write(name, scores)
    failures = results.missed_bars(scores)
    print(results.summary(name, scores))
    for failure in failures:
        print(f"missed: {failure}", file=sys.stderr)
    return 1 if failures else 0


def _ready(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the service stopped while starting:\n{log.read_text()}")
        state = log.with_name("service.json")
        if state.exists():
            url = str(json.loads(state.read_text())["url"])
            try:
                if httpx.get(f"{url}/health/ready", timeout=5).status_code == httpx.codes.OK:
                    return url
            except httpx.TransportError:
                pass  # not listening yet
        time.sleep(0.05)
    raise RuntimeError(f"the service was not ready after {_START_SECONDS} s:\n{log.read_text()}")


def _profile(row: Any) -> Learning:
    return Learning("profile", " | ".join(filter(None, (row.content, row.source_span))))


def _playbook(row: Any) -> Learning:
    parts = (row.trigger, row.content, row.pitfall, row.rationale, row.source_span)
    return Learning("playbook", " | ".join(filter(None, parts)))


if __name__ == "__main__":
    sys.exit(main())
