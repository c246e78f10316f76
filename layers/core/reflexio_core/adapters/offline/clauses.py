"""Cut a turn into clauses: the unit that every rule reads. Clauses are bounded, so that no pattern sees a long text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from re import Pattern

from reflexio_core.adapters.offline.languages import Language, language_of
from reflexio_core.adapters.offline.masking import MASK, own_words
from reflexio_core.tasks.transcript import Turn

MAX_SENTENCE = 400
MAX_CLAUSE = 240
MAX_SENTENCES = 200

_BOUNDARY = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|[。！？；;\n]+")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Dra|Sr|Sra|St|vs|Nr|e\.g|i\.e|etc|approx|a\.m|p\.m|núm|[^\W\d_])\.$"
)
_QUESTION_MARK = re.compile(r"[?？]")


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a turn. ``text`` occurs in ``turn.text`` verbatim; ``core`` is without openers such as "well,"
    and without the limiting ``scope`` in front ("for hotels")."""

    turn: Turn
    language: Language
    text: str
    core: str
    scope: str
    sentence: str
    is_question: bool


def clauses_of(turn: Turn) -> Iterator[Clause]:
    """Every clause of the speaker's own words, in order. Sentences over 400 characters are skipped."""
    text = own_words(turn)
    language = language_of(text.replace(MASK, ""))
    for sentence in _sentences(text):
        stripped = sentence.strip()
        if not stripped or len(stripped) > MAX_SENTENCE:
            continue
        yield from _clauses(turn, stripped, language_of(stripped.replace(MASK, ""), language))


def without_openers(text: str, language: Language) -> str:
    """``text`` without interjections in front and courtesies behind."""
    core = text.strip(" \t,.!¡¿:，。！：\"'*-")
    opener = language.fillers.match(core)
    if opener:
        core = core[opener.end() :]
    core = _without(language.trailers, core)
    return core.strip(" \t,.!¡:，。！：*-")


def _without(pattern: Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return text[: match.start()] if match and match.start() else text


def _sentences(text: str) -> Iterator[str]:
    start = 0
    found = 0
    for boundary in _BOUNDARY.finditer(text):
        if boundary.group() == "." and _ABBREVIATION.search(text[max(0, boundary.end() - 12) : boundary.end()]):
            continue
        yield text[start : boundary.end()]
        start = boundary.end()
        found += 1
        if found >= MAX_SENTENCES:
            return
    yield text[start:]


def _clauses(turn: Turn, sentence: str, language: Language) -> Iterator[Clause]:
    asks = bool(_QUESTION_MARK.search(sentence))
    parts = _parts(sentence, language)
    occasion = ""  # "before you send it," belongs to the clause after it
    speaker = False
    for number, part in enumerate(parts, start=1):
        text = part.strip()
        if not text or MASK in text or len(text) > MAX_CLAUSE:
            continue
        core = without_openers(text, language)
        if number < len(parts) and _limits(core, parts[number].strip(), language):
            occasion = core
            continue
        core, scope = _scoped(core, language)
        if speaker and language.continued is not None and language.continued.match(core):
            core = language.implied + core
        speaker = bool(language.solo.match(core))
        # "We use Go, does that matter?": the mark asks with the last clause, the first one is a statement.
        question = (asks and (number == len(parts) or "¿" in part)) or bool(language.question.match(core or text))
        yield Clause(turn, language, text, core, occasion or scope, sentence, question)
        occasion = ""


def _limits(core: str, following: str, language: Language) -> bool:
    """Whether ``core`` only says when or for what the following clause holds."""
    if language.when_clause.fullmatch(core):
        return True
    scope = language.scope.match(f"{core}, {following}")
    return scope is not None and scope.end() == len(core) + len(", ")


def _parts(sentence: str, language: Language) -> list[str]:
    parts: list[str] = []
    position = 0
    for cut in language.clause_break.finditer(sentence):
        parts.append(sentence[position : cut.start()])
        position = cut.end()
    return [*parts, sentence[position:]]


def _scoped(core: str, language: Language) -> tuple[str, str]:
    limited = language.scope.match(core) or (language.topic.match(core) if language.topic else None)
    if limited is None:
        return core, ""
    return core[limited.end() :], next(group for group in limited.groups() if group)
