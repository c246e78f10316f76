"""Another embedding model: refused until every document is embedded anew, which one command does."""

import dataclasses
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from reflexio_core.adapters.onnx import UnavailableInference
from reflexio_core.adapters.sqlite_index import SqliteIndex
from reflexio_core.embedded import build_engine, model_commands
from reflexio_core.embedded.data_folder import SERVICE, DataFolder, DataFolderInUse, FolderLock
from reflexio_core.embedded.embedder import Embedder
from reflexio_core.embedded.reindexing import reindex
from reflexio_core.embedded.settings import EmbeddedSettings
from reflexio_core.errors import InferenceUnavailable, ModelMismatch
from reflexio_core.ports.index import ArmQuery
from reflexio_core.ports.inference import ModelContract, Purpose, Vector
from tests.cli.terminal import Terminal
from tests.contract.index.docs import doc, where
from tests.doubles.ports import HashInference

NEW = HashInference.contract
OLD = dataclasses.replace(NEW, model="former", dimension=3)
DOCUMENTS = 150


@contextmanager
def opened(folder: DataFolder, contract: ModelContract | None) -> Iterator[SqliteIndex]:
    index = SqliteIndex(folder.database)
    try:
        index.prepare(contract)
        yield index
    finally:
        index.close()


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    """Documents that the former model embedded."""
    folder = DataFolder(tmp_path / "data")
    folder.make()
    with opened(folder, OLD) as index:
        index.upsert([doc(f"d{n}", f"number{n}", (1.0, 0.0, 0.0)) for n in range(DOCUMENTS)])
    return folder


def installed() -> Embedder:
    return Embedder(HashInference(), NEW)


class FailsAtSecondBatch(HashInference):
    """Answers one batch of documents."""

    def embed(self, texts: Sequence[str], purpose: Purpose, timeout_seconds: float) -> list[Vector]:
        """The first batch's vectors, and then none."""
        if self.texts:
            raise InferenceUnavailable("out of memory")
        return super().embed(texts, purpose, timeout_seconds)


def test_every_document_is_found_by_the_new_model_and_the_service_starts_on_it(folder: DataFolder) -> None:
    with pytest.raises(ModelMismatch, match="reflexio model reindex"), opened(folder, NEW):
        pass
    assert list(reindex(folder, installed()))[-1] == DOCUMENTS
    with opened(folder, NEW) as index:
        [vector] = HashInference().embed(["number7"], "query", 1)
        [result] = index.search([ArmQuery(where(), None, vector, 0.99, DOCUMENTS)])
        assert "d7" in {hit.id for hit in result.vector}
        assert index.missing_vectors(1) == []
    with pytest.raises(ModelMismatch), opened(folder, OLD):
        pass


def test_an_end_half_way_mixes_no_models_and_leaves_the_rest_waiting(folder: DataFolder) -> None:
    with pytest.raises(InferenceUnavailable, match="out of memory"):
        list(reindex(folder, Embedder(FailsAtSecondBatch(), NEW)))
    with opened(folder, NEW) as index:
        assert 0 < len(index.missing_vectors(DOCUMENTS)) < DOCUMENTS
    assert folder.holder() is None


def test_a_folder_at_work_is_left_alone(folder: DataFolder) -> None:
    with FolderLock(folder, SERVICE), pytest.raises(DataFolderInUse):
        list(reindex(folder, installed()))
    with opened(folder, OLD) as index:
        assert index.missing_vectors(1) == []


def test_without_a_model_nothing_is_forgotten(folder: DataFolder) -> None:
    with pytest.raises(InferenceUnavailable, match="not prepared"):
        list(reindex(folder, Embedder(UnavailableInference("not prepared"), None, "not prepared")))
    with opened(folder, OLD) as index:
        assert index.missing_vectors(1) == []


def test_a_folder_without_documents_stays_empty(tmp_path: Path) -> None:
    assert list(reindex(DataFolder(tmp_path / "new"), installed())) == []
    assert not DataFolder(tmp_path / "new").database.exists()


def test_the_command_says_how_many_and_by_which_model(
    terminal: Terminal, folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_commands, "open_embedder", installed)
    ran = terminal("model", "reindex", "--data", str(folder.root), "--json")
    assert ran.data == {"data": str(folder.root), "model": NEW.fingerprint, "embedded": DOCUMENTS}


def test_the_command_names_what_works_on_the_folder(
    terminal: Terminal, folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_commands, "open_embedder", installed)
    with FolderLock(folder, SERVICE):
        ran = terminal("model", "reindex", "--data", str(folder.root), "--json")
    assert (ran.code, ran.error["type"]) == (1, "data_folder_in_use")


def test_doctor_finds_vectors_of_another_model_before_a_start_does(
    terminal: Terminal, folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reflexio_core.embedded.doctor.open_embedder", installed)
    monkeypatch.setenv("REFLEXIO_DATA", str(folder.root))
    ran = terminal("doctor", "--json")
    [found] = [row for row in ran.data if row["name"] == "search index"]
    assert found["ok"] is False
    assert found["mend"] == "reflexio model reindex"
    assert OLD.fingerprint in found["found"]
    list(reindex(folder, installed()))
    [found] = [row for row in terminal("doctor", "--json").data if row["name"] == "search index"]
    assert found["ok"] is True


def test_a_start_on_vectors_of_another_model_names_the_command(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reflexio_core.embedded.wiring.open_embedder", installed)
    with pytest.raises(ModelMismatch, match="reflexio model reindex"):
        build_engine(EmbeddedSettings.from_environment({}, data=folder.root), SERVICE, {})
