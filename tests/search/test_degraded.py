"""Nothing degrades in silence: without embeddings words still find, and without an index there is no empty answer."""

import dataclasses
from pathlib import Path

import pytest

from reflexio.models.enums import SearchMode
from reflexio_core.adapters.onnx import UnavailableInference
from reflexio_core.adapters.sqlite_index import SqliteIndex
from reflexio_core.engine.context import Engine
from reflexio_core.engine.projection import catch_up
from reflexio_core.errors import IndexUnavailable, ModelMismatch
from tests.doubles.ports import RecordingIndex
from tests.engine.seeds import profile, user_playbook
from tests.search.asking import Body, ids, profiles, unified
from tests.search.meanings import Meanings


@pytest.fixture(autouse=True)
def rows(engine: Engine) -> None:
    profile(engine, "p", content="vegan pottery")
    user_playbook(engine, 1, content="fire the pottery twice")
    catch_up(engine)


def assert_words_only(body: Body, reason: str) -> None:
    assert ids(body) == ["p", 1]
    assert (body["degraded"], body["degraded_parts"]) == (True, ["embeddings"])
    assert body["search_mode_effective"] == "fts"
    assert reason in body["msg"]


@pytest.mark.parametrize("mode", [SearchMode.HYBRID, SearchMode.VECTOR])
def test_an_embedder_that_fails_leaves_words(engine: Engine, embedder: Meanings, mode: SearchMode) -> None:
    embedder.fails = True
    assert_words_only(unified(engine, "pottery", search_mode=mode), "out of order")
    body = profiles(engine, "pottery", search_mode=mode)
    assert (ids(body), body["degraded"], body["degraded_parts"]) == (["p"], True, ["embeddings"])


def test_an_embedder_that_hangs_costs_its_time_out_and_leaves_words(engine: Engine, embedder: Meanings) -> None:
    embedder.hangs = True
    settings = dataclasses.replace(engine.settings, query_embed_timeout_seconds=0.01)
    assert_words_only(unified(dataclasses.replace(engine, settings=settings), "pottery"), "out of order")


def test_no_embedder_at_all_leaves_words(engine: Engine) -> None:
    without = dataclasses.replace(engine, inference=UnavailableInference("run `reflexio model prepare`"))
    assert_words_only(unified(without, "pottery"), "reflexio model prepare")
    assert unified(without, "pottery", search_mode=SearchMode.FTS)["degraded"] is False
    assert profiles(without)["degraded"] is False, "newest rows need no embedding"


def test_vectors_of_another_model_leave_words_and_both_are_named(
    engine: Engine, embedder: Meanings, tmp_path: Path
) -> None:
    other = Meanings()
    other.contract = dataclasses.replace(embedder.contract, model="others")
    index = SqliteIndex(tmp_path / "index.db")
    with pytest.raises(ModelMismatch):
        index.prepare(other.contract)
    body = unified(dataclasses.replace(engine, index=index, inference=other), "pottery")
    assert_words_only(body, "others")
    assert "meanings" in body["msg"]
    index.close()


def test_an_embedder_that_recovers_is_used_again(engine: Engine, embedder: Meanings) -> None:
    embedder.fails = True
    assert unified(engine, "dinner")["degraded"] is True
    embedder.fails = False
    body = unified(engine, "dinner")
    assert (ids(body), body["degraded"]) == (["p"], False)


def test_an_index_that_cannot_answer_is_an_error_and_not_an_empty_list(engine: Engine) -> None:
    down = RecordingIndex()
    down.down = True
    broken = dataclasses.replace(engine, index=down)
    with pytest.raises(IndexUnavailable):
        unified(broken, "pottery")
    with pytest.raises(IndexUnavailable):
        profiles(broken)


def test_a_closed_or_unusable_file_is_an_index_that_cannot_answer(engine: Engine, tmp_path: Path) -> None:
    engine.index.close()
    with pytest.raises(IndexUnavailable):
        unified(engine, "pottery")
    (tmp_path / "broken.db").write_bytes(b"no database, for all its length" * 100)
    with pytest.raises(IndexUnavailable):
        SqliteIndex(tmp_path / "broken.db")
