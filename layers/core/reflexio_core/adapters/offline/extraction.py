"""Read a window: which clauses count, and what is learned from them."""

from collections.abc import Sequence

from reflexio_core.adapters.offline import playbooks, profiles
from reflexio_core.adapters.offline.clauses import Clause, clauses_of
from reflexio_core.adapters.offline.confidences import confided
from reflexio_core.adapters.offline.directives import Directive, directives_in, is_lasting, value_corrections
from reflexio_core.adapters.offline.guards import sincere
from reflexio_core.adapters.offline.statements import about, replaces, same, statement
from reflexio_core.adapters.offline.tasks import AgentTask, task_before
from reflexio_core.domain.secrets import contains_secret
from reflexio_core.tasks.extract import ExtractInputs, ExtractOutput, PlaybookCandidate, ProfileCandidate
from reflexio_core.tasks.transcript import Turn

_MAX_PROFILES = 40
_MAX_PLAYBOOKS = 20


def extract(inputs: ExtractInputs) -> ExtractOutput:
    """Candidates of the wanted kinds. The verdicts say whether there are any; unjudged windows count as useful."""
    facts, lessons = _learn(inputs.turns)
    known = [statement(profile.content) for profile in inputs.known_profiles]
    facts = [fact for fact in facts if fact.forget or not any(same(statement(fact.content), old) for old in known)]
    wanted_facts = tuple(facts[:_MAX_PROFILES]) if "profile" in inputs.kinds else ()
    wanted_lessons = tuple(lessons[:_MAX_PLAYBOOKS]) if "playbook" in inputs.kinds else ()
    return ExtractOutput(
        profile_useful=bool(wanted_facts) or not inputs.judge,
        playbook_useful=bool(wanted_lessons) or not inputs.judge,
        profiles=wanted_facts,
        playbooks=wanted_lessons,
    )


def useful(turns: Sequence[Turn]) -> tuple[bool, bool]:
    """Whether there is any fact, and any lesson, to be learned from ``turns``."""
    facts, lessons = _learn(turns)
    return bool(facts), bool(lessons)


def _learn(turns: Sequence[Turn]) -> tuple[list[ProfileCandidate], list[PlaybookCandidate]]:
    facts: list[ProfileCandidate] = []
    lessons: list[PlaybookCandidate] = []
    meant = {turn.label for turn in sincere(turns)}
    secretly = confided(turns)
    for position, turn in enumerate(turns):
        if not turn.new:
            continue
        before = [earlier for earlier in turns[:position] if earlier.session == turn.session]
        if turn.expert_text.strip():
            question = next((earlier for earlier in reversed(before) if earlier.is_user), None)
            gap = playbooks.from_expert(turn, question)
            lessons += [gap] if gap else []
        if turn.label in meant:
            new_facts, new_lessons = _from_user(turn, before)
            if turn.label in secretly:
                new_facts, new_lessons = [fact for fact in new_facts if fact.forget], []
            for fact in new_facts:
                facts = _with(facts, fact)
            lessons += new_lessons
    return facts, playbooks.unlike([lesson for lesson in lessons if _clean(lesson)])


def _from_user(turn: Turn, before: list[Turn]) -> tuple[list[ProfileCandidate], list[PlaybookCandidate]]:
    clauses = _own_claims(turn)
    requests = [(clause, request) for clause in clauses if (request := profiles.forgetting(clause))]
    forgetting = {id(clause) for clause, _ in requests}
    clauses = [clause for clause in clauses if id(clause) not in forgetting]
    agent = next((earlier for earlier in reversed(before) if not earlier.is_user), None)
    directives = directives_in(clauses, before)
    corrections = value_corrections(directives)
    settled = {id(directive) for correction in corrections for directive in correction.directives}
    task = task_before(before, clauses[0].language) if clauses else None

    facts = [request for _, request in requests]
    lessons: list[PlaybookCandidate] = []
    stated_by_value: set[int] = set()
    for correction in corrections:
        fact = profiles.from_value(correction, task)
        if fact:
            facts.append(fact)
            stated_by_value.update(id(directive.clause) for directive in correction.directives)
        lessons.append(playbooks.from_value(correction, task, agent))
    plain = [directive for directive in directives if id(directive) not in settled]
    lessons += playbooks.from_directives(plain, task, agent)
    stated = [
        (clause, fact)
        for clause, fact in profiles.facts_in(clauses, agent is not None)
        if id(clause) not in stated_by_value
    ]
    facts += [fact for _, fact in stated]
    facts += _standing(plain, {id(clause) for clause, _ in stated})
    if not lessons and agent is not None and task is not None:
        lessons += _misread(clauses, task, agent)
    return facts, lessons


def _own_claims(turn: Turn) -> list[Clause]:
    """Clauses that the user asserts: no question, nothing supposed."""
    claims = []
    of_others = ""  # the sentence whose subject is somebody else, until the speaker becomes its subject
    for clause in clauses_of(turn):
        if clause.language.others.match(clause.core):
            of_others = clause.sentence
        elif clause.language.own.match(clause.core):
            of_others = ""
        supposed = clause.is_question or clause.language.hypothetical.search(clause.sentence)
        if clause.core and clause.sentence != of_others and not supposed:
            claims.append(clause)
    return claims


def _standing(directives: Sequence[Directive], stated: set[int]) -> list[ProfileCandidate]:
    return [profiles.from_standing(d) for d in directives if is_lasting(d) and id(d.clause) not in stated]


def _misread(clauses: Sequence[Clause], task: AgentTask, agent: Turn) -> list[PlaybookCandidate]:
    for clause in clauses:
        if clause.language.meant.search(clause.sentence) and clause.language.correction.search(clause.sentence):
            return [playbooks.from_meaning(clause, task, agent)]
    return []


def _with(facts: list[ProfileCandidate], new: ProfileCandidate) -> list[ProfileCandidate]:
    """``facts`` with ``new``: what it repeats, replaces or asks to forget is gone."""
    if new.forget:
        return [*(fact for fact in facts if fact.forget or not about(new.content, statement(fact.content))), new]
    mine = statement(new.content)
    if any(not fact.forget and same(mine, statement(fact.content)) for fact in facts):
        return facts
    replaced = [fact for fact in facts if not fact.forget and replaces(mine, statement(fact.content))]
    for former in replaced:
        if statement(former.content).negated and not mine.negated:
            new = _after(former, new)
    return [*(fact for fact in facts if fact not in replaced), new]


def _after(former: ProfileCandidate, new: ProfileCandidate) -> ProfileCandidate:
    """ "No longer works at A" and "Works at B" as one fact, so that what is stored of A is still found and replaced."""
    denied = f"{former.content[:1].lower()}{former.content[1:]}"
    evidence = (*former.evidence, *new.evidence)
    return new.model_copy(update={"content": f"{new.content} ({denied})", "evidence": evidence})


def _clean(lesson: PlaybookCandidate) -> bool:
    text = ". ".join((lesson.trigger, lesson.content, lesson.pitfall or ""))
    return not contains_secret(text) and not playbooks.names_value(lesson)
