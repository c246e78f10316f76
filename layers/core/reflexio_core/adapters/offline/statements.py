"""What a statement is about: its subject, attribute and object. Both the learner and consolidation read it."""

import re
from dataclasses import dataclass

from reflexio_core.adapters.offline.alternatives import choices, without_choices
from reflexio_core.adapters.offline.languages import Language, language_of
from reflexio_core.adapters.offline.languages.family import FAMILY
from reflexio_core.adapters.offline.similarity import akin, is_number, jaccard, overlap, tokens
from reflexio_core.adapters.offline.values import known_category, values_in
from reflexio_core.tasks.extract import EVERYTHING

# Attributes of which a person has one at a time.
_SINGLE = frozenset(
    {"residence", "employer", "name", "nickname", "birthday", "timezone", "age", "phone", "address", "email", "job"}
)
# Of these one at a time too, but people also have several: only "now" says that the former one is gone.
_SINGLE_NOW = frozenset({"car", "size", "studies"})
_ONE_TOOL = frozenset({"package manager", "test runner", "formatter", "editor", "ci system"})
_SIMILAR = 0.6
_SAME_OBJECT = 0.75


@dataclass(frozen=True, slots=True)
class Statement:
    """A profile's content, taken apart for comparison."""

    text: str
    language: Language
    attribute: str | None
    words: frozenset[str]
    relatives: frozenset[str]
    negated: bool
    before_is: str

    @property
    def numberless(self) -> frozenset[str]:
        """Content words without numbers."""
        return frozenset(word for word in self.words if not is_number(word))


def statement(text: str) -> Statement:
    """Take ``text`` apart."""
    language = language_of(text)
    attribute = next((name for name, cue in language.attributes if cue.search(text)), None)
    words = tokens(text)
    relatives = frozenset(word for word in FAMILY if _mentions(text.casefold(), word))
    key = language.copula.split(text, maxsplit=1)
    return Statement(
        text,
        language,
        attribute,
        words,
        relatives,
        bool(language.negation.search(text)),
        key[0] if len(key) > 1 else "",
    )


def _mentions(text: str, relative: str) -> bool:
    return relative in (re.findall(r"\w+", text) if relative.isascii() else text)


def same(new: Statement, old: Statement) -> bool:
    """Whether ``old`` says already what ``new`` says."""
    if new.negated != old.negated or new.relatives != old.relatives:
        return False
    numbers = {word for word in new.words if is_number(word)} - {word for word in old.words if is_number(word)}
    return (
        not numbers and bool(new.words) and (new.words == old.words or (new.words < old.words and len(new.words) >= 3))
    )


def replaces(new: Statement, old: Statement) -> bool:
    """Whether ``new`` gives another value, number or attitude for what ``old`` is about."""
    if new.relatives != old.relatives:
        return False
    if new.attribute == old.attribute and new.attribute in _SINGLE:
        return True
    if new.attribute == old.attribute and new.attribute in _SINGLE_NOW and new.language.current.search(new.text):
        return True
    relations = (_other_number, _other_attitude, _other_value, _other_tool, _other_choice)
    return any(differs(new, old) for differs in relations)


def merged(new: Statement, old: Statement) -> str:
    """The text for both: ``new``, or ``old`` with its number changed when ``new`` says no more than that."""
    number, former = (re.findall(r"\d[\d.,]*", item.text) for item in (new, old))
    if new.numberless < old.numberless and len(number) == len(former) == 1:
        return old.text.replace(former[0], number[0])
    return new.text


def about(topic: str, candidate: Statement) -> bool:
    """Whether ``candidate`` is what a request to forget ``topic`` means."""
    wanted = statement(topic)
    if wanted.attribute and wanted.attribute == candidate.attribute and wanted.attribute in _SINGLE:
        return True
    if topic == EVERYTHING:
        return True
    subject = wanted.words - _META
    known = frozenset(word for word in subject if any(akin(word, other) for other in candidate.words))
    said = candidate.words | known
    return bool(subject) and overlap(subject, said) >= _SIMILAR and len(known) * 2 >= len(subject)


