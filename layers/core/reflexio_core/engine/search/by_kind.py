"""Searches of one kind each. Without a query they give the newest rows that pass the filters."""

from collections.abc import Sequence

from reflexio.models.interactions import SearchInteractionRequest
from reflexio.models.playbooks import SearchAgentPlaybookRequest, SearchUserPlaybookRequest
from reflexio.models.profiles import SearchUserProfileRequest
from reflexio_core.engine.context import Engine
from reflexio_core.engine.search.answers import NO_REFORMULATION, NO_USER, Body, finish, row_count, views
from reflexio_core.engine.search.arms import Findings, Question, find
from reflexio_core.engine.search.conditions import of_status, of_verdict, rows_of
from reflexio_core.engine.search.served import SessionMemory
from reflexio_core.ports.index import DocKind, Hit, IndexFilter

TOP_K = 10

_Request = SearchUserProfileRequest | SearchUserPlaybookRequest | SearchAgentPlaybookRequest


def profiles(engine: Engine, tenant: str, request: SearchUserProfileRequest) -> Body:
    """The body of ``SearchProfilesViewResponse``: one user's current facts. Raises ``IndexUnavailable``."""
    where = rows_of(
        engine,
        tenant,
        DocKind.PROFILE,
        user=request.user_id,
        equals={"source": request.source, "request_id": request.generated_from_request_id},
        any_of=of_status(),
        contains={"custom_features": (request.custom_feature or "").casefold()},
        tags=request.tags,
        bounds=request,
    )
    notes = (
        ["extractor_name is no filter here: every extractor's facts were searched"] if request.extractor_name else []
    )
    return _answer(engine, tenant, request, where, "user_profiles", "profile(s)", notes)


def user_playbooks(engine: Engine, tenant: str, request: SearchUserPlaybookRequest) -> Body:
    """The body of ``SearchUserPlaybooksViewResponse``: one user's playbooks, current ones unless ``status_filter``
    names others. Nothing without a user. Raises ``IndexUnavailable``."""
    if request.user_id is None:
        nothing = Findings([], request.search_mode)
        return finish({"success": True, "user_playbooks": []}, nothing, SessionMemory(engine, tenant, None), [NO_USER])
    where = rows_of(
        engine,
        tenant,
        DocKind.USER_PLAYBOOK,
        user=request.user_id,
        equals={
            "source": request.source,
            "agent_version": request.agent_version,
            "playbook_name": request.playbook_name,
        },
        any_of=of_status(request.status_filter),
        tags=request.tags,
        bounds=request,
    )
    return _answer(engine, tenant, request, where, "user_playbooks", "user playbook(s)", [])


def agent_playbooks(engine: Engine, tenant: str, request: SearchAgentPlaybookRequest) -> Body:
    """The body of ``SearchAgentPlaybooksViewResponse``: the tenant's current playbooks, approved ones unless
    ``playbook_status_filter`` names other verdicts. Raises ``IndexUnavailable``."""
    where = rows_of(
        engine,
        tenant,
        DocKind.AGENT_PLAYBOOK,
        user=None,
        equals={"agent_version": request.agent_version, "playbook_name": request.playbook_name},
        any_of=of_status(request.status_filter) | of_verdict(request.playbook_status_filter),
        tags=request.tags,
        bounds=request,
    )
    notes = ["source is no filter here: an agent playbook is merged from several sources"] if request.source else []
    return _answer(engine, tenant, request, where, "agent_playbooks", "agent playbook(s)", notes)


def interactions(engine: Engine, tenant: str, request: SearchInteractionRequest) -> Body:
    """The body of ``SearchInteractionsViewResponse``: one user's turns.

    With ``most_recent_k`` the latest of the matching turns, in the order in which they were said; otherwise the best
    first, or without a query the latest first. Raises ``IndexUnavailable``.
    """
    where = rows_of(
        engine,
        tenant,
        DocKind.INTERACTION,
        user=request.user_id,
        equals={"request_id": request.request_id},
        any_of={},
        bounds=request,
    )
    notes: list[str] = []
    wanted = row_count(request.most_recent_k or request.top_k, TOP_K, notes)
    findings = find(engine, Question(request.query, request.search_mode, request.threshold), [where], wanted)
    hits = findings.hits[0]
    chosen = _latest(hits, wanted) if request.most_recent_k else hits[:wanted]
    notes.insert(0, f"Found {len(chosen)} matching interaction(s)")
    body: Body = {"success": True, "interactions": views(chosen)}
    return finish(body, findings, SessionMemory(engine, tenant, None), notes)


def _latest(hits: Sequence[Hit], wanted: int) -> list[Hit]:
    """The latest turns, oldest first; turns of one second stand in the order of their ids."""

    def said(hit: Hit) -> tuple[int, int]:
        return hit.time, hit.payload["interaction_id"]

    return sorted(hits, key=said)[-wanted:]


def _answer(
    engine: Engine, tenant: str, request: _Request, where: IndexFilter, name: str, noun: str, notes: list[str]
) -> Body:
    wanted = row_count(request.top_k, TOP_K, notes)
    memory = SessionMemory(engine, tenant, request.session_id)
    question = Question(request.query, request.search_mode, request.threshold)
    findings = find(engine, question, [where], wanted + memory.backfill)
    chosen = memory.unserved(where.kind, findings.hits[0])[:wanted]
    memory.remember([(where.kind, hit) for hit in chosen])
    if request.enable_reformulation:
        notes.append(NO_REFORMULATION)
    notes.insert(0, f"Found {len(chosen)} matching {noun}")
    return finish({"success": True, name: views(chosen)}, findings, memory, notes)
