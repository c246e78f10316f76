"""What the rules need to know of a language: word lists and patterns, no logic."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from re import Pattern


def words(text: str) -> str:
    """A regular expression for any one of the space-separated ``text``; ``_`` stands for a space inside an entry."""
    return "|".join(re.escape(word).replace("_", r"\s") for word in sorted(text.split(), key=len, reverse=True))


def entries(text: str) -> frozenset[str]:
    """The space-separated words of ``text``."""
    return frozenset(text.split())


def pattern(expression: str) -> Pattern[str]:
    """Compile, ignoring case."""
    return re.compile(expression, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Phrases:
    """Sentence frames of learnings. Placeholders: task, item, category, good, bad, context, body, topic."""

    value: str  # profile of a corrected value that has a context
    value_alone: str  # the same without context
    rejected_once: str  # the same, said of one occasion
    rejected: str  # appended: what the user rules out
    before: str  # trigger: a task about to start
    when: str  # trigger: while a task runs
    acting: str  # the task, when nothing narrower is known
    answering: str  # the task, when the agent was only talking
    confirm: str  # lesson: ask for a category first
    avoid: str
    instead: str  # lesson: do ``body``, not ``other``
    details: str  # category, when nothing narrower is known
    target: str  # category of a destination
    asked: str  # trigger of an expert's lesson
    cover: str  # lesson from an expert's answer
    corrected: str  # rationales
    preferred: str
    expert: str


@dataclass(frozen=True, slots=True)
class Language:
    """One language. Patterns match a clause from its start unless they say otherwise."""

    code: str
    function_words: frozenset[str]
    clause_break: Pattern[str]
    fillers: Pattern[str]  # at the start of a clause: stripped before anything is read
    scope: Pattern[str]  # "for hotels, I …": what a fact is limited to; group ``scope``
    topic: Pattern[str] | None  # "reports: always …": what an instruction is about; group ``scope``
    trailers: Pattern[str]  # at its end
    question: Pattern[str]
    hypothetical: Pattern[str]  # anywhere in the sentence
    correction: Pattern[str]  # anywhere in the turn: the user puts something right
    facts: tuple[Pattern[str], ...]  # a stated fact, preference or habit
    impersonal: Pattern[str]  # "the staging URL is …": a fact when it puts something right
    not_facts: Pattern[str]  # transient, chat or idiom, though of a fact's form
    continued: Pattern[str] | None  # a clause that leaves out the speaker, named earlier in its sentence
    implied: str  # the subject to supply then
    others: Pattern[str]  # subject is a person who is not family
    solo: Pattern[str]  # the speaker alone is the subject: a habit, no instruction
    own: Pattern[str]  # subject is the speaker
    rendering: tuple[tuple[Pattern[str], str], ...]  # first person -> statement without a subject
    never: Pattern[str]  # directive: what not to do; group ``body``
    always: Pattern[str]  # directive: what to do; group ``body``
    standing: Pattern[str]  # marks a directive as one that lasts
    style: Pattern[str]  # marks a directive as one about answers
    meant: Pattern[str]  # groups ``good`` and ``bad``, either may be missing
    forget: Pattern[str]  # group ``topic``
    forget_everything: Pattern[str]
    verbs: Mapping[str, str]  # any form of a task's verb -> the form that a task is named by
    acting: Pattern[str]  # precedes the verb in what an agent reports; group ``verb``, ``item``
    asking: Pattern[str]  # precedes the verb in what a user requests; group ``verb``, ``item``
    when_clause: Pattern[str]  # "before every commit": group ``when``
    item_end: Pattern[str]  # where a noun phrase ends
    determiners: Pattern[str]
    pronouns: Pattern[str]
    context: Pattern[str]  # in a rejected directive: the noun phrase between verb and value; group ``context``
    toward: Pattern[str]  # precedes a destination
    categories: Mapping[str, str]  # category key -> noun
    category_tasks: Mapping[str, str]  # category key -> the task it belongs to, when none was named
    nouns: Mapping[str, str]  # context noun -> category key
    generic: frozenset[str]  # modifiers that are no proper value of somebody
    durations: tuple[tuple[Pattern[str], str], ...]  # cue -> time to live
    attributes: tuple[tuple[str, Pattern[str]], ...]  # what a statement is about -> cue
    negation: Pattern[str]
    current: Pattern[str]  # says that something holds from now on
    functional: frozenset[str]  # nouns that have one value at a time: a budget, a region
    copula: Pattern[str]  # between what is valued and its value
    using: Pattern[str]  # anywhere: a tool is in use
    purpose: Pattern[str]  # group ``purpose``: what it is used for
    time_words: frozenset[str]  # stems that change no meaning when attitudes are compared
    contrast: Pattern[str]  # "use X instead of Y": what separates the two
    phrases: Phrases
