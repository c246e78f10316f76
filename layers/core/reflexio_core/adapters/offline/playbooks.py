"""Lessons for the agent, from corrections and lasting instructions. They state behaviour and name no value."""

import re
from collections.abc import Iterator, Sequence

from reflexio_core.adapters.offline.clauses import Clause
from reflexio_core.adapters.offline.directives import RETURNING, Directive, ValueCorrection
from reflexio_core.adapters.offline.languages import Language, language_of
from reflexio_core.adapters.offline.languages.en_verbs import gerund
from reflexio_core.adapters.offline.languages.lexicon import entries
from reflexio_core.adapters.offline.person import of_instruction
from reflexio_core.adapters.offline.similarity import jaccard, tokens
from reflexio_core.adapters.offline.tasks import AgentTask, item_of
from reflexio_core.adapters.offline.values import abstracted, leaves_hole, values_in
from reflexio_core.domain.secrets import contains_secret
from reflexio_core.tasks.extract import EvidenceKind, PlaybookCandidate
from reflexio_core.tasks.transcript import Evidence, Turn

ANSWERS = frozenset({"language", "tone", "format"})
_SENTENCE = re.compile(r"[^.!?。！？\n]{8,300}")
_HOW = re.compile(r"^how (?:do|can|should|could) (?:I|we|you) ", re.IGNORECASE)
_BARE_VERB = re.compile(r"(?:(?:we|I|you)\s)?(?:\w+\s)?(?:never|do(?:n't| not))\s", re.IGNORECASE)  # "never silence …"
_COVERED = 0.6
_MAX_POINTS = 4


def from_value(correction: ValueCorrection, task: AgentTask | None, agent: Turn | None) -> PlaybookCandidate:
    """Confirm the category of what was wrong before the same task is done again."""
    source = correction.rejecting or correction.directives[0]
    language, phrases = source.clause.language, source.clause.language.phrases
    category = language.categories[correction.category]
    if any(language.toward.search(source.body[: value.start]) for value in source.values):
        category = phrases.target.format(category=category)
    doing = _doing(correction.category, source, task)
    return PlaybookCandidate(
        trigger=_sentence(phrases.before.format(task=doing)),
        content=_sentence(phrases.confirm.format(category=category, task=doing)),
        rationale=phrases.corrected if source.corrects else phrases.preferred,
        evidence_kind="correction" if source.corrects else "preference",
        evidence=evidence([directive.clause for directive in correction.directives], agent),
    )


def from_directives(
    directives: Sequence[Directive], task: AgentTask | None, agent: Turn | None
) -> Iterator[PlaybookCandidate]:
    """Do this, avoid that; a prohibition followed by what to do instead is one lesson. What says nothing without the
    user's values is none."""
    taken: set[int] = set()
    for position, directive in enumerate(directives):
        if position in taken:
            continue
        follower = directives[position + 1] if position + 1 < len(directives) else None
        pair = None
        if follower and directive.forbids and not follower.forbids and not follower.standing:
            pair = follower
            taken.add(position + 1)
        said = (directive.body, directive.clause.scope, pair.body if pair else "")
        if not RETURNING.match(directive.body) and not any(
            leaves_hole(text, directive.clause.language) for text in said
        ):
            yield _instruction(directive, pair, task, agent)


def from_meaning(clause: Clause, task: AgentTask, agent: Turn) -> PlaybookCandidate:
    """The agent took the request otherwise than it was meant: ask about the detail next time."""
    phrases = clause.language.phrases
    doing = task.phrase() if task.item else phrases.acting
    return PlaybookCandidate(
        trigger=_sentence(phrases.before.format(task=doing)),
        content=_sentence(phrases.confirm.format(category=phrases.details, task=doing)),
        rationale=phrases.corrected,
        evidence_kind="correction",
        evidence=evidence([clause], agent),
    )


def from_expert(turn: Turn, question: Turn | None) -> PlaybookCandidate | None:
    """What an expert's answer holds and the agent's lacks; ``None`` when it adds nothing."""
    language = language_of(turn.expert_text)
    given = tokens(turn.text)
    points = [part.strip() for part in _SENTENCE.findall(turn.expert_text)]
    missing = [part for part in points if len(tokens(part) & given) < _COVERED * len(tokens(part))]
    told = [part for part in missing if not contains_secret(part) and not leaves_hole(part, language)][:_MAX_POINTS]
    body = "; ".join(abstracted(part, language) for part in told)
    if not body:
        return None
    asks = question.text.strip(" ?？¿!.。")[:200] if question else ""
    topic = _HOW.sub("how to ", abstracted(asks, language))
    if contains_secret(topic) or not topic or leaves_hole(asks, language):
        topic = language.phrases.answering
    asked = Evidence(turn=question.label, quote="") if question else None
    return PlaybookCandidate(
        trigger=_sentence(language.phrases.asked.format(topic=topic[0].lower() + topic[1:])),
        content=_sentence(language.phrases.cover.format(body=body)),
        rationale=language.phrases.expert,
        evidence_kind="expert-gap",
        evidence=(*((asked,) if asked else ()), Evidence(turn=turn.label, quote="")),
    )


