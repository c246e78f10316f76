"""Bring the search index in line with the store. No event is trusted: the item is read again and what is true now is
written or deleted. An index that is behind is caught up from the store's change feed."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from reflexio_core.domain.records import AgentPlaybookRecord, ProfileRecord, UserPlaybookRecord
from reflexio_core.engine.context import Engine
from reflexio_core.engine.requests import load_request
from reflexio_core.engine.search.documents import (
    agent_playbook_doc,
    embed_text,
    interaction_docs,
    profile_doc,
    user_playbook_doc,
)
from reflexio_core.errors import IndexUnavailable, InferenceUnavailable
from reflexio_core.keys import doc_kind, doc_parent, doc_ref
from reflexio_core.ports.index import DocKind, IndexDoc
from reflexio_core.ports.store import Item, Key

_LOG = logging.getLogger(__name__)
_FEED_PAGE = 200
_EMBEDDED_AT_ONCE = 64
_PATIENCE_SECONDS = 2.0
_MOST_SKEW = 3_600 * 1_000_000  # versions are microseconds


def project(engine: Engine, keys: Sequence[Key], *, must: bool = False) -> None:
    """Project these items now. Without ``must`` an index that cannot answer is left to ``catch_up``; with it, as for
    a deletion that has to hold when the caller is answered, ``IndexUnavailable`` is raised."""
    searched = [key for key in dict.fromkeys(keys) if doc_kind(key) is not None]
    if not searched:
        return
    try:
        _project(engine, searched)
    except IndexUnavailable:
        if must:
            raise
        _LOG.warning("the search index cannot be written; it will be caught up from the store")


def catch_up(engine: Engine) -> int:
    """Project everything that changed since the index's position, then embed all that waits for a vector.

    Returns how many changed items were looked at. Raises ``IndexUnavailable`` and ``StoreUnavailable``.
    """
    looked = follow(engine)
    while embed_waiting(engine, _EMBEDDED_AT_ONCE):
        pass
    return looked


def follow(engine: Engine) -> int:
    """Project everything that changed since the index's position; turns, and what is too much at once, without
    vectors. Returns how many changed items were looked at. Raises ``IndexUnavailable`` and ``StoreUnavailable``."""
    looked = 0
    while True:
        position = engine.index.position()
        page = engine.store.changes(position, _FEED_PAGE)
        keys = [key for key in dict.fromkeys(change.key for change in page.changes) if doc_kind(key) is not None]
        _project(engine, keys)
        if page.position != position:
            engine.index.set_position(page.position)
        looked += len(keys)
        if len(page.changes) < _FEED_PAGE:
            return looked


def embed_waiting(engine: Engine, limit: int) -> int:
    """Embed up to ``limit`` of the documents that wait for a vector, oldest first; returns how many were.

    0 also when the embedder cannot answer. Raises ``IndexUnavailable``.
    """
    waiting = engine.index.missing_vectors(limit)
    patience = engine.settings.embed_timeout_seconds
    embedded = [doc for doc in _embedded(engine, waiting, patience) if doc.vector is not None]
    if embedded:
        engine.index.upsert(embedded)
    return len(embedded)


def _project(engine: Engine, keys: Sequence[Key]) -> None:
    """Read the items and write or delete their documents. A document that is current already is left alone."""
    if not keys:
        return
    found = engine.store.batch_get(keys)
    docs: list[IndexDoc] = []
    for key in keys:
        item = found.get(key)
        if item is None:
            _delete(engine, key)
        else:
            docs.extend(_docs(engine, item))
    current = engine.index.versions([doc.ref for doc in docs])
    stale = [doc for doc in docs if current.get(doc.ref, -1) < doc.version]
    # What was learned is written with its vectors, so that whoever is told of it finds it by its meaning; its words
    # wait for them only briefly. Turns come in numbers and are searched less: their vectors follow.
    now = [doc for doc in stale if doc.ref.kind is not DocKind.INTERACTION][:_EMBEDDED_AT_ONCE]
    refs = {doc.ref for doc in now}
    if stale:
        embedded = _embedded(engine, now, _PATIENCE_SECONDS)
        engine.index.upsert([*embedded, *(doc for doc in stale if doc.ref not in refs)])


def _delete(engine: Engine, key: Key) -> None:
    """Delete what the index has of an item that is gone, also where it was written by a clock that is ahead of ours."""
    version = int(engine.clock.now() * 1_000_000)
    kind, ref = doc_kind(key), doc_ref(key)
    if kind is DocKind.INTERACTION:  # a place in a stream is never used again, so this may shut out the future
        engine.index.delete_parent(ref.tenant, kind, doc_parent(key), version + _MOST_SKEW)
    else:
        engine.index.delete([(ref, max(version, engine.index.versions([ref]).get(ref, 0)))])


def _docs(engine: Engine, item: Item) -> list[IndexDoc]:
    kind = doc_kind(item.key)
    if kind is DocKind.PROFILE:
        return [profile_doc(item.key, item.version, ProfileRecord.of(item))]
    if kind is DocKind.USER_PLAYBOOK:
        return [user_playbook_doc(item.key, item.version, UserPlaybookRecord.of(item))]
    if kind is DocKind.AGENT_PLAYBOOK:
        return [agent_playbook_doc(item.key, item.version, AgentPlaybookRecord.of(item))]
    record = load_request(engine, item)
    if record.gone:
        engine.index.delete([(doc_ref(item.key, seq - record.first_seq), item.version) for seq in record.gone])
    return interaction_docs(item.key, item.version, record)


def _embedded(engine: Engine, docs: Sequence[IndexDoc], patience: float) -> list[IndexDoc]:
    """The documents with vectors; without, when the embedder cannot answer within ``patience`` seconds: full-text
    finds them meanwhile."""
    if not docs:
        return []
    try:
        vectors = engine.inference.embed([embed_text(doc) for doc in docs], "document", patience)
    except InferenceUnavailable:
        return list(docs)
    return [replace(doc, vector=vector) for doc, vector in zip(docs, vectors, strict=True)]
