"""One thread for all inference: bounded, interruptible between steps, queries first."""

import threading
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field

from reflexio_core.errors import InferenceUnavailable

MAX_WAITING = 64
"""Calls that may wait at once. More than this many blocked callers means that the model is not keeping up."""


@dataclass(eq=False, slots=True)
class _Job:
    steps: Iterator[None]
    first: bool
    done: "Future[None]" = field(default_factory=Future)
    abandoned: bool = False


class Worker:
    """Runs iterators step by step on one daemon thread, which starts with the first call. Thread-safe.

    Every call changes threads, also when the worker is idle: a native call that hangs cannot be interrupted from
    its own thread, so a caller who ran it itself could not keep its time-out. The change costs about a twentieth of
    the inference of one short query (``tests/bench/embedding.py``).
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._wake = threading.Condition()
        self._first: deque[_Job] = deque()
        self._others: deque[_Job] = deque()
        self._thread: threading.Thread | None = None
        self._closed = False

    def run(self, steps: Iterator[None], timeout_seconds: float, *, first: bool) -> None:
        """Run ``steps`` to their end; those with ``first`` go before the others, between two steps.

        Raises ``InferenceUnavailable`` after ``timeout_seconds``, leaving out the steps not begun, and at once if too
        many calls wait. An error of a step is raised here as it is.
        """
        deadline = time.monotonic() + timeout_seconds
        job = _Job(steps, first)
        self._submit(job)
        try:
            job.done.result(max(0.0, deadline - time.monotonic()))
        except TimeoutError as error:
            if job.done.done():
                # It ended in this very moment, or the time-out is the step's own error.
                return job.done.result()
            self._abandon(job)
            raise InferenceUnavailable(f"no answer from the embedding model in {timeout_seconds:g} s") from error

    def close(self) -> None:
        """End the thread after its current step; waiting and later calls raise ``InferenceUnavailable``."""
        with self._wake:
            self._closed = True
            waiting = [*self._first, *self._others]
            self._first.clear()
            self._others.clear()
            self._wake.notify()
        for job in waiting:
            job.done.set_exception(InferenceUnavailable("the embedding model was closed"))

    def _submit(self, job: _Job) -> None:
        with self._wake:
            if self._closed:
                raise InferenceUnavailable("the embedding model was closed")
            if len(self._first) + len(self._others) >= MAX_WAITING:
                raise InferenceUnavailable(f"{MAX_WAITING} calls are waiting for the embedding model already")
            (self._first if job.first else self._others).append(job)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()
            self._wake.notify()

    def _abandon(self, job: _Job) -> None:
        with self._wake:
            job.abandoned = True
            lane = self._first if job.first else self._others
            if job in lane:
                lane.remove(job)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                next(job.steps)
            except StopIteration:
                job.done.set_result(None)
            except BaseException as error:  # noqa: BLE001 - reported to the caller, whose thread this is not
                job.done.set_exception(error)
            else:
                self._put_back(job)

    def _next(self) -> _Job | None:
        with self._wake:
            while not (self._first or self._others or self._closed):
                self._wake.wait()
            if self._closed:
                return None
            return (self._first or self._others).popleft()

    def _put_back(self, job: _Job) -> None:
        with self._wake:
            if self._closed:
                job.done.set_exception(InferenceUnavailable("the embedding model was closed"))
            elif not job.abandoned:
                (self._first if job.first else self._others).appendleft(job)
