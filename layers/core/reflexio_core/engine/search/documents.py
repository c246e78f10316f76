"""What of a record is searched: its words, the text that is embedded, what filters compare, and what is returned.

Documents are made without vectors. Their identity comes from the item's key alone, so that a deleted item's document
can still be named.
"""

import json
from collections.abc import Mapping
from typing import Any

from reflexio.models.base import NEVER_EXPIRES
from reflexio.models.enums import Status
from reflexio_core.domain.records import (
    AgentPlaybookRecord,
    ProfileRecord,
    RequestRecord,
    StoredTurn,
    UserPlaybookRecord,
)
from reflexio_core.domain.views import (
    agent_playbook_view,
    interaction_view,
    profile_view,
    user_playbook_view,
)
from reflexio_core.keys import doc_parent, doc_ref, doc_user
from reflexio_core.ports.index import DocKind, IndexDoc
from reflexio_core.ports.store import Key

CURRENT = "current"
"""The ``status`` field of a row without a status."""

SOURCES = "_sources"
"""Private part of an agent playbook's payload: ids of the user playbooks it was merged from. Never sent to a caller."""


def profile_doc(key: Key, version: int, record: ProfileRecord) -> IndexDoc:
    """The document of a profile: its content and the words of its custom features."""
    return IndexDoc(
        ref=doc_ref(key),
        version=version,
        parent=doc_parent(key),
        text=_joined(record.content, feature_words(record.custom_features)),
        fields={
            "user_id": doc_user(key),
            "source": record.source or "",
            "status": status_field(record.status),
            "request_id": record.generated_from_request_id,
            "custom_features": feature_field(record.custom_features),
        },
        tags=tuple(record.tags or ()),
        time=record.last_modified_timestamp,
        expires_at=record.expiration_timestamp,
        payload=profile_view(record),
    )


def user_playbook_doc(key: Key, version: int, record: UserPlaybookRecord) -> IndexDoc:
    """The document of a user playbook: trigger, content, rationale and pitfall."""
    return IndexDoc(
        ref=doc_ref(key),
        version=version,
        parent=doc_parent(key),
        text=_joined(record.trigger, record.content, record.rationale, record.pitfall),
        fields={
            "user_id": doc_user(key),
            "source": record.source or "",
            "agent_version": record.agent_version,
            "playbook_name": record.playbook_name,
            "status": status_field(record.status),
            "request_id": record.request_id,
        },
        tags=tuple(record.tags or ()),
        time=record.created_at,
        expires_at=NEVER_EXPIRES,
        payload=user_playbook_view(record),
    )


def agent_playbook_doc(key: Key, version: int, record: AgentPlaybookRecord) -> IndexDoc:
    """The document of an agent playbook. It has no user and no source: it was merged from several."""
    payload = agent_playbook_view(record)
    if record.source_user_playbook_ids:
        payload[SOURCES] = list(record.source_user_playbook_ids)
    return IndexDoc(
        ref=doc_ref(key),
        version=version,
        parent=doc_parent(key),
        text=_joined(record.trigger, record.content, record.rationale, record.pitfall),
        fields={
            "agent_version": record.agent_version,
            "playbook_name": record.playbook_name,
            "status": status_field(record.status),
            "approval": record.playbook_status.value,
        },
        tags=tuple(record.tags or ()),
        time=record.created_at,
        expires_at=NEVER_EXPIRES,
        payload=payload,
    )


def interaction_docs(key: Key, version: int, record: RequestRecord) -> list[IndexDoc]:
    """One document a turn of a request whose turns are loaded, those of evaluation-only requests too."""
    return [_turn_doc(key, version, record, turn) for turn in record.turns]


def _turn_doc(key: Key, version: int, record: RequestRecord, turn: StoredTurn) -> IndexDoc:
    return IndexDoc(
        ref=doc_ref(key, turn.seq - record.first_seq),
        version=version,
        parent=doc_parent(key),
        text=_joined(turn.data.content, turn.data.user_action_description),
        fields={
            "user_id": doc_user(key),
            "source": record.source,
            "agent_version": record.agent_version,
            "status": CURRENT,
            "request_id": record.request_id,
        },
        tags=(),
        time=turn.data.created_at,
        expires_at=NEVER_EXPIRES,
        payload=interaction_view(record, turn),
    )


def embed_text(doc: IndexDoc) -> str:
    """What is embedded of a document: a playbook's trigger (its content if it has none), any other's whole text.

    A trigger says when the lesson applies, which is what a search describes; what to do then would only blur it.
    """
    if doc.ref.kind in (DocKind.USER_PLAYBOOK, DocKind.AGENT_PLAYBOOK):
        return str(doc.payload.get("trigger") or doc.payload.get("content") or doc.text)
    return doc.text


def status_field(status: Status | None) -> str:
    """How a document's ``status`` field names a status."""
    return CURRENT if status is None else status.value


def feature_field(features: Mapping[str, Any] | None) -> str:
    """How a document's ``custom_features`` field holds the features: JSON text without regard to case."""
    if not features:
        return ""
    return json.dumps(features, ensure_ascii=False, separators=(", ", ": ")).casefold()


def feature_words(features: Mapping[str, Any] | None) -> str:
    """Names and values of custom features as words to be found by."""
    return " ".join(_words(features)) if features else ""


def _words(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [word for name, part in value.items() for word in (str(name), *_words(part))]
    if isinstance(value, list | tuple):
        return [word for part in value for word in _words(part)]
    return [] if value is None else [str(value)]


def _joined(*texts: str | None) -> str:
    return "\n".join(text for text in texts if text and text.strip())
