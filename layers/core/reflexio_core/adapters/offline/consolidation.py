"""Fit candidates to what is stored, by subject, attribute and value."""

from collections.abc import Sequence
from datetime import datetime

from reflexio_core.adapters.offline.similarity import jaccard, tokens
from reflexio_core.adapters.offline.statements import about, merged, replaces, same, statement
from reflexio_core.tasks.consolidate import ConsolidateInputs, ConsolidateOutput, ConsolidationItem, Decision

_SAME_LESSON = 0.7
_SAME_OCCASION = 0.5


def consolidate(inputs: ConsolidateInputs) -> ConsolidateOutput:
    """One decision for every candidate; each stored row is taken by one candidate at most."""
    free = list(inputs.old)
    decisions = []
    for new in inputs.new:
        decision = _decide(new, [old for old in free if old.kind == new.kind])
        decisions.append(decision)
        if decision.action in {"unify", "remove"}:
            free = [old for old in free if old.label not in decision.old]
    return ConsolidateOutput(decisions=tuple(decisions))


def _decide(new: ConsolidationItem, olds: Sequence[ConsolidationItem]) -> Decision:
    if new.forget:
        gone = tuple(old.label for old in olds if about(new.content, statement(old.content)))
        return Decision(new=new.label, action="remove", old=gone)
    repeated, replaced = _fact_relations(new, olds) if new.kind == "profile" else _lesson_relations(new, olds)
    if replaced and any(_said(old) > _said(new) for old in replaced):
        return Decision(new=new.label, action="reject_new", old=tuple(old.label for old in replaced))
    if replaced:
        return Decision(
            new=new.label,
            action="unify",
            old=tuple(old.label for old in (*replaced, *repeated)),
            content=_content(new, replaced),
            trigger=new.trigger or None,
            pitfall=new.pitfall or None,
            time_to_live=new.time_to_live if new.kind == "profile" else None,
        )
    if repeated:
        return Decision(new=new.label, action="reject_new", old=(repeated[0].label,))
    return Decision(new=new.label, action="independent")


def _content(new: ConsolidationItem, replaced: Sequence[ConsolidationItem]) -> str:
    if new.kind == "profile" and len(replaced) == 1:
        return merged(statement(new.content), statement(replaced[0].content))
    return new.content


Relations = tuple[list[ConsolidationItem], list[ConsolidationItem]]


def _fact_relations(new: ConsolidationItem, olds: Sequence[ConsolidationItem]) -> Relations:
    mine = statement(new.content)
    repeated = [old for old in olds if same(mine, statement(old.content))]
    replaced = [old for old in olds if old not in repeated and replaces(mine, statement(old.content))]
    return repeated, replaced


def _lesson_relations(new: ConsolidationItem, olds: Sequence[ConsolidationItem]) -> Relations:
    """The same lesson again; or, on the same occasion, the same thing commanded and forbidden."""
    mine = tokens(new.content)
    negated = statement(new.content).negated
    repeated: list[ConsolidationItem] = []
    replaced: list[ConsolidationItem] = []
    for old in olds:
        content = jaccard(mine, tokens(old.content))
        occasion = jaccard(tokens(new.trigger), tokens(old.trigger)) if new.trigger or old.trigger else 1.0
        if content < _SAME_LESSON or occasion < _SAME_OCCASION:
            continue
        (repeated if negated == statement(old.content).negated else replaced).append(old)
    return repeated, replaced


def _said(item: ConsolidationItem) -> float:
    """When it was said, in seconds; the start of time when unknown."""
    try:
        return datetime.fromisoformat(item.said).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0
