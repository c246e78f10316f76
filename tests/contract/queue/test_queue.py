"""Queue: hints arrive at least once, not before their delay, and nothing stops the consumer but its close."""

import threading
from collections.abc import Callable, Iterator
from typing import Protocol

import pytest

from reflexio_core.adapters.inprocess import LocalQueue
from reflexio_core.ports.queue import Hint, Queue, QueueConsumer

A, B, C = (Hint("learn", "tenant", user) for user in "abc")


class _Both(Queue, QueueConsumer, Protocol):
    """A queue of one process: both sides in one object."""


class _Consumer:
    """Runs the queue in a thread and records what it handles."""

    def __init__(self, queue: _Both, handle: Callable[[Hint], object] = lambda _: None) -> None:
        self.handled: list[Hint] = []
        self._arrived = threading.Condition()
        self._handle = handle
        self.thread = threading.Thread(target=queue.run, args=(self._receive,))
        self.thread.start()

    def _receive(self, hint: Hint) -> None:
        with self._arrived:
            self.handled.append(hint)
            self._arrived.notify_all()
        self._handle(hint)

    def wait_for(self, count: int) -> list[Hint]:
        with self._arrived:
            assert self._arrived.wait_for(lambda: len(self.handled) >= count, timeout=10)
            return list(self.handled)


@pytest.fixture(params=["inprocess"])
def queue(request: pytest.FixtureRequest) -> Iterator[_Both]:
    """An empty queue, closed at the end."""
    queue = LocalQueue()
    yield queue
    queue.close()


def test_a_hint_arrives(queue: _Both) -> None:
    consumer = _Consumer(queue)
    queue.send(A)
    assert consumer.wait_for(1) == [A]


def test_hints_sent_before_the_consumer_runs_arrive(queue: _Both) -> None:
    for hint in (A, B, C):
        queue.send(hint)
    assert sorted(_Consumer(queue).wait_for(3), key=lambda hint: hint.user_id) == [A, B, C]


def test_a_shorter_delay_overtakes_a_longer_one(queue: _Both) -> None:
    consumer = _Consumer(queue)
    queue.send(A, 0.3)
    queue.send(B, 0.05)
    assert consumer.wait_for(2) == [B, A]


def test_a_negative_delay_is_none(queue: _Both) -> None:
    consumer = _Consumer(queue)
    queue.send(A, -5.0)
    assert consumer.wait_for(1) == [A]


def test_a_raising_handler_does_not_stop_the_loop(queue: _Both, caplog: pytest.LogCaptureFixture) -> None:
    def fail(hint: Hint) -> None:
        if hint == A:
            raise RuntimeError("boom")

    consumer = _Consumer(queue, fail)
    queue.send(A)
    consumer.wait_for(1)
    queue.send(B)
    assert consumer.wait_for(2) == [A, B]
    assert "boom" in caplog.text


def test_a_hint_sent_while_its_equal_is_handled_arrives_again(queue: _Both) -> None:
    sent = threading.Event()

    def send_once(hint: Hint) -> None:
        if not sent.is_set():
            sent.set()
            queue.send(hint)

    consumer = _Consumer(queue, send_once)
    queue.send(A)
    assert consumer.wait_for(2) == [A, A]


def test_sending_never_waits_for_the_consumer(queue: _Both) -> None:
    release = threading.Event()
    consumer = _Consumer(queue, lambda _: release.wait(10))
    queue.send(A)
    consumer.wait_for(1)
    for n in range(1000):
        queue.send(Hint("learn", "tenant", f"{n}"))
    release.set()
    assert len(consumer.wait_for(1001)) == 1001


def test_close_wakes_an_idle_consumer_and_one_that_waits_for_a_delay(queue: _Both) -> None:
    idle = _Consumer(queue)
    queue.send(A, 3600)
    queue.close()
    idle.thread.join(10)
    assert not idle.thread.is_alive()
    assert idle.handled == []


def test_close_lets_the_hint_in_hand_finish(queue: _Both) -> None:
    finished = threading.Event()
    release = threading.Event()

    def slow(_: Hint) -> None:
        release.wait(10)
        finished.set()

    consumer = _Consumer(queue, slow)
    queue.send(A)
    consumer.wait_for(1)
    queue.send(B)
    queue.close()
    release.set()
    consumer.thread.join(10)
    assert finished.is_set()
    assert consumer.handled == [A]


def test_sending_after_close_is_no_error(queue: _Both) -> None:
    queue.close()
    queue.send(A)
    queue.close()


def test_several_consumers_share_the_hints(queue: _Both) -> None:
    together = threading.Barrier(3, timeout=10)
    consumers = [_Consumer(queue, lambda _: together.wait()) for _ in range(3)]
    for hint in (A, B, C):
        queue.send(hint)
    # The barrier opens only when three handlers run at once.
    for consumer in consumers:
        consumer.wait_for(1)
    assert sorted(hint.user_id for consumer in consumers for hint in consumer.handled) == ["a", "b", "c"]


class _Hand:
    """A clock that moves when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_equal_hints_wait_once_at_the_earlier_time() -> None:
    clock = _Hand()
    queue = LocalQueue(clock)
    queue.send(A, 50)
    queue.send(A, 10)
    queue.send(A, 80)
    queue.send(B, 20)
    assert len(queue) == 2
    clock.now += 15
    handled: list[Hint] = []

    def take(hint: Hint) -> None:
        handled.append(hint)
        clock.now += 100
        if hint == B:
            queue.close()

    queue.run(take)
    assert handled == [A, B]
    assert len(queue) == 0
