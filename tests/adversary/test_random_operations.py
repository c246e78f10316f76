"""Random calls of many users at once against a real service: the oracle's rules hold, also when the service is killed.

``REFLEXIO_ADVERSARY_SECONDS`` makes both tests run longer, ``REFLEXIO_ADVERSARY_SEED`` makes them do other things.
"""

import os
import random
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

from tests.adversary.oracle import Caller, Gone
from tests.embedded.services import Service

SECONDS = float(os.environ.get("REFLEXIO_ADVERSARY_SECONDS", "3"))
SEED = int(os.environ.get("REFLEXIO_ADVERSARY_SEED", "1"))
SETTLE_SECONDS = 60.0
KILL_EVERY_SECONDS = (0.3, 2.5)

# Ids that a careless key, prefix or comparison takes for one another.
USERS = ("u1", "u10", "U1", "u1#", "u1/", "*")


def callers(url: str) -> list[Caller]:
    return [Caller(user, number, url, random.Random(SEED * 1000 + number)) for number, user in enumerate(USERS)]


def run(crowd: list[Caller], until: Callable[[], bool]) -> tuple[list[threading.Thread], list[BaseException]]:
    """Start a thread for each caller; the first fault ends them all."""
    faults: list[BaseException] = []

    def act(caller: Caller) -> None:
        try:
            while not until() and not faults:
                try:
                    caller.step()
                except Gone:
                    time.sleep(0.05)
        except Exception as fault:
            fault.add_note(f"user {caller.user!r}, step {caller.steps}, seed {SEED}")
            faults.append(fault)

    threads = [threading.Thread(target=act, args=(caller,)) for caller in crowd]
    for thread in threads:
        thread.start()
    return threads, faults


def finish(threads: list[threading.Thread], faults: list[BaseException], crowd: list[Caller]) -> None:
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]
    for caller in crowd:
        if caller.unanswered is not None:
            caller.unanswered()
        caller.settle(SETTLE_SECONDS)
    assert all(caller.steps for caller in crowd)


def test_whatever_many_users_do_at_once_nothing_is_lost_doubled_mixed_or_brought_back(tmp_path: Path) -> None:
    with Service(tmp_path / "data") as service:
        crowd = callers(service.state.url)
        end = time.monotonic() + SECONDS
        finish(*run(crowd, lambda: time.monotonic() > end), crowd)


def test_killing_the_service_again_and_again_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    ended = threading.Event()
    moments = random.Random(SEED)
    with Service(tmp_path / "data") as service:
        crowd = callers(service.state.url)[:4]
        threads, faults = run(crowd, ended.is_set)
        try:
            end = time.monotonic() + SECONDS
            while time.monotonic() < end and not faults:
                time.sleep(moments.uniform(*KILL_EVERY_SECONDS))
                service.stop(signal.SIGKILL)
                service.start()
                for caller in crowd:
                    caller.url = service.state.url
        finally:
            ended.set()
        finish(threads, faults, crowd)
