"""Fit candidates to what is known: which rows to write, replace, sharpen or forget. One model call at most.

A model's decisions are checked before they count: every candidate gets exactly one, only rows that were shown can be
named, a row is used up once, and whatever does not hold falls back to storing the candidate beside the old rows, so
that nothing is lost to a bad answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from reflexio_core.domain.records import ProfileRecord, UserPlaybookRecord
from reflexio_core.domain.secrets import contains_secret
from reflexio_core.engine.context import Engine
from reflexio_core.engine.learn.extraction import Cited
from reflexio_core.engine.learn.known import KnownRow, comparable
from reflexio_core.errors import LlmUsage
from reflexio_core.ports.llm import LlmSettings
from reflexio_core.tasks import CONSOLIDATE
from reflexio_core.tasks.consolidate import ConsolidateInputs, ConsolidationItem, Decision
from reflexio_core.tasks.extract import EVERYTHING, PlaybookCandidate, ProfileCandidate, TimeToLive


@dataclass(frozen=True, slots=True)
class NewRow:
    """A learning to write, in place of ``replaces`` where there are some."""

    cited: Cited
    content: str
    trigger: str
    pitfall: str | None
    time_to_live: TimeToLive
    replaces: tuple[KnownRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What a window changes. ``sharpened`` maps rows to their new trigger; ``forgotten`` rows are deleted for good;
    ``confirmed`` rows are said once more. ``ignored`` counts requests to forget without a decision."""

    new: tuple[NewRow, ...] = ()
    sharpened: tuple[tuple[KnownRow, str], ...] = ()
    forgotten: tuple[KnownRow, ...] = ()
    confirmed: tuple[tuple[KnownRow, Cited], ...] = ()
    ignored: int = 0
    usage: LlmUsage = field(default_factory=LlmUsage)


def consolidate(engine: Engine, settings: LlmSettings, fresh: Sequence[Cited], near: Sequence[KnownRow]) -> Plan:
    """Decide about every candidate. Asks the model only when there are neighbours. Raises ``LlmError``."""
    if not fresh or not near:
        return Plan(new=tuple(_as_it_is(cited) for cited in fresh if not is_forget(cited)))
    new = {f"NEW-{number}": cited for number, cited in enumerate(fresh, start=1)}
    old = {f"OLD-{number}": row for number, row in enumerate(near, start=1)}
    inputs = ConsolidateInputs(
        new=tuple(_new_item(label, cited) for label, cited in new.items()),
        old=tuple(_old_item(label, row) for label, row in old.items()),
    )
    answer = engine.llm.run(CONSOLIDATE, inputs, settings)
    return _apply(answer.output.decisions, new, old, answer.usage)


def is_forget(cited: Cited) -> bool:
    """Whether the candidate is a request to forget, which is never stored itself."""
    return isinstance(cited.candidate, ProfileCandidate) and cited.candidate.forget


def forgets_everything(cited: Cited) -> bool:
    """Whether the candidate asks to forget all that is known, for which no decision is needed."""
    return is_forget(cited) and cited.candidate.content.strip().casefold() == EVERYTHING


def _as_it_is(cited: Cited) -> NewRow:
    candidate = cited.candidate
    if isinstance(candidate, PlaybookCandidate):
        return NewRow(cited, candidate.content, candidate.trigger, candidate.pitfall, "infinity")
    return NewRow(cited, candidate.content, "", None, candidate.time_to_live)


def _new_item(label: str, cited: Cited) -> ConsolidationItem:
    row = _as_it_is(cited)
    said = max(turn.stored.data.created_at for turn in cited.turns)
    return ConsolidationItem(
        label=label,
        kind=cited.kind,
        content=row.content,
        said=_iso(said),
        trigger=row.trigger,
        pitfall=row.pitfall or "",
        time_to_live=row.time_to_live,
        forget=is_forget(cited),
    )


def _old_item(label: str, row: KnownRow) -> ConsolidationItem:
    record = row.record
    if isinstance(record, UserPlaybookRecord):
        return ConsolidationItem(
            label=label,
            kind=row.kind,
            content=record.content,
            said=_iso(record.provenance.said_at or record.created_at),
            trigger=record.trigger or "",
            pitfall=record.pitfall or "",
        )
    return ConsolidationItem(
        label=label,
        kind=row.kind,
        content=record.content,
        said=_iso(_said(record)),
        time_to_live=record.profile_time_to_live.value,
    )


def _said(record: ProfileRecord) -> int:
    """When the fact was said. Turns carry their own time, which may lie long before the service learned from them: the
    time of learning counts only for what a person wrote or edited."""
    edited = record.last_modified_timestamp > record.created_at
    return record.last_modified_timestamp if edited else record.provenance.said_at or record.created_at


def _iso(epoch: int) -> str:
    return datetime.fromtimestamp(epoch, tz=UTC).isoformat()


def _apply(decisions: Sequence[Decision], new: dict[str, Cited], old: dict[str, KnownRow], usage: LlmUsage) -> Plan:
    decided: dict[str, Decision] = {}
    for decision in decisions:
        if decision.new in new:
            decided.setdefault(decision.new, decision)
    free = dict(old)
    rows: list[NewRow] = []
    sharpened: list[tuple[KnownRow, str]] = []
    forgotten: list[KnownRow] = []
    confirmed: list[tuple[KnownRow, Cited]] = []
    ignored = 0
    for label, cited in new.items():
        decision = decided.get(label, Decision(new=label, action="independent"))
        named = [name for name in dict.fromkeys(decision.old) if name in free and comparable(free[name], cited)]
        if is_forget(cited):
            if decision.action == "remove":
                forgotten.extend(free.pop(name) for name in named)
            else:
                ignored += 1
        elif decision.action == "reject_new" and named:
            confirmed += [(free[name], cited) for name in named]
        elif decision.action == "unify" and named:
            rows.append(_merged(cited, decision, tuple(free.pop(name) for name in named)))
        elif decision.action == "differentiate" and _can_differ(cited, decision, named):
            sharpened.append((free.pop(named[0]), (decision.old_trigger or "").strip()))
            rows.append(_merged(cited, decision, ()))
        else:
            rows.append(_as_it_is(cited))
    return Plan(tuple(rows), tuple(sharpened), tuple(forgotten), tuple(confirmed), ignored, usage)


def _can_differ(cited: Cited, decision: Decision, named: Sequence[str]) -> bool:
    if cited.kind != "playbook" or len(named) != 1:
        return False
    triggers = (decision.trigger, decision.old_trigger)
    return all(trigger and trigger.strip() and not contains_secret(trigger) for trigger in triggers)


def _merged(cited: Cited, decision: Decision, replaces: tuple[KnownRow, ...]) -> NewRow:
    """The candidate with what the decision words anew; a wording that carries a secret does not count."""
    plain = _as_it_is(cited)
    content, trigger, pitfall = (
        None if text is None or not text.strip() or contains_secret(text) else text
        for text in (decision.content, decision.trigger, decision.pitfall)
    )
    return NewRow(
        cited,
        content or plain.content,
        trigger or plain.trigger if cited.kind == "playbook" else "",
        pitfall or plain.pitfall if cited.kind == "playbook" else None,
        decision.time_to_live or plain.time_to_live,
        replaces,
    )
