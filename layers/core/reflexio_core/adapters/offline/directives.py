"""What a user tells the agent to do or not to do, and the values put right by it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reflexio_core.adapters.offline.clauses import Clause
from reflexio_core.adapters.offline.languages import Language
from reflexio_core.adapters.offline.values import Value, leaves_hole, values_in
from reflexio_core.tasks.transcript import Turn

_SHARED_SUBJECT = re.compile(r"we\b", re.IGNORECASE)
# Of these nothing can be said without what they are the value of: alone they put nothing right.
_WEAK = frozenset({"quantity", "name", "version", "time", "day", "identifier", "email"})
# What may follow a value that is all of what is asked for; "use X for Y", but not "run X and show me the output".
_CLOSING = re.compile(
    r"\W*$|\s*[,.;()!]|\s+(?:instead|for|when|in|on|not|as|rather|every|from|only|please|by|with|to|at|and not|now|"
    r"unless|if|everywhere|always|here|en|para|cuando|por|con|y no|a|siempre|ahora)\b",
    re.IGNORECASE,
)
# "move it", "used that again": an object that the next conversation does not know.
_PARTICLE = r"(?:\s+(?:now|again|back|up|down|out|off|there|here|away|too|first|ahora|ya|aquí))?"
RETURNING = re.compile(r"(?:(?:go|switch|change|return) back to|(?:vuelve|cambia) a)\s", re.IGNORECASE)
"""Opens an instruction that only names what was before: a preference, and nothing to tell an agent anew."""

_PERFECT = re.compile(r"(?:have|had|be|been|haber)\s", re.IGNORECASE)
_ATTACHED = re.compile(r"\w*[áéí]\w*(?:l[aoe]s?|mel[ao]s?)(?:\s+(?:ya|ahora|por favor))?", re.IGNORECASE)
_HERE = re.compile(r"\b(?:this|these|here|est[aeo]s?|aquí)\b|这|那|此", re.IGNORECASE)
_POINTING = re.compile(r".{1,3}(?:它|这个?|那个?|一下|了)")


@dataclass(frozen=True, slots=True)
class Directive:
    """``body`` is the clause without its marker: "deploy production to us-east-1" of "we never …"."""

    clause: Clause
    body: str
    forbids: bool
    standing: bool
    corrects: bool  # it puts right what the agent did
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
        directive = _directive(clause, corrects)
        if directive and (directive.standing or (not answers and _counts(directive, agent, corrects))):
            found.append(directive)
    return found


def _directive(clause: Clause, corrects: bool) -> Directive | None:
    language = clause.language
    forbidding = language.never.match(clause.core)
    match = forbidding or language.always.match(clause.core)
    if match is None:
        return None
    body = match.group("body").strip()
    values = tuple(values_in(body, language))
    if _PERFECT.match(body) or _is_fragment(body, forbidding is not None, language):
        return None
    # "We always sit inside" is the users' habit; "we always squash commits" tells what the agent should do.
    if _SHARED_SUBJECT.match(clause.core) and not values and body.split()[0].casefold() not in language.verbs:
        return None
    standing = bool(language.standing.search(clause.text) or language.when_clause.fullmatch(clause.scope))
    return Directive(clause, body, forbidding is not None, standing, corrects, values)


def _is_fragment(body: str, forbids: bool, language: Language) -> bool:
    if language.code == "zh":
        return _POINTING.fullmatch(body) is not None
    _, _, rest = body.partition(" ")
    if not rest:
        return not forbids
    pronoun = language.pronouns.match(rest)
    return bool(pronoun and re.fullmatch(_PARTICLE, rest[pronoun.end() :])) or bool(_ATTACHED.fullmatch(body))


def is_lasting(directive: Directive) -> bool:
    """Whether an instruction says how the user wants things, in its own words or since only its values tell."""
    language = directive.clause.language
    return directive.standing or bool(
        language.style.search(directive.clause.core) and leaves_hole(directive.body, language)
    )


def _counts(directive: Directive, agent: Turn | None, corrects: bool) -> bool:
    """Whether an instruction without "always" is more than the next step of a task."""
    clause = directive.clause
    if agent is None:  # said first: how answers should not be
        return directive.forbids and bool(clause.language.style.search(clause.core)) and not _HERE.search(clause.core)
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
        and not (good.category == "path" and not source.corrects)
        and (source.clause.language.code == "zh" or _CLOSING.match(source.body[good.end :]))
    ]
    return found


def _match(good: Value, bad: Value) -> bool:
    return good.category == bad.category or "name" in {good.category, bad.category}
