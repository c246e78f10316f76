"""Have every document of a data folder embedded anew, as another embedding model asks for."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

from reflexio_core.adapters.sqlite_index import SqliteIndex
from reflexio_core.embedded.data_folder import REINDEXING, DataFolder, FolderLock
from reflexio_core.embedded.embedder import Embedder
from reflexio_core.engine.search.documents import embed_text
from reflexio_core.errors import InferenceUnavailable

BATCH_SECONDS = 60.0
_BATCH = 64


def reindex(folder: DataFolder, embedder: Embedder) -> Iterator[int]:
    """Forget the vectors of a folder and embed its documents with the installed model; after each batch, how many are.

    Whatever ends it early, no vector of the former model is left, and the service embeds the rest at its next start.

    Raises:
        DataFolderInUse: a process, the service perhaps, works on the folder.
        InferenceUnavailable: there is no model, in which case nothing is forgotten, or it does not answer.
        IndexUnavailable: the file cannot be used.
    """
    if embedder.contract is None:
        raise InferenceUnavailable(embedder.problem)
    with FolderLock(folder, REINDEXING):
        if not folder.database.exists():
            return
        with closing(SqliteIndex(folder.database)) as index:
            index.forget_vectors()
            index.prepare(embedder.contract)
            embedded = 0
            while waiting := index.missing_vectors(_BATCH):
                texts = [embed_text(doc) for doc in waiting]
                vectors = embedder.inference.embed(texts, "document", BATCH_SECONDS)
                index.upsert([replace(doc, vector=vector) for doc, vector in zip(waiting, vectors, strict=True)])
                embedded += len(waiting)
                yield embedded
