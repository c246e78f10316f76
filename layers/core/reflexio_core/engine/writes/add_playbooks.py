"""Adding playbooks by hand. Their ids are the service's."""

from dataclasses import dataclass
from functools import partial

from reflexio.models.playbooks import AddAgentPlaybookRequest, AddUserPlaybookRequest, AgentPlaybook, UserPlaybook
from reflexio_core.domain.identity import timed_integer
from reflexio_core.domain.records import AgentPlaybookRecord, Provenance, UserPlaybookRecord
from reflexio_core.engine.context import Engine
from reflexio_core.engine.writes.batches import JsonAnswer, NewRow, Outcome, add_rows


def add_user_playbooks(engine: Engine, tenant: str, request: AddUserPlaybookRequest) -> JsonAnswer:
    """Store user playbooks under new ids; one without a user belongs to nobody and is found by listings only.

    ``success`` is false if any is missing from ``added_count``; the message then names it. Raises
    ``StoreUnavailable`` if nothing is stored.
    """
    outcome = Outcome()
    ids = _Ids.of(engine)
    rows = [
        NewRow(
            f"user_playbooks[{position}]",
            playbook.user_id or "",
            partial(_user_playbook, playbook, ids, position),
            salted=True,
        )
        for position, playbook in enumerate(request.user_playbooks)
    ]
    add_rows(engine, tenant, rows, outcome)
    return outcome.answer("item")


def add_agent_playbooks(engine: Engine, tenant: str, request: AddAgentPlaybookRequest) -> JsonAnswer:
    """Store agent playbooks under new ids, with the verdict that they carry; searches serve approved ones.

    ``success`` and the message as for user playbooks. Raises ``StoreUnavailable`` if nothing is stored.
    """
    outcome = Outcome()
    ids = _Ids.of(engine)
    rows = [
        NewRow(
            f"agent_playbooks[{position}]",
            None,
            partial(_agent_playbook, playbook, ids, position),
            salted=True,
        )
        for position, playbook in enumerate(request.agent_playbooks)
    ]
    add_rows(engine, tenant, rows, outcome)
    return outcome.answer("item")


@dataclass(frozen=True, slots=True)
class _Ids:
    """Ids for the rows of one call: a millisecond each, so that they never meet one another."""

    start_ms: int
    call: str

    @classmethod
    def of(cls, engine: Engine) -> "_Ids":
        return cls(int(engine.clock.now() * 1000), engine.ids.token())

    def at(self, position: int, salt: int) -> int:
        middle = (self.start_ms + position + 0.5) / 1000  # seconds; the middle survives rounding
        return timed_integer(middle, "added playbook", self.call, position, salt)


def _user_playbook(playbook: UserPlaybook, ids: _Ids, position: int, generation: int, salt: int) -> UserPlaybookRecord:
    return UserPlaybookRecord(
        user_playbook_id=ids.at(position, salt),
        user_id=playbook.user_id or "",
        agent_version=playbook.agent_version,
        request_id=playbook.request_id,
        created_at=playbook.created_at,
        playbook_name=playbook.playbook_name,
        content=playbook.content,
        trigger=playbook.trigger,
        rationale=playbook.rationale,
        pitfall=playbook.pitfall,
        blocking_issue=playbook.blocking_issue,
        status=playbook.status,
        source=playbook.source or "",
        source_span=playbook.source_span,
        tags=playbook.tags,
        notes=playbook.notes,
        reader_angle=playbook.reader_angle,
        merged_into=playbook.merged_into,
        superseded_by=playbook.superseded_by,
        generation=generation,
        provenance=Provenance(interaction_ids=tuple(playbook.source_interaction_ids)),
    )


def _agent_playbook(playbook: AgentPlaybook, ids: _Ids, position: int, _: int, salt: int) -> AgentPlaybookRecord:
    return AgentPlaybookRecord(
        agent_playbook_id=ids.at(position, salt),
        agent_version=playbook.agent_version,
        content=playbook.content,
        created_at=playbook.created_at,
        playbook_name=playbook.playbook_name,
        trigger=playbook.trigger,
        rationale=playbook.rationale,
        pitfall=playbook.pitfall,
        blocking_issue=playbook.blocking_issue,
        playbook_status=playbook.playbook_status,
        playbook_metadata=playbook.playbook_metadata,
        tags=playbook.tags,
        status=playbook.status,
        merged_into=playbook.merged_into,
        superseded_by=playbook.superseded_by,
    )
