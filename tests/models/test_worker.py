"""One thread, bounded: queries first, time-outs kept, nothing piles up."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from reflexio_core.adapters.onnx import OnnxInference
from reflexio_core.adapters.onnx import worker as worker_module
from reflexio_core.errors import InferenceUnavailable
from tests.models.conftest import Open
from tests.models.sessions import PATIENCE, SpySession

DOCUMENTS = ["rain on the red ship"] * 200
LONG = 30.0
SHORT = 0.05


def waiting(inference: OnnxInference) -> int:
    """How many calls stand in the queue."""
    worker = inference._worker
    return len(worker._first) + len(worker._others)


def until(condition: Callable[[], bool]) -> None:
    """Poll for what another thread does."""
    pause = threading.Event()
    for _ in range(int(PATIENCE / 0.002)):
        if condition():
            return
        pause.wait(0.002)
    raise AssertionError("it never happened")


def test_a_query_goes_before_the_rest_of_a_large_document_call(spied: OnnxInference, spy: SpySession) -> None:
    spy.gate.clear()
    with ThreadPoolExecutor(3) as pool:
        documents = pool.submit(spied.embed, DOCUMENTS, "document", LONG)
        spy.wait_until_entered()
        later = pool.submit(spied.embed, ["dog " * 3], "document", LONG)
        until(lambda: waiting(spied) == 1)
        query = pool.submit(spied.embed, ["cat"], "query", LONG)
        until(lambda: waiting(spied) == 2)
        spy.gate.set()
        assert len(query.result(LONG)) == 1
        assert len(documents.result(LONG)) == len(DOCUMENTS)
        assert len(later.result(LONG)) == 1
    shapes = [mask.shape for mask in spy.runs]
    assert shapes.index((1, 3)) == 1
    assert shapes[-1] == (1, 5)


def test_what_timed_out_is_not_done_later(spied: OnnxInference, spy: SpySession) -> None:
    spied.embed(["warm"], "query", LONG)
    spy.runs.clear()
    spy.gate.clear()
    with pytest.raises(InferenceUnavailable, match=r"in 0\.05 s"):
        spied.embed(DOCUMENTS, "document", SHORT)
    for _ in range(5):
        with pytest.raises(InferenceUnavailable):
            spied.embed(["dog"], "query", SHORT)
    assert waiting(spied) == 0
    spy.gate.set()
    spied.embed(["cat ship"], "query", LONG)
    assert len(spy.runs) == 2, "the run that hung, and the new query"


def test_the_call_over_the_bound_is_refused_at_once(
    spied: OnnxInference, spy: SpySession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "MAX_WAITING", 2)
    spy.gate.clear()
    with ThreadPoolExecutor(3) as pool:
        calls: list[Future[Any]] = [pool.submit(spied.embed, ["cat"], "query", LONG)]
        spy.wait_until_entered()
        calls += [pool.submit(spied.embed, ["dog"], "document", LONG) for _ in range(2)]
        until(lambda: waiting(spied) == 2)
        with pytest.raises(InferenceUnavailable, match="2 calls are waiting"):
            spied.embed(["rain"], "query", LONG)
        spy.gate.set()
        assert all(len(call.result(LONG)) == 1 for call in calls)


def test_all_runs_are_on_one_thread(open_inference: Open, tiny_folder: Path, spy: SpySession) -> None:
    names: set[str] = set()

    class Recording(SpySession):
        def run(self, feeds: Any) -> Any:
            names.add(threading.current_thread().name)
            return super().run(feeds)

    inference = open_inference(tiny_folder, open_session=Recording().open)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: inference.embed([f"cat {n}"], "query", LONG), range(12)))
    assert names == {"reflexio-embedding"}


def test_loading_counts_toward_the_time_out_and_serves_the_next_call(
    open_inference: Open, tiny_folder: Path, spy: SpySession
) -> None:
    may_load = threading.Event()

    def slow(weights: Path, threads: int) -> SpySession:
        assert may_load.wait(PATIENCE)
        return spy.open(weights, threads)

    inference = open_inference(tiny_folder, open_session=slow)
    with pytest.raises(InferenceUnavailable):
        inference.embed(["cat"], "query", SHORT)
    may_load.set()
    assert len(inference.embed(["cat"], "query", LONG)) == 1
    assert len(spy.opened) == 1


def test_a_time_out_raised_by_the_runtime_is_a_failure_of_the_model(spied: OnnxInference, spy: SpySession) -> None:
    spy.error = TimeoutError("device")
    with pytest.raises(InferenceUnavailable, match="TimeoutError: device"):
        spied.embed(["cat"], "query", LONG)


def test_closing_ends_waiting_and_later_calls(spied: OnnxInference, spy: SpySession) -> None:
    spy.gate.clear()
    with ThreadPoolExecutor(2) as pool:
        running = pool.submit(spied.embed, DOCUMENTS, "document", LONG)
        spy.wait_until_entered()
        behind = pool.submit(spied.embed, ["cat"], "query", LONG)
        until(lambda: waiting(spied) == 1)
        spied.close()
        spy.gate.set()
        for call in (running, behind):
            with pytest.raises(InferenceUnavailable, match="closed"):
                call.result(LONG)
    with pytest.raises(InferenceUnavailable, match="closed"):
        spied.embed(["cat"], "query", LONG)
    assert len(spy.runs) == 1