_META = tokens(
    "about said told know everything dije sobre preference preferences information data saved stored "
    "detail fact thing number preferencia datos información dato"
)


def _other_number(new: Statement, old: Statement) -> bool:
    numbers, others = new.words - new.numberless, old.words - old.numberless
    if not (numbers and others) or numbers == others:
        return False
    if jaccard(new.numberless, old.numberless) >= _SIMILAR:
        return True
    return bool(_units(new) & _units(old)) and new.numberless - old.language.time_words <= old.numberless


def _units(item: Statement) -> frozenset[str]:
    """What is counted: the word after a number."""
    return frozenset().union(*(tokens(word) for word in re.findall(r"\d[\d.,]*\s?([^\W\d]+)", item.text)))


def _other_attitude(new: Statement, old: Statement) -> bool:
    """The same object, loved then and hated now; or the same state, denied now."""
    opinions = new.attribute == old.attribute == "sentiment"
    if not opinions and new.negated == old.negated:
        return False
    left, right = _object(new), _object(old)
    return overlap(left, right) >= (_SAME_OBJECT if opinions else 1.0)


def _object(item: Statement) -> frozenset[str]:
    text = item.text
    for _, cue in item.language.attributes[-1:]:
        text = cue.sub(" ", text)
    text = item.language.negation.sub(" ", text)
    if item.language.code == "zh":  # words are not spaced: taken out of the text, or every pair of characters changes
        for word in sorted(item.language.time_words, key=len, reverse=True):
            text = text.replace(word, " ")
        return tokens(text)
    return tokens(text) - item.language.time_words


def _other_value(new: Statement, old: Statement) -> bool:
    """Another value of what has one at a time: "Production region is …", or a name each: "CRM is …"."""
    left, right = tokens(new.before_is), tokens(old.before_is)
    if not left or left != right or new.relatives:
        return False
    functional = {word for noun in new.language.functional for word in tokens(noun)}
    return bool(left & functional) or (_is_named(new) and _is_named(old))


def _is_named(item: Statement) -> bool:
    """Whether the statement gives a name or another specific value right after "is"."""
    predicate = item.text[len(item.before_is) :]
    copula = item.language.copula.match(predicate)
    start = copula.end() if copula else 0
    return any(value.start - start <= 1 for value in values_in(predicate, item.language) if value.start >= start)


def _other_tool(new: Statement, old: Statement) -> bool:
    """Another tool for the same purpose: "… for CI"; or another one of a kind of which people use one."""
    purpose, other = (item.language.purpose.search(item.text) for item in (new, old))
    if purpose and other and new.language.using.search(new.text) and old.language.using.search(old.text):
        return tokens(purpose.group("purpose")) == tokens(other.group("purpose"))
    kinds, others = (
        {kind for word in item.text.split() if (kind := known_category(word.strip(".,()"))) in _ONE_TOOL}
        for item in (new, old)
    )
    return bool(kinds & others) and bool(new.language.using.search(new.text) and old.language.using.search(old.text))


def _other_choice(new: Statement, old: Statement) -> bool:
    """Another way of answering, for the same occasions: paragraphs instead of bullet points."""
    if new.negated or old.negated:
        return False
    differs = any(
        mine and theirs and mine != theirs for mine, theirs in zip(choices(new.text), choices(old.text), strict=False)
    )
    left, right = (tokens(without_choices(item.text)) - _WISHES for item in (new, old))
    return differs and (not left or not right or bool(left & right))


_WISHES = tokens(
    "prefers prefer wants likes always use write answer answers keep go back now instead response responses "
    "reply replies "
    "have get give using prefiere siempre usa escribe respuestas respuesta tener que ahora 喜欢 偏好 希望 "
    "更喜欢 现在 回答 回复"
)
