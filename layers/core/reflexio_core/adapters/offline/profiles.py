"""Facts about the user, from their own clauses."""

import re
from collections.abc import Iterator, Sequence

from reflexio_core.adapters.offline.clauses import Clause
from reflexio_core.adapters.offline.dates import resolved, time_to_live
from reflexio_core.adapters.offline.directives import Directive, ValueCorrection
from reflexio_core.adapters.offline.languages import Language
from reflexio_core.adapters.offline.languages.en_verbs import third_person
from reflexio_core.adapters.offline.person import addresses_somebody, of_instruction, of_statement
from reflexio_core.adapters.offline.playbooks import ANSWERS, evidence
from reflexio_core.adapters.offline.tasks import AgentTask, item_of
from reflexio_core.adapters.offline.values import values_in
from reflexio_core.domain.secrets import contains_secret
from reflexio_core.tasks.extract import EVERYTHING, ProfileCandidate
from reflexio_core.tasks.transcript import Evidence

_MIN_CHARS = 2
_MINE = re.compile(r"^(?:my|our|mis?|nuestr[oa]s?)\s+(?=\S)|^(?:我|我们|咱们)的", re.IGNORECASE)
_ASIDE = re.compile(r"\s*[,，;(（]")  # "forget my allergy, that was an error"
_DENIED = re.compile(r"(?:ya no|no longer|does not|no)\s(?P<does>\w+\s(?:at|for|in|en|para))\s\S", re.IGNORECASE)
_NOW_AT = re.compile(
    r"(?:(?:now|ahora)\s)?(?:I'm|I am|we're|we are|estoy|estamos)\s(?:(?:now|ahora)\s)?(?:at|with|in|en)\s"
    r"(?P<where>(?-i:[A-ZÀ-Þ])\S.{0,60})",
    re.IGNORECASE,
)
_FROM_NOW = re.compile(
    r"[\s,]*(?:\bplease\b|\bpor favor\b)?[\s,]*\b(?:from now on|going forward|from here on|a partir de ahora|"
    r"de ahora en adelante)[\s.!]*$",
    re.IGNORECASE,
)
_RETURNS = (
    (re.compile(r"^(?:go|switch|change|return) (?:back )?to (?:using )?", re.IGNORECASE), "Prefers "),
    (re.compile(r"^(?:vuelve|cambia) a (?:usar )?", re.IGNORECASE), "Prefiere "),
)
_TOLD = re.compile(r"you\s", re.IGNORECASE)


def facts_in(clauses: Sequence[Clause], corrects: bool) -> Iterator[tuple[Clause, ProfileCandidate]]:
    """Each stated fact, preference or habit of one turn, with the clause it stands in.

    ``corrects``: the agent did something before, so that "the staging URL is …" tells what would have been right.
    """
    former: ProfileCandidate | None = None
    for clause in clauses:
        moved = _moved_on(clause, former) if former else ""
        if moved or states_fact(clause) or (corrects and _states_value(clause)):
            fact = _fact(clause)
            former = fact = fact.model_copy(update={"content": moved}) if moved else fact
            if not addresses_somebody(fact.content, clause.language):
                yield clause, fact


def _moved_on(clause: Clause, former: ProfileCandidate) -> str:
    """ "I no longer work at A, now I'm at B": what the denied statement says of B; empty when nothing was denied."""
    denied, now = _DENIED.match(former.content), _NOW_AT.match(clause.core)
    return _capital(f"{denied.group('does')} {now.group('where')}") if denied and now else ""


def _states_value(clause: Clause) -> bool:
    """ "The staging URL is …": a value of something shared, worth keeping when it puts the agent right."""
    language = clause.language
    match = language.impersonal.match(clause.core)
    if match is None or language.others.match(clause.core) or not language.correction.search(clause.sentence):
        return False
    strong = (value for value in values_in(clause.core, language) if value.category not in {"name", "quantity"})
    return any(value.start >= match.end() - 1 for value in strong)


