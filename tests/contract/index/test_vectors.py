"""The vector arm: exact under filters, above the floor, and never of another model."""

import dataclasses
import threading

import numpy as np
import pytest

from reflexio_core.errors import ModelMismatch
from reflexio_core.ports.index import ArmQuery, DocKind, Index
from reflexio_core.ports.inference import ModelContract
from tests.contract.index.conftest import OpenIndex
from tests.contract.index.docs import (
    CONTRACT,
    EAST,
    NORTH,
    NORTH_EAST,
    TENANT,
    by_vector,
    by_words,
    doc,
    newest,
    ref,
    where,
)


def test_hits_come_nearest_first_with_their_cosine(index: Index) -> None:
    index.upsert([doc("near", "", NORTH_EAST), doc("same", "", EAST), doc("far", "", NORTH)])
    [result] = index.search([ArmQuery(where(), None, EAST, 0.3, 10)])
    assert [(hit.id, pytest.approx(hit.score)) for hit in result.vector] == [("same", 1.0), ("near", 0.8)]


def test_a_hit_must_exceed_the_floor(index: Index) -> None:
    index.upsert([doc("exactly", "", (0.5, float(np.sqrt(0.75)), 0.0))])
    assert by_vector(index, EAST, floor=0.5) == []
    assert by_vector(index, EAST, floor=0.4999) == ["exactly"]


def test_both_arms_answer_in_one_query_and_queries_in_order(index: Index) -> None:
    index.upsert([doc("a", "deploy", EAST), doc("b", "deploy", EAST, kind=DocKind.USER_PLAYBOOK)])
    index.upsert([doc("c", "rest", NORTH)])
    results = index.search(
        [
            ArmQuery(where(kind=DocKind.USER_PLAYBOOK), "deploy", EAST, 0.3, 5),
            ArmQuery(where(), "deploy", NORTH, 0.3, 5),
            ArmQuery(where(kind=DocKind.INTERACTION), "deploy", EAST, 0.3, 5),
        ]
    )
    assert [([h.id for h in r.text], [h.id for h in r.vector]) for r in results] == [
        (["b"], ["b"]),
        (["a"], ["c"]),
        ([], []),
    ]


def test_a_written_replaced_and_deleted_vector_is_seen_by_the_next_search(index: Index) -> None:
    assert by_vector(index, EAST) == []
    index.upsert([doc("a", "", EAST)])
    assert by_vector(index, EAST) == ["a"]
    assert by_vector(index, EAST, where(None)) == ["a"]
    index.upsert([doc("a", "", NORTH, version=2), doc("b", "", EAST)])
    assert by_vector(index, EAST) == ["b"]
    index.delete([(ref("b"), 9)])
    assert by_vector(index, EAST) == by_vector(index, EAST, where(None)) == []
    assert by_vector(index, NORTH) == ["a"]


def test_what_another_process_writes_and_deletes_is_seen(open_index: OpenIndex) -> None:
    mine, other = open_index(), open_index()
    mine.upsert([doc("a", "deploy", EAST), doc("b", "deploy", EAST)])
    for index in (mine, other):
        assert by_vector(index, EAST) == ["a", "b"]
        assert sorted(by_words(index, "deploy")) == ["a", "b"]
    other.delete([(ref("a"), 5)])
    assert by_vector(mine, EAST) == by_words(mine, "deploy") == newest(mine) == ["b"]
    other.upsert([doc("c", "deploy", EAST), doc("b", "deploy", NORTH, version=2)])
    assert by_vector(mine, EAST) == ["c"]
    other.delete_user(TENANT, "u1", 9)
    assert by_vector(mine, EAST) == by_words(mine, "deploy") == []


def test_a_field_changed_without_a_new_vector_counts_in_the_vector_arm(index: Index) -> None:
    current = where(equals={"status": "current"})
    index.upsert([doc("a", "", EAST)])
    assert by_vector(index, EAST, current) == ["a"]
    index.upsert([doc("a", "", EAST, version=2, status="superseded")])
    assert by_vector(index, EAST, current) == []
    assert by_vector(index, EAST, where(equals={"status": "superseded"})) == ["a"]


@pytest.mark.parametrize(
    ("contract", "named"),
    [
        (dataclasses.replace(CONTRACT, model="model-b"), "model-b"),
        (dataclasses.replace(CONTRACT, revision="b" * 64), "b" * 12),
        (dataclasses.replace(CONTRACT, dimension=5), "/5"),
    ],
)
def test_another_model_is_refused_naming_both(
    open_index: OpenIndex, open_unprepared: OpenIndex, contract: ModelContract, named: str
) -> None:
    open_index().upsert([doc("a", "deploy", EAST)])
    index = open_unprepared()
    with pytest.raises(ModelMismatch, match=named) as refusal:
        index.prepare(contract)
    assert CONTRACT.fingerprint in str(refusal.value)
    assert by_words(index, "deploy") == ["a"], "words do not depend on the model"
    with pytest.raises(ModelMismatch):
        by_vector(index, (1.0,) * contract.dimension)
    with pytest.raises(ModelMismatch):
        index.upsert([doc("b", "deploy", (1.0,) * contract.dimension)])


def test_an_index_without_vectors_takes_any_model(open_index: OpenIndex, open_unprepared: OpenIndex) -> None:
    open_index().upsert([doc("a", "deploy")])
    index = open_unprepared()
    index.prepare(dataclasses.replace(CONTRACT, dimension=5))
    index.upsert([doc("a", "deploy", (1.0, 0.0, 0.0, 0.0, 0.0))])
    assert by_vector(index, (1.0, 0.0, 0.0, 0.0, 0.0)) == ["a"]


@pytest.mark.parametrize("vector", [(1.0,), (1.0, 0.0, 0.0, 0.0), ()])
def test_a_vector_of_another_dimension_is_refused(index: Index, vector: tuple[float, ...]) -> None:
    with pytest.raises(ModelMismatch, match="3"):
        index.upsert([doc("a", "", vector)])
    with pytest.raises(ModelMismatch, match="3"):
        by_vector(index, vector)


def test_without_an_embedder_words_are_searched_and_vectors_refused(
    open_index: OpenIndex, open_unprepared: OpenIndex
) -> None:
    open_index().upsert([doc("a", "deploy", EAST)])
    index = open_unprepared()
    index.prepare(None)
    assert by_words(index, "deploy") == newest(index) == ["a"]
    with pytest.raises(ModelMismatch):
        by_vector(index, EAST)
    index.upsert([doc("b", "deploy")])
    assert [waiting.ref.id for waiting in index.missing_vectors(5)] == ["b"]


def test_writers_and_searchers_work_at_the_same_time(open_index: OpenIndex) -> None:
    index, wrong, stop = open_index(), [], threading.Event()
    index.upsert([doc(f"stay{n}", "deploy", EAST) for n in range(20)])

    def search() -> None:
        while not stop.is_set():
            found = by_vector(index, EAST, limit=1_000)
            if not {f"stay{n}" for n in range(20)} <= set(found) or len(set(found)) != len(found):
                wrong.append(found)

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for round_ in range(1, 40):
        index.upsert([doc(f"move{n}", "deploy", NORTH_EAST, version=2 * round_) for n in range(20)])
        index.delete([(ref(f"move{n}"), 2 * round_ + 1) for n in range(20)])
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(by_vector(index, EAST, limit=1_000)) == 20
