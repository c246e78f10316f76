"""Lessons, newest first: those of users, and those shared by an agent version."""

from reflexio.models.playbooks import GetAgentPlaybooksRequest, GetUserPlaybooksRequest
from reflexio_core.domain.records import AgentPlaybookRecord, UserPlaybookRecord, UserPointer
from reflexio_core.domain.views import agent_playbook_view, user_playbook_view
from reflexio_core.engine.context import Engine
from reflexio_core.engine.listing.conditions import Between, equals, mentions, shares_tag, wanted_statuses
from reflexio_core.engine.listing.learnings import PAGE_ITEMS, Selection, list_learnings
from reflexio_core.engine.paging import View, listing_answer
from reflexio_core.ports.index import DocKind
from reflexio_core.ports.store import Key


def get_user_playbooks(engine: Engine, tenant: str, request: GetUserPlaybooksRequest) -> View:
    """User playbooks, of one user or of all. Raises ``InvalidInput`` for a foreign ``next_token``."""
    statuses = wanted_statuses(request.status_filter)
    between = Between.of(request)

    def admits(record: UserPlaybookRecord) -> bool:
        return (
            request.user_playbook_id in (None, record.user_playbook_id)
            and equals(request.user_id, record.user_id)
            and equals(request.request_id, record.request_id)
            and equals(request.agent_version, record.agent_version)
            and equals(request.playbook_name, record.playbook_name)
            and record.status in statuses
            and between.holds(record.created_at)
            and shares_tag(request.tags, record.tags)
            and mentions(request.query, (record.content, record.trigger, record.rationale, record.pitfall))
        )

    by_id = request.user_playbook_id
    user = request.user_id
    selection = Selection(
        listing="get_user_playbooks",
        conditions=request.model_dump(mode="json", exclude={"next_token", "limit"}),
        kind=DocKind.USER_PLAYBOOK,
        record=UserPlaybookRecord,
        admits=admits,
        view=user_playbook_view,
        keys=_keys_of(engine, tenant, by_id) if by_id is not None else None,
        partition=engine.keys(tenant).user_playbooks(user, PAGE_ITEMS) if user is not None else None,
        between=between,
    )
    views, token = list_learnings(engine, tenant, selection, request.limit, request.next_token)
    return listing_answer("user_playbooks", views, "user playbook", token)


def get_agent_playbooks(engine: Engine, tenant: str, request: GetAgentPlaybooksRequest) -> View:
    """Agent playbooks whatever the verdict on them, unless ``playbook_status_filter`` names one.

    ``request_id`` and ``session_id`` say who asks; they narrow nothing. Raises ``InvalidInput`` for a foreign
    ``next_token``.
    """
    statuses = wanted_statuses(request.status_filter)
    between = Between.of(request)

    def admits(record: AgentPlaybookRecord) -> bool:
        return (
            request.agent_playbook_id in (None, record.agent_playbook_id)
            and equals(request.agent_version, record.agent_version)
            and equals(request.playbook_name, record.playbook_name)
            and request.playbook_status_filter in (None, record.playbook_status)
            and record.status in statuses
            and between.holds(record.created_at)
            and shares_tag(request.tags, record.tags)
            and mentions(request.query, (record.content, record.trigger, record.rationale, record.pitfall))
        )

    by_id = request.agent_playbook_id
    selection = Selection(
        listing="get_agent_playbooks",
        conditions=request.model_dump(mode="json", exclude={"next_token", "limit", "request_id", "session_id"}),
        kind=DocKind.AGENT_PLAYBOOK,
        record=AgentPlaybookRecord,
        admits=admits,
        view=agent_playbook_view,
        keys=[engine.keys(tenant).agent_playbook(by_id)] if by_id is not None else None,
        between=between,
    )
    views, token = list_learnings(engine, tenant, selection, request.limit, request.next_token)
    return listing_answer("agent_playbooks", views, "agent playbook", token)


def _keys_of(engine: Engine, tenant: str, playbook_id: int) -> list[Key]:
    keys = engine.keys(tenant)
    pointer = engine.store.get(keys.user_playbook_pointer(playbook_id))
    return [] if pointer is None else [keys.user_playbook(UserPointer.of(pointer).user_id, playbook_id)]