def states_fact(clause: Clause) -> bool:
    """Whether a clause says something lasting of its speaker."""
    language = clause.language
    if language.others.match(clause.core) or language.not_facts.match(clause.core):
        return False
    return any(fact.match(clause.core) for fact in language.facts)


def from_value(correction: ValueCorrection, task: AgentTask | None) -> ProfileCandidate | None:
    """The value that holds for this user: "Production region is us-west-2 (never us-east-1)"."""
    if not correction.good or contains_secret(f"{correction.good} {correction.bad}"):
        return None
    source = correction.rejecting or correction.directives[0]
    language, phrases = source.clause.language, source.clause.language.phrases
    category = language.categories[correction.category]
    context = _context(source, None if correction.category in ANSWERS else task, language)
    frame = phrases.value if context and context.casefold() != category.casefold() else phrases.value_alone
    content = frame.format(context=context, category=category, Category=_capital(category), good=correction.good)
    if correction.bad:
        content += (phrases.rejected if source.standing else phrases.rejected_once).format(bad=correction.bad)
    if source.clause.scope and language.code != "zh":
        content += f" ({source.clause.scope})"
    return ProfileCandidate(
        content=_capital(content),
        time_to_live=time_to_live(source.clause.sentence, language),
        evidence=evidence([directive.clause for directive in correction.directives], None),
    )


def from_standing(directive: Directive) -> ProfileCandidate:
    """A lasting instruction is a preference of the user as well."""
    clause = directive.clause
    told = directive.body if _TOLD.match(clause.core) else clause.core
    joint = "" if clause.language.code == "zh" else ", "
    content = f"{clause.scope}{joint}{told}" if clause.scope else told
    return ProfileCandidate(
        content=_capital(resolved(of_instruction(_wish(content), clause.language), clause.turn.time)),
        time_to_live=time_to_live(clause.text, clause.language),
        evidence=evidence([clause], None),
    )


def forgetting(clause: Clause) -> ProfileCandidate | None:
    """A request to forget; ``content`` names what."""
    match = clause.language.forget.match(clause.core) or clause.language.forget.match(clause.text)
    if match is None:
        return None
    topic = _ASIDE.split((match.group("topic") or match.group("topic2") or "").strip(" .!。！"))[0]
    if clause.language.forget_everything.search(topic):
        topic = EVERYTHING
    topic = _MINE.sub("", topic)
    if len(topic) < _MIN_CHARS:
        return None
    quote = Evidence(turn=clause.turn.label, quote=clause.text)
    return ProfileCandidate(content=topic, forget=True, evidence=(quote,))


def rendered(text: str, language: Language) -> str:
    """A first-person clause as a statement without a subject, names verbatim."""
    for before, after in language.rendering:
        text, count = before.subn(after, text, count=1)
        if count and language.code == "en":
            break
    words = [third_person(word.removesuffix("+s")) if word.endswith("+s") else word for word in text.split(" ")]
    return _capital(of_statement(" ".join(words).strip(), language))


def _wish(text: str) -> str:
    """ "Go back to bullet points, from now on" as what is preferred then."""
    text = _FROM_NOW.sub("", text)
    for returning, preference in _RETURNS:
        text = returning.sub(preference, text)
    return text


def _fact(clause: Clause) -> ProfileCandidate:
    content = rendered(clause.core, clause.language)
    if clause.scope:
        content += f" ({clause.scope[:1].lower()}{clause.scope[1:]})"
    return ProfileCandidate(
        content=resolved(content, clause.turn.time),
        time_to_live=time_to_live(clause.text, clause.language),
        evidence=evidence([clause], None),
    )


def _context(source: Directive, task: AgentTask | None, language: Language) -> str:
    if source.clause.scope and language.code == "zh":
        return source.clause.scope
    match = language.context.match(source.body)
    named = item_of(language.standing.sub("", match.group("context")).strip(), language) if match else ""
    if any(word.casefold() in language.verbs for word in named.split()):
        named = ""
    return named or (task.item if task else "")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
