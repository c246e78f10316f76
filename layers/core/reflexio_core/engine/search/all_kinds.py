"""One search for the three kinds of learning, before an agent answers."""

from reflexio.models.search import UnifiedSearchRequest
from reflexio_core.engine.context import Engine
from reflexio_core.engine.search.answers import (
    NO_ANSWER,
    NO_REFORMULATION,
    NO_USER,
    OPTED_OUT,
    Body,
    finish,
    row_count,
    views,
)
from reflexio_core.engine.search.arms import Question, find
from reflexio_core.engine.search.conditions import of_status, of_verdict, rows_of
from reflexio_core.engine.search.documents import SOURCES
from reflexio_core.engine.search.opt_out import opts_out
from reflexio_core.engine.search.served import SessionMemory
from reflexio_core.ports.index import DocKind, Hit, IndexFilter

TOP_K = 5

_LISTS = {
    DocKind.PROFILE: "profiles",
    DocKind.USER_PLAYBOOK: "user_playbooks",
    DocKind.AGENT_PLAYBOOK: "agent_playbooks",
}
_PERSONAL = (DocKind.PROFILE, DocKind.USER_PLAYBOOK)


def unified(engine: Engine, tenant: str, request: UnifiedSearchRequest) -> Body:
    """The body of ``UnifiedSearchViewResponse``: the best ``top_k`` learnings of each kind.

    Profiles and user playbooks are the user's; agent playbooks are the tenant's, approved unless asked otherwise. A
    user playbook is left out when an agent playbook made from it is in the answer, or was given to the session.

    Raises ``IndexUnavailable``.
    """
    notes: list[str] = []
    kinds = _kinds(request, notes)
    wanted = row_count(request.top_k, TOP_K, notes)
    memory = SessionMemory(engine, tenant, request.session_id)
    findings = find(
        engine,
        Question(request.query, request.search_mode, request.threshold),
        [_filter(engine, tenant, kind, request) for kind in kinds],
        wanted + memory.backfill,
    )
    chosen = _choose(dict(zip(kinds, findings.hits, strict=True)), memory, wanted)
    memory.remember([(kind, hit) for kind, hits in chosen.items() for hit in hits])
    body: Body = {"success": True}
    for kind, name in _LISTS.items():
        body[name] = views(chosen.get(kind, ()))
    body["search_mode_effective"] = findings.mode.value
    return finish(body, findings, memory, notes)


def _kinds(request: UnifiedSearchRequest, notes: list[str]) -> list[DocKind]:
    kinds = [kind for kind, name in _LISTS.items() if request.entity_types is None or name in request.entity_types]
    personal = [kind for kind in kinds if kind in _PERSONAL]
    if personal and request.user_id is None:
        notes.append(f"{' and '.join(_LISTS[kind] for kind in personal)}: {NO_USER}")
        kinds = [kind for kind in kinds if kind not in _PERSONAL]
    elif personal and opts_out(request.query):
        notes.append(OPTED_OUT)
        kinds = [kind for kind in kinds if kind not in _PERSONAL]
    if request.enable_reformulation:
        notes.append(NO_REFORMULATION)
    if request.enable_agent_answer:
        notes.append(NO_ANSWER)
    return kinds


def _filter(engine: Engine, tenant: str, kind: DocKind, request: UnifiedSearchRequest) -> IndexFilter:
    equals: dict[str, str | None] = {}
    any_of = of_status()
    if kind in _PERSONAL:
        equals["source"] = request.source
    if kind is not DocKind.PROFILE:
        equals |= {"agent_version": request.agent_version, "playbook_name": request.playbook_name}
    if kind is DocKind.AGENT_PLAYBOOK:
        any_of |= of_verdict(request.agent_playbook_status_filter)
    user = request.user_id if kind in _PERSONAL else None
    return rows_of(engine, tenant, kind, user=user, equals=equals, any_of=any_of, tags=request.tags)


def _choose(found: dict[DocKind, list[Hit]], memory: SessionMemory, wanted: int) -> dict[DocKind, list[Hit]]:
    """The best of each kind that the session does not have, without what an agent playbook says already."""
    chosen = {kind: memory.unserved(kind, hits) for kind, hits in found.items()}
    merged = chosen.get(DocKind.AGENT_PLAYBOOK, [])[:wanted]
    merged_before = [hit for hit in found.get(DocKind.AGENT_PLAYBOOK, []) if memory.has(DocKind.AGENT_PLAYBOOK, hit)]
    covered = {source for hit in (*merged, *merged_before) for source in hit.payload.get(SOURCES, ())}
    if covered and DocKind.USER_PLAYBOOK in chosen:
        chosen[DocKind.USER_PLAYBOOK] = [
            hit for hit in chosen[DocKind.USER_PLAYBOOK] if hit.payload["user_playbook_id"] not in covered
        ]
    return {kind: hits[:wanted] for kind, hits in chosen.items()}