def evidence(clauses: Sequence[Clause], agent: Turn | None) -> tuple[Evidence, ...]:
    """The user's words, each once, and the agent's turn that they answer."""
    cited: dict[tuple[str, str], Evidence] = {}
    if agent is not None:
        cited[agent.label, ""] = Evidence(turn=agent.label)
    for clause in clauses:
        cited.setdefault((clause.turn.label, clause.text), Evidence(turn=clause.turn.label, quote=clause.text))
    return tuple(cited.values())


def unlike(candidates: Sequence[PlaybookCandidate]) -> list[PlaybookCandidate]:
    """Of lessons that say nearly the same, the first."""
    kept: list[PlaybookCandidate] = []
    for candidate in candidates:
        words = tokens(f"{candidate.trigger} {candidate.content}")
        if all(jaccard(words, tokens(f"{other.trigger} {other.content}")) < 0.8 for other in kept):
            kept.append(candidate)
    return kept


def _doing(category: str, source: Directive, task: AgentTask | None) -> str:
    """The task that a value belongs to: the agent's, else the usual one of its category."""
    language, phrases = source.clause.language, source.clause.language.phrases
    if category in ANSWERS and not (task and acts_on_text(task)):
        return phrases.answering
    if task is not None and task.item:
        return task.phrase(_added_context(source, task))
    return language.category_tasks.get(category, phrases.acting)


def _instruction(
    directive: Directive, pair: Directive | None, task: AgentTask | None, agent: Turn | None
) -> PlaybookCandidate:
    language, phrases = directive.clause.language, directive.clause.language.phrases
    body = abstracted(directive.body, language)
    if directive.forbids:
        avoided = _named(body, language)
        if avoided == body and _BARE_VERB.match(directive.clause.core):
            first, _, rest = body.partition(" ")
            avoided = f"{gerund(first.lower())} {rest}".strip()
        content = phrases.avoid.format(body=avoided)
        if pair:
            content = phrases.instead.format(body=abstracted(pair.body, language), other=avoided)
    else:
        content = body
    content = _scoped(content, directive.clause)
    kind: EvidenceKind = "correction" if directive.corrects else "preference"
    clauses = [directive.clause, *((pair.clause,) if pair else ())]
    return PlaybookCandidate(
        trigger=_sentence(_trigger(directive, task, language)),
        content=_sentence(content),
        rationale=phrases.corrected if directive.corrects else phrases.preferred,
        pitfall=_sentence(abstracted(directive.body, language)) if directive.forbids and pair else None,
        evidence_kind=kind,
        evidence=evidence(clauses, agent),
    )


def _scoped(content: str, clause: Clause) -> str:
    """An instruction with what it is limited to."""
    if not clause.scope or clause.language.when_clause.fullmatch(clause.scope):
        return content
    scope = abstracted(clause.scope, clause.language)
    return f"{scope}：{content}" if clause.language.code == "zh" else f"{scope}, {content[:1].lower()}{content[1:]}"


def _trigger(directive: Directive, task: AgentTask | None, language: Language) -> str:
    """From the instruction's own "before …", its own action, the agent's task; else whenever it answers."""
    phrases = language.phrases
    if language.when_clause.fullmatch(directive.clause.scope):
        return abstracted(directive.clause.scope, language)
    stated = language.when_clause.search(directive.body)
    if stated and not directive.forbids:
        return abstracted(stated.group("when"), language)
    if directive.forbids and not language.style.search(directive.body):
        own = _named(abstracted(directive.body, language), language)
        if own.split(" ", 1)[0] in language.verbs.values() or language.code == "zh":
            cut = re.split(r"\s(?:without|before|after|unless|until|sin|antes)\s", own, maxsplit=1)[0]
            return phrases.before.format(task=cut)
    if language.style.search(directive.body) or task is None:
        if task is not None and task.reported and acts_on_text(task):
            return phrases.when.format(task=task.phrase())
        return phrases.when.format(task=phrases.answering)
    return phrases.when.format(task=task.phrase() if task.item else phrases.acting)


def acts_on_text(task: AgentTask) -> bool:
    """Whether the task makes a text, so that a remark on style belongs to it."""
    return task.verb in _WRITING


_WRITING = entries(
    "writing drafting summarising summarizing translating documenting preparing generating redactar "
    "escribir resumir traducir generar 写 起草 总结 翻译 生成"
)


def _named(body: str, language: Language) -> str:
    """``body`` with its first verb in the form that names a task: "skip tests" -> "skipping tests"."""
    first, _, rest = body.partition(" ")
    name = language.verbs.get(first.casefold())
    return f"{name} {rest}".strip() if name and language.code != "zh" else body


def _added_context(source: Directive, task: AgentTask) -> str:
    """A generic modifier from the user's words ("production") that the task does not name yet."""
    match = source.clause.language.context.match(source.body)
    if match is None:
        return ""
    words = item_of(match.group("context"), source.clause.language).split()
    fresh = [word for word in words if word.casefold() in source.clause.language.generic]
    known = tokens(f"{task.verb} {task.item}")
    return " ".join(word for word in fresh if not tokens(word) <= known)


def _sentence(text: str) -> str:
    text = of_instruction(text, language_of(text))
    text = re.sub(r"\s{2,}", " ", text).strip(" ,;:，；.")
    return text[:1].upper() + text[1:]


def names_value(candidate: PlaybookCandidate) -> bool:
    """Whether a specific value slipped into a lesson."""
    text = ". ".join((candidate.trigger, candidate.content, candidate.pitfall or ""))
    return any(value.category not in {"name", "quantity"} for value in values_in(text, language_of(text)))
