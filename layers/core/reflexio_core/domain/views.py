"""Records as the wire shows them: JSON-ready dictionaries without null optionals, as the contract serialises them."""

from typing import Any

from reflexio.models.interactions import InteractionView
from reflexio_core.domain.records import (
    AgentPlaybookRecord,
    ProfileRecord,
    RequestRecord,
    StoredTurn,
    UserPlaybookRecord,
)

View = dict[str, Any]


def _present(pairs: View) -> View:
    return {name: value for name, value in pairs.items() if value is not None}


def profile_view(record: ProfileRecord) -> View:
    """The wire's ``ProfileView``."""
    return _present(
        {
            "profile_id": record.profile_id,
            "user_id": record.user_id,
            "content": record.content,
            "last_modified_timestamp": record.last_modified_timestamp,
            "generated_from_request_id": record.generated_from_request_id,
            "profile_time_to_live": record.profile_time_to_live.value,
            "expiration_timestamp": record.expiration_timestamp,
            "custom_features": record.custom_features,
            "source": record.source,
            "status": record.status.value if record.status else None,
            "extractor_names": record.extractor_names,
            "source_span": record.source_span,
            "source_interaction_ids": evidence_ids(record),
            "tags": record.tags or [],
        }
    )


def user_playbook_view(record: UserPlaybookRecord) -> View:
    """The wire's ``UserPlaybookView``."""
    return _present(
        {
            "user_playbook_id": record.user_playbook_id,
            "user_id": record.user_id,
            "agent_version": record.agent_version,
            "request_id": record.request_id,
            "playbook_name": record.playbook_name,
            "created_at": record.created_at,
            "content": record.content,
            "trigger": record.trigger,
            "rationale": record.rationale,
            "pitfall": record.pitfall,
            "status": record.status.value if record.status else None,
            "source": record.source,
            "source_span": record.source_span,
            "source_interaction_ids": evidence_ids(record),
            "tags": record.tags or [],
        }
    )


def agent_playbook_view(record: AgentPlaybookRecord) -> View:
    """The wire's ``AgentPlaybookView``."""
    return _present(
        {
            "agent_playbook_id": record.agent_playbook_id,
            "playbook_name": record.playbook_name,
            "agent_version": record.agent_version,
            "created_at": record.created_at,
            "content": record.content,
            "trigger": record.trigger,
            "rationale": record.rationale,
            "pitfall": record.pitfall,
            "playbook_status": record.playbook_status.value,
            "playbook_metadata": record.playbook_metadata,
            "status": record.status.value if record.status else None,
            "tags": record.tags or [],
        }
    )


def interaction_view(request: RequestRecord, turn: StoredTurn) -> View:
    """The wire's ``InteractionView``: no image bytes, no citations."""
    view = InteractionView.model_validate(
        {
            **turn.data.model_dump(),
            "interaction_id": turn.interaction_id,
            "user_id": request.user_id,
            "request_id": request.request_id,
        }
    )
    return view.model_dump(mode="json", exclude_none=True)


def request_view(request: RequestRecord) -> View:
    """The wire's ``Request``."""
    return {
        "request_id": request.request_id,
        "user_id": request.user_id,
        "created_at": request.created_at,
        "source": request.source,
        "agent_version": request.agent_version,
        "session_id": request.session_id,
        "evaluation_only": request.evaluation_only,
    }


def evidence_ids(record: ProfileRecord | UserPlaybookRecord) -> list[int]:
    """The interactions that a learning rests on, its own and those of what it replaced, in order, once each."""
    return sorted({*record.provenance.interaction_ids, *record.provenance.inherited})
