"""What the agent was doing when the user spoke: the part of a lesson that says when it applies."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from re import Pattern

from reflexio_core.adapters.offline.languages import Language, language_of
from reflexio_core.adapters.offline.values import abstracted, values_in
from reflexio_core.tasks.transcript import Turn

_MAX_ITEM_WORDS = 4
_LOOK = 600  # characters of a turn that are searched for a task
_PLURAL = re.compile(r"(?<!s)s$")
_VOWEL = re.compile(r"(?!us|uni|eu|one)[aeiou]", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:el|la|los|las|un|una|unos|unas)\s", re.IGNORECASE)
_GENERIC_VERBS = frozenset(
    {"running", "using", "doing", "making", "taking", "usar", "hacer", "poner", "使用", "写", "运行"}
)


@dataclass(frozen=True, slots=True)
class AgentTask:
    """A task such as "preparing" "invoice"; ``reported`` when the agent itself said so."""

    language: Language
    verb: str
    item: str
    reported: bool
    article: str = ""  # as spoken, in languages where it follows the noun's gender

    def phrase(self, context: str = "") -> str:
        """The task as a noun phrase of a trigger: "preparing a production deployment"."""
        words = " ".join(part for part in (context, self.item) if part)
        if self.language.code == "zh":
            return f"{self.verb}{words.replace(' ', '')}"
        if not words:
            return self.verb
        if self.language.code == "es":
            return f"{self.verb} {self.article}{self.item}" + (f" de {context}" if context else "")
        return f"{self.verb} {_article(words)}{words}"


def task_before(turns: Sequence[Turn], language: Language) -> AgentTask | None:
    """The task that the turns before a remark were about: what the agent reported last, else what was asked for."""
    reported = requested = None
    for turn in reversed(turns[-4:]):
        if turn.is_user and requested is None:
            requested = next(_tasks(turn.text, language.asking, False), None)
        elif not turn.is_user and turn.role.strip().casefold() not in {"system", "tool"} and reported is None:
            reported = next(
                _tasks(f"{turn.action}. {turn.text}" if turn.action else turn.text, language.acting, True), None
            )
        if reported and reported.item:
            return reported
    if reported and requested and not reported.item and reported.verb not in _GENERIC_VERBS:
        return AgentTask(language, reported.verb, requested.item, True)
    return requested or reported


def item_of(text: str, language: Language) -> str:
    """The noun phrase that ``text`` starts with, values and possessives taken out; empty when there is none."""
    text = f" {text}"  # a preposition may come first
    end = language.item_end.search(text)
    phrase = text[: end.start()] if end else text
    phrase = re.sub(r"['’]s\b.*?\s", " ", phrase).strip()
    while match := language.determiners.match(phrase):
        phrase = phrase[match.end() :]
    if not phrase or language.pronouns.match(phrase):
        return ""
    if language.code == "zh":
        phrase = phrase.rpartition("的")[2]
        return "" if values_in(phrase, language) else phrase[:10]
    kept = [word for word in phrase.split()[:_MAX_ITEM_WORDS] if word.isalpha() or "-" in word]
    plain = abstracted(" ".join(kept), language)
    words = plain.split()
    if len(words) == 1 and "-" in words[0]:
        return ""  # "date-fns" is a name; a hyphenated common noun has words beside it
    if len(words) > 1:
        words = [*(word for word in words[:-1] if word.casefold() in language.generic), words[-1]]
    return " ".join(words).strip(" -") if words and not values_in(" ".join(words), language) else ""


def _tasks(text: str, frame: Pattern[str], reported: bool) -> Iterator[AgentTask]:
    window = text[:_LOOK]
    language = language_of(window)
    frame = frame if frame in (language.acting, language.asking) else language.acting if reported else language.asking
    position = 0
    found: list[AgentTask] = []
    while match := frame.search(window, position):
        position = match.end("verb")
        verb = language.verbs.get(match.group("verb").casefold())
        if verb:
            said = match.group("item").strip()
            article = _ARTICLE.match(said) if language.code == "es" else None
            found.append(
                AgentTask(language, verb, item_of(said, language), reported, article.group() if article else "")
            )
    yield from (task for task in found if task.item and task.verb not in _GENERIC_VERBS)
    yield from (task for task in found if task.item)
    yield from found


def _article(words: str) -> str:
    if _PLURAL.search(words) or words.split()[-1] in {"data", "people"}:
        return ""
    return "an " if _VOWEL.match(words) else "a "
