"""The offline learner with a list for a store and no search: what the rules alone achieve."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from reflexio_core.adapters.offline import OfflineLlm
from reflexio_core.ports.llm import LlmSettings
from reflexio_core.tasks import CONSOLIDATE, EXTRACT
from reflexio_core.tasks.consolidate import ConsolidateInputs, ConsolidationItem, Decision
from reflexio_core.tasks.extract import ExtractInputs, ExtractOutput
from reflexio_core.tasks.transcript import Turn
from tests.corpus.cases import Learning

SETTINGS = LlmSettings()
LLM = OfflineLlm()


@dataclass(slots=True)
class _Row:
    item: ConsolidationItem
    quotes: str
    current: bool = True

    @property
    def learning(self) -> Learning:
        return Learning(self.item.kind, " | ".join((self.item.trigger, self.item.content, self.item.pitfall)))


@dataclass(slots=True)
class Memory:
    """Keeps every row of every user, replaced ones marked."""

    rows: dict[str, list[_Row]] = field(default_factory=dict)

    def publish(self, user: str, session: str, turns: Sequence[dict[str, Any]], date: str) -> None:
        """Extract from one session and consolidate with what is current."""
        rows = self.rows.setdefault(user, [])
        output = extract(as_turns(turns, date, session))
        new = _candidates(output, date)
        old = {f"OLD-{number}": row for number, row in enumerate((row for row in rows if row.current), start=1)}
        stored = tuple(row.item.model_copy(update={"label": label}) for label, row in old.items())
        inputs = ConsolidateInputs(new=tuple(row.item for row in new), old=stored)
        decisions = LLM.run(CONSOLIDATE, inputs, SETTINGS).output.decisions
        assert [decision.new for decision in decisions] == [row.item.label for row in new]
        for row, decision in zip(new, decisions, strict=True):
            for label in decision.old:
                old[label].current &= decision.action not in {"unify", "remove"}
            if decision.action in {"unify", "independent"}:
                rows.append(_Row(_changed(row.item, decision), row.quotes))

    def search(self, user: str, query: str) -> list[Learning]:
        """Everything current: here the rules are measured, not a search engine (that is ``make bench-learning``)."""
        return self.current(user)

    def current(self, user: str) -> list[Learning]:
        """What is served."""
        return [row.learning for row in self.rows.get(user, []) if row.current]

    def stored(self, user: str) -> list[Learning]:
        """Everything, quotes included."""
        return [Learning(row.item.kind, f"{row.learning.text} | {row.quotes}") for row in self.rows.get(user, [])]


def as_turns(turns: Sequence[dict[str, Any]], date: str, session: str) -> tuple[Turn, ...]:
    """Corpus turns as a window."""
    return tuple(
        Turn(
            label=f"T{number}",
            role=turn["role"],
            text=turn["content"],
            time=date,
            session=session,
            expert_text=turn.get("expert_content", ""),
        )
        for number, turn in enumerate(turns, start=1)
    )


def extract(turns: tuple[Turn, ...], **more: Any) -> ExtractOutput:
    """Both kinds from ``turns``."""
    inputs = ExtractInputs(kinds=("profile", "playbook"), judge=True, turns=turns, **more)
    return LLM.run(EXTRACT, inputs, SETTINGS).output


def _candidates(output: ExtractOutput, said: str) -> list[_Row]:
    rows = [
        (
            ConsolidationItem(
                label="",
                kind="profile",
                content=fact.content,
                said=said,
                time_to_live=fact.time_to_live,
                forget=fact.forget,
            ),
            fact.evidence,
        )
        for fact in output.profiles
    ]
    rows += [
        (
            ConsolidationItem(
                label="",
                kind="playbook",
                content=lesson.content,
                said=said,
                trigger=lesson.trigger,
                pitfall=lesson.pitfall or "",
            ),
            lesson.evidence,
        )
        for lesson in output.playbooks
    ]
    return [
        _Row(item.model_copy(update={"label": f"NEW-{number}"}), " | ".join(part.quote for part in evidence))
        for number, (item, evidence) in enumerate(rows, start=1)
    ]


def _changed(item: ConsolidationItem, decision: Decision) -> ConsolidationItem:
    changes = {
        name: value for name in ("content", "trigger", "pitfall") if (value := getattr(decision, name)) is not None
    }
    return item.model_copy(update=changes)
