"""The vector arm in memory: exact at size, bounded in memory, and no heavier than needed."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from reflexio_core.adapters.sqlite_index import SqliteIndex
from reflexio_core.adapters.sqlite_index.matrix import Matrix, Row
from reflexio_core.adapters.sqlite_index.scopes import Scopes
from reflexio_core.ports.index import ArmQuery, DocKind, IndexFilter
from tests.contract.index.docs import CONTRACT, EAST, NEVER, NORTH, by_vector, by_words, doc, ref, where

ROWS = 100_000
DIMENSION = 16
SOURCES = ("", "bot", "shop", "mail")


def test_filtered_nearest_equals_brute_force_at_100_000_rows() -> None:
    random = np.random.default_rng(3)
    vectors = random.standard_normal((ROWS, DIMENSION)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    source = random.integers(0, len(SOURCES), ROWS)
    rare = random.random(ROWS) < 0.001
    time = random.integers(0, 1_000, ROWS)
    expires = random.integers(0, 2_000, ROWS)
    matrix = Matrix(DIMENSION)
    for n in range(ROWS):
        fields = {"source": SOURCES[source[n]], "status": "current"}
        tags = ("rare", "any") if rare[n] else ("any",)
        matrix.put(Row(n, vectors[n].tobytes(), fields, tags, int(time[n]), int(expires[n])))
    dead = random.random(ROWS) < 0.1
    for n in np.flatnonzero(dead):
        matrix.drop(int(n))

    def filtered(**conditions: object) -> IndexFilter:
        return where("u1", now=1_000, **conditions)

    alive = ~dead & (expires > 1_000)
    cases = [
        (filtered(), alive),
        (filtered(equals={"source": "bot"}), alive & (source == 1)),
        (filtered(any_of={"source": ("", "mail", "unknown")}), alive & ((source == 0) | (source == 3))),
        (filtered(tags=("rare", "unknown")), alive & rare),
        (filtered(start=100, end=110), alive & (time >= 100) & (time < 110)),
        (filtered(equals={"approval": "x"}), np.zeros(ROWS, dtype=bool)),
    ]
    for limit, floor in ((25, 0.3), (500, -1.0)):
        query = vectors[int(random.integers(ROWS))]
        for condition, passing in cases:
            scores = np.where(passing, np.vecdot(vectors, query), -2.0)
            order = np.lexsort((np.arange(ROWS), -scores))[:limit]
            expected = [int(n) for n in order if scores[n] > floor]
            found = matrix.nearest(query, condition, floor, limit)
            assert [n for n, _ in found] == expected
            assert [score for _, score in found] == pytest.approx([float(scores[n]) for n in expected], abs=1e-6)


def test_equal_scores_are_ordered_by_number_also_at_the_cut() -> None:
    matrix = Matrix(3)
    for n in (5, 3, 9, 1, 7):
        matrix.put(Row(n, np.asarray(EAST, dtype=np.float32).tobytes(), {}, (), 0, NEVER))
    found = matrix.nearest(np.asarray(EAST, dtype=np.float32), where(), 0.3, 3)
    assert [n for n, _ in found] == [1, 3, 5]


def test_dead_rows_are_given_back_once_they_are_many(tmp_path: Path) -> None:
    index = SqliteIndex(tmp_path / "x.db")
    index.prepare(CONTRACT)
    index.upsert([doc(f"d{n}", "", EAST) for n in range(300)])
    by_vector(index, EAST)
    loaded = index._loaded_scopes()._loaded
    [full] = [matrix.size_bytes for matrix in loaded.values()]
    index.delete([(ref(f"d{n}"), 2) for n in range(250)])
    assert len(by_vector(index, EAST, limit=500)) == 50
    assert len(by_vector(index, EAST, limit=400)) == 50
    [packed] = [matrix.size_bytes for matrix in loaded.values()]
    assert packed < full / 2
    index.close()


def test_memory_stays_in_its_budget_and_a_dropped_scope_is_read_again(tmp_path: Path) -> None:
    index = SqliteIndex(tmp_path / "x.db", memory_bytes=60_000)
    index.prepare(CONTRACT)
    users = [f"u{n}" for n in range(12)]
    for user in users:
        index.upsert([doc(f"{user}-{n}", "", EAST, user=user) for n in range(60)])
    for _ in range(2):
        for user in users:
            assert len(by_vector(index, EAST, where(user), limit=100)) == 60
    scopes = index._loaded_scopes()
    assert isinstance(scopes, Scopes)
    assert 0 < sum(matrix.size_bytes for matrix in scopes._loaded.values()) <= 60_000
    assert len(scopes._loaded) < len(users)
    index.close()


def test_a_repeated_question_is_answered_from_memory_until_something_changes(tmp_path: Path) -> None:
    index = SqliteIndex(tmp_path / "x.db")
    index.prepare(CONTRACT)
    index.upsert([doc("a", "deploy", EAST, expires_at=50), doc("b", "deploy", NORTH)])
    query = ArmQuery(where(now=10), "deploy", EAST, 0.3, 5)
    [first], [again] = index.search([query]), index.search([query])
    assert again is first
    [later] = index.search([ArmQuery(where(now=49), "deploy", EAST, 0.3, 5)])
    assert later is first
    [expired] = index.search([ArmQuery(where(now=50), "deploy", EAST, 0.3, 5)])
    assert [hit.id for hit in expired.text] == ["b"]
    index.upsert([doc("c", "deploy", EAST)])
    [changed] = index.search([query])
    assert {hit.id for hit in changed.text} == {"a", "b", "c"}
    index.close()


def test_forgotten_vectors_wait_for_another_model(tmp_path: Path) -> None:
    index = SqliteIndex(tmp_path / "x.db")
    index.prepare(CONTRACT)
    index.upsert([doc("a", "deploy", EAST)])
    assert by_vector(index, EAST) == ["a"]
    index.forget_vectors()
    index.prepare(CONTRACT)
    assert by_vector(index, EAST) == []
    assert by_words(index, "deploy") == ["a"]
    assert [waiting.ref.id for waiting in index.missing_vectors(5)] == ["a"]
    index.close()


def test_full_text_search_never_loads_numpy(tmp_path: Path) -> None:
    program = f"""
import sys
from pathlib import Path
from reflexio_core.adapters.sqlite_index import SqliteIndex
from tests.contract.index.docs import CONTRACT, EAST, by_words, doc
index = SqliteIndex(Path({str(tmp_path)!r}) / "x.db")
index.prepare(CONTRACT)
index.upsert([doc("a", "deploy", EAST)])
assert by_words(index, "deploy") == ["a"]
assert "numpy" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[2], timeout=60)


def test_what_was_deleted_leaves_no_text_in_the_tables(tmp_path: Path) -> None:
    index = SqliteIndex(tmp_path / "x.db")
    index.prepare(CONTRACT)
    index.upsert([doc("a", "unmistakable", EAST, kind=DocKind.INTERACTION, custom_features="telltale")])
    index.delete([(ref("a", DocKind.INTERACTION), 2)])
    with index._connections.reading() as connection:
        for table in ("index_docs", "index_words_content", "index_vectors"):
            rows = connection.execute(f"SELECT * FROM {table}").fetchall()
            assert "unmistakable" not in repr(rows)
            assert "telltale" not in repr(rows)
    index.close()
