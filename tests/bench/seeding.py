"""Fill a data folder with learnings, as the service would have stored and indexed them, without embedding each.

Texts come from the templates of the embedding benchmark with a serial number; vectors are those of the templates with
a little noise, so that a query has near and far rows as in life.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from reflexio.models.enums import PlaybookStatus
from reflexio_core.adapters.onnx import OnnxInference
from reflexio_core.adapters.sqlite import SqliteStore
from reflexio_core.adapters.sqlite_index import SqliteIndex
from reflexio_core.api.settings import DEFAULT_TENANT
from reflexio_core.domain.records import AgentPlaybookRecord, ProfileRecord, UserPlaybookRecord
from reflexio_core.embedded.data_folder import DataFolder
from reflexio_core.engine.rows import Learning, new_learning
from reflexio_core.engine.search.documents import agent_playbook_doc, profile_doc, user_playbook_doc
from reflexio_core.keys import TenantKeys
from reflexio_core.ports.index import IndexDoc
from reflexio_core.ports.store import Item, Operation
from tests.bench.embedding_texts import DOCUMENTS

USER = "bench-user"
AGENT_VERSION = "agent-v0"
_AT = 1_790_000_000
_ROWS_PER_COMMIT = 40
_NOISE = 0.02


def seed(data: Path, rows: int, inference: OnnxInference) -> None:
    """``rows`` profiles, user playbooks and approved agent playbooks of one user and agent version."""
    folder = DataFolder(data)
    data.mkdir(parents=True, exist_ok=True)
    keys = TenantKeys(DEFAULT_TENANT)
    store, index = SqliteStore(folder.database), SqliteIndex(folder.database)
    index.prepare(inference.contract)
    random = np.random.default_rng(7)
    templates = np.array(inference.embed(DOCUMENTS, "document", 60.0), dtype=np.float32)
    pending: list[Operation] = []
    docs: list[IndexDoc] = []
    for number in range(rows):
        which = number % len(DOCUMENTS)
        for record in _records(number, f"{DOCUMENTS[which]} (note {number})"):
            puts = new_learning(keys, record, _AT + number)
            pending += puts
            vector = templates[which] + random.normal(scale=_NOISE, size=templates.shape[1])
            docs.append(replace(_doc(puts[0].item, record), vector=tuple(vector / np.linalg.norm(vector))))
        if len(pending) >= _ROWS_PER_COMMIT or number == rows - 1:
            store.commit(pending)
            index.upsert(docs)
            pending, docs = [], []
    position = None
    while (page := store.changes(position, 10_000)).changes:
        position = page.position
    index.set_position(page.position)
    store.trim_changes(page.position)
    index.close()
    store.close()


def _records(number: int, text: str) -> tuple[Learning, ...]:
    at = _AT + number
    return (
        ProfileRecord(
            profile_id=f"profile-{number}", user_id=USER, content=text, created_at=at, last_modified_timestamp=at
        ),
        UserPlaybookRecord(
            user_playbook_id=number + 1,
            user_id=USER,
            agent_version=AGENT_VERSION,
            request_id="seed",
            created_at=at,
            trigger=text,
            content=f"Do what the note says: {text}",
        ),
        AgentPlaybookRecord(
            agent_playbook_id=number + 1,
            agent_version=AGENT_VERSION,
            created_at=at,
            trigger=text,
            content=f"Everyone: {text}",
            playbook_status=PlaybookStatus.APPROVED,
        ),
    )


def _doc(item: Item, record: Learning) -> IndexDoc:
    if isinstance(record, ProfileRecord):
        return profile_doc(item.key, item.version, record)
    if isinstance(record, UserPlaybookRecord):
        return user_playbook_doc(item.key, item.version, record)
    return agent_playbook_doc(item.key, item.version, record)
