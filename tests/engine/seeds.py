"""Rows put into a store the way the engine writes them, and walks over every page of a listing."""

from collections.abc import Callable
from typing import Any, TypeVar

from reflexio.models.interactions import PublishUserInteractionRequest
from reflexio_core.domain.records import AgentPlaybookRecord, ProfileRecord, UserPlaybookRecord
from reflexio_core.engine.context import Engine
from reflexio_core.engine.publish import publish
from reflexio_core.engine.rows import new_learning
from tests.doubles.engine import TENANT
from tests.doubles.ports import START

NOW = int(START)
View = dict[str, Any]
LearningT = TypeVar("LearningT", ProfileRecord, UserPlaybookRecord, AgentPlaybookRecord)


def profile(engine: Engine, profile_id: str, *, tenant: str = TENANT, **fields: Any) -> ProfileRecord:
    """Store a fact."""
    values = {"user_id": "ann", "content": f"fact {profile_id}", "created_at": NOW, "last_modified_timestamp": NOW}
    record = ProfileRecord(profile_id=profile_id, **{**values, **fields})
    return _stored(engine, tenant, record)


def user_playbook(engine: Engine, number: int, *, tenant: str = TENANT, **fields: Any) -> UserPlaybookRecord:
    """Store a user playbook."""
    values = {"user_id": "ann", "agent_version": "v1", "request_id": "r", "created_at": NOW, "content": f"do {number}"}
    record = UserPlaybookRecord(user_playbook_id=number, **{**values, **fields})
    return _stored(engine, tenant, record)


def agent_playbook(engine: Engine, number: int, *, tenant: str = TENANT, **fields: Any) -> AgentPlaybookRecord:
    """Store an agent playbook."""
    values = {"agent_version": "v1", "created_at": NOW, "content": f"do {number}"}
    record = AgentPlaybookRecord(agent_playbook_id=number, **{**values, **fields})
    return _stored(engine, tenant, record)


def said(
    engine: Engine,
    request_id: str,
    *texts: str,
    user: str = "ann",
    session: str = "s",
    tenant: str = TENANT,
    times: list[int] | None = None,
    **fields: Any,
) -> None:
    """Publish turns; each call is a second later than the one before."""
    engine.clock.sleep(1.0)
    moments = times or [int(engine.clock.now())] * len(texts)
    turns = [{"content": text, "created_at": at} for text, at in zip(texts, moments, strict=True)]
    body = {"user_id": user, "session_id": session, "request_id": request_id, "interaction_data_list": turns, **fields}
    answer = publish(engine, tenant, PublishUserInteractionRequest.model_validate(body), [])
    assert answer["success"], answer


def walk(ask: Callable[[str | None], View], rows: str) -> list[View]:
    """All rows of a listing, page by page; ``ask`` takes the token."""
    found: list[View] = []
    token: str | None = None
    for _ in range(1000):
        answer = ask(token)
        found += answer[rows]
        token = answer.get("next_token")
        if token is None:
            return found
    raise AssertionError("the walk does not end")


def _stored(engine: Engine, tenant: str, record: LearningT) -> LearningT:
    engine.store.commit(new_learning(engine.keys(tenant), record, engine.clock.now()))
    return record
