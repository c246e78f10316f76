"""What a user tells the agent to do or not to do, and the values put right by it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reflexio_core.adapters.offline.clauses import Clause
from reflexio_core.adapters.offline.values import Value, values_in
from reflexio_core.tasks.transcript import Turn

_SHARED_SUBJECT = re.compile(r"we\b", re.IGNORECASE)
_WEAK = frozenset({"quantity", "name", "version", "time", "day"})


@dataclass(frozen=True, slots=True)
class Directive:
    """``body`` is the clause without its marker: "deploy production to us-east-1" of "we never …"."""

    clause: Clause
    body: str
    forbids: bool
    standing: bool
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class ValueCorrection:
    """A value the user wants, one that is ruled out, or both; never neither."""

    category: str
    good: str
    bad: str
    directives: tuple[Directive, ...]

    @property
    def rejecting(self) -> Directive | None:
        """The directive that rules the bad value out."""
        return next((directive for directive in self.directives if directive.forbids), None)


def directives_in(clauses: Sequence[Clause], before: Sequence[Turn]) -> list[Directive]:
    """Directives of one turn. ``before`` are the turns that led to it: an answer to a question is no correction."""
    agent = next((turn for turn in reversed(before) if not turn.is_user), None)
    answers = agent is not None and agent.text.rstrip().endswith(("?", "？"))
    corrects = agent is not None and not answers and any(c.language.correction.search(c.sentence) for c in clauses)
    found: list[Directive] = []
    for clause in clauses:
        if clause.language.solo.match(clause.core):
            continue
        directive = _directive(clause)
        if directive and (
            directive.standing or (agent is not None and not answers and _corrective(directive, corrects))
        ):
            found.append(directive)
    return found


def _directive(clause: Clause) -> Directive | None:
    language = clause.language
    forbidding = language.never.match(clause.core)
    match = forbidding or language.always.match(clause.core)
    if match is None:
        return None
    body = match.group("body").strip()
    values = tuple(values_in(body, language))
    # "We always sit inside" is the users' habit; "we always squash commits" tells what the agent should do.
    if _SHARED_SUBJECT.match(clause.core) and not values and body.split()[0].casefold() not in language.verbs:
        return None
    standing = bool(language.standing.search(clause.text) or language.when_clause.fullmatch(clause.scope))
    return Directive(clause, body, forbidding is not None, standing, values)


def _corrective(directive: Directive, corrects: bool) -> bool:
    """Whether an instruction without "always" is more than the next step of a task."""
    clause = directive.clause
    contrasts = (
        clause.language.contrast.search(clause.core) or clause.scope or clause.language.style.search(clause.core)
    )
    return directive.forbids or corrects or bool(contrasts)


def value_corrections(directives: Sequence[Directive]) -> list[ValueCorrection]:
    """Pair what is ruled out with what is wanted instead, by category; what has no partner stands alone."""
    wanted: list[tuple[Value, Directive]] = []
    ruled_out: list[tuple[Value, Directive]] = []
    for directive in directives:
        cut = None if directive.forbids else directive.clause.language.contrast.search(directive.body)
        for value in directive.values:
            rejected = directive.forbids or (cut is not None and value.start >= cut.end())
            (ruled_out if rejected else wanted).append((value, directive))
    found: list[ValueCorrection] = []
    for bad, source in ruled_out:
        partner = next((pair for pair in wanted if _match(pair[0], bad)), None)
        if partner:
            wanted.remove(partner)
            category = bad.category if partner[0].category in _WEAK else partner[0].category
            found.append(ValueCorrection(category, partner[0].text, bad.text, (source, partner[1])))
        elif bad.category not in _WEAK:
            found.append(ValueCorrection(bad.category, "", bad.text, (source,)))
    found += [
        ValueCorrection(good.category, good.text, "", (source,))
        for good, source in wanted
        if good.category not in _WEAK
    ]
    return found


def _match(good: Value, bad: Value) -> bool:
    return good.category == bad.category or "name" in {good.category, bad.category}
