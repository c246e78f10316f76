"""Changing learnings by hand. What is left out stays; when a row was created never moves.

Where the text changes, the quote that it was learned from goes: it is no evidence of other words. ``source`` then says
that a person wrote them. The turns stay named, so that erasing them erases what came of them.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from reflexio.models.enums import Status
from reflexio.models.playbooks import (
    UpdateAgentPlaybookRequest,
    UpdatePlaybookStatusRequest,
    UpdateUserPlaybookRequest,
)
from reflexio.models.profiles import UpdateUserProfileRequest
from reflexio_core.domain.records import AgentPlaybookRecord, ProfileRecord, UserPlaybookRecord, UserPointer
from reflexio_core.engine.context import Engine
from reflexio_core.engine.projection import project
from reflexio_core.engine.retrying import until_committed
from reflexio_core.engine.rows import changed_learning, status_at
from reflexio_core.errors import InvalidInput
from reflexio_core.ports.store import Key

JsonAnswer = dict[str, Any]
RecordT = TypeVar("RecordT", ProfileRecord, UserPlaybookRecord, AgentPlaybookRecord)

BY_HAND = "manual"
"""The source of a text that a person wrote."""

_REWRITTEN = {"source_span": None, "source": BY_HAND}

_LESSON = ("trigger", "content", "rationale", "pitfall")

_REPLACED = frozenset({Status.MERGED, Status.SUPERSEDED, Status.EXPIRED})
"""A row in one of these is history: what came after it is what there is to change."""


def update_user_profile(engine: Engine, tenant: str, request: UpdateUserProfileRequest) -> JsonAnswer:
    """Change a fact's text or features. ``success`` false: ``not_found`` or ``nothing_to_change``.

    Raises ``InvalidInput`` for blank content.
    """
    if request.content is not None and not request.content.strip():
        raise InvalidInput("content", "a profile needs content")
    fields = {"content": request.content, "custom_features": request.custom_features}
    now = int(engine.clock.now())

    def changed(record: ProfileRecord) -> ProfileRecord:
        modified = max(now, record.last_modified_timestamp)
        rewritten = _REWRITTEN if request.content not in (None, record.content) else {}
        return record.model_copy(update={**_given(fields), **rewritten, "last_modified_timestamp": modified})

    return _update(
        engine,
        tenant,
        engine.keys(tenant).profile(request.user_id, request.profile_id),
        ProfileRecord,
        changed if _given(fields) else None,
        f"profile {request.profile_id!r} of user {request.user_id!r}",
        "User profile updated successfully",
    )


def update_user_playbook(engine: Engine, tenant: str, request: UpdateUserPlaybookRequest) -> JsonAnswer:
    """Change a user playbook's texts. ``success`` false: ``not_found`` or ``nothing_to_change``.

    Raises ``InvalidInput`` if neither content nor trigger would be left.
    """
    fields = _texts(request)

    def changed(record: UserPlaybookRecord) -> UserPlaybookRecord:
        after = record.model_copy(update=fields)
        if not after.content.strip() and not (after.trigger or "").strip():
            raise InvalidInput("content", "a user playbook needs content or a trigger")
        rewritten = any(getattr(after, name) != getattr(record, name) for name in _LESSON)
        return after.model_copy(update=_REWRITTEN) if rewritten else after

    keys = engine.keys(tenant)
    pointer = engine.store.get(keys.user_playbook_pointer(request.user_playbook_id))
    key = keys.user_playbook(UserPointer.of(pointer).user_id, request.user_playbook_id) if pointer else None
    return _update(
        engine,
        tenant,
        key,
        UserPlaybookRecord,
        changed if fields else None,
        f"user playbook {request.user_playbook_id}",
        "User playbook updated successfully",
    )


def update_agent_playbook(engine: Engine, tenant: str, request: UpdateAgentPlaybookRequest) -> JsonAnswer:
    """Change an agent playbook's texts, its verdict or both. ``success`` false: ``not_found`` or
    ``nothing_to_change``. Raises ``InvalidInput`` for blank content."""
    if request.content is not None and not request.content.strip():
        raise InvalidInput("content", "an agent playbook needs content")
    fields = {**_texts(request), **_given({"playbook_status": request.playbook_status})}
    return _update_agent_playbook(
        engine, tenant, request.agent_playbook_id, fields, "Agent playbook updated successfully"
    )


def update_agent_playbook_status(engine: Engine, tenant: str, request: UpdatePlaybookStatusRequest) -> JsonAnswer:
    """Record a person's verdict, whatever it was before. ``success`` false: ``not_found``."""
    fields = {"playbook_status": request.playbook_status}
    return _update_agent_playbook(
        engine, tenant, request.agent_playbook_id, fields, "Playbook status updated successfully"
    )


def _update_agent_playbook(
    engine: Engine, tenant: str, playbook_id: int, fields: dict[str, Any], done: str
) -> JsonAnswer:
    def changed(record: AgentPlaybookRecord) -> AgentPlaybookRecord:
        return record.model_copy(update=fields)

    return _update(
        engine,
        tenant,
        engine.keys(tenant).agent_playbook(playbook_id),
        AgentPlaybookRecord,
        changed if fields else None,
        f"agent playbook {playbook_id}",
        done,
    )


def _update(
    engine: Engine,
    tenant: str,
    key: Key | None,
    kind: type[RecordT],
    changed: Callable[[RecordT], RecordT] | None,
    what: str,
    done: str,
) -> JsonAnswer:
    """Read, change and write one row, again if somebody else was first; then project it."""
    if changed is None:
        return _refused("nothing_to_change", f"Nothing to change in {what}: send at least one field")

    def attempt() -> JsonAnswer | None:
        now = engine.clock.now()
        item = engine.store.get(key) if key is not None else None
        if item is None:
            return _refused("not_found", f"{what[0].upper()}{what[1:]} not found")
        record = kind.of(item)
        status = status_at(record, now)
        if status in _REPLACED:
            return _refused("not_found", f"{what[0].upper()}{what[1:]} is no longer there: it is {status}")
        engine.store.commit([changed_learning(engine.keys(tenant), item, changed(record), now)])
        return None

    refused = until_committed(engine, attempt, what)
    if refused is not None:
        return refused
    assert key is not None
    project(engine, [key])
    return {"success": True, "msg": done}


def _texts(request: UpdateUserPlaybookRequest | UpdateAgentPlaybookRequest) -> dict[str, Any]:
    names = ("playbook_name", "trigger", "content", "rationale", "pitfall")
    return _given({name: getattr(request, name) for name in names})


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _refused(error: str, message: str) -> JsonAnswer:
    return {"success": False, "error": error, "msg": message}
