"""Turn the persons of a statement around: it is stored without its speaker, so "me" and "you" would mean nobody."""

import re

from reflexio_core.adapters.offline.languages import Language
from reflexio_core.adapters.offline.languages.en_verbs import third_person

_Rules = tuple[tuple[re.Pattern[str], str], ...]

# Case matters: "US" and "Mine" may be names.
_EN_AGENT: _Rules = (
    (re.compile(r"\b(?:you're|you are)\b"), "the agent is"),
    (re.compile(r"\b(?:you've|you have)\b"), "the agent has"),
    (re.compile(r"\byou (don't|do not)\b"), "the agent does not"),
    (re.compile(r"\byou'll\b"), "the agent will"),
    (re.compile(r"\byour\b"), "the agent's"),
    (re.compile(r"\byourself\b"), "itself"),
)
_EN_YOU_VERB = re.compile(r"\byou (?!to\b|in\b|on\b|at\b|for\b|and\b|or\b|not\b|the\b|a\b|about\b)((?:\w+ly )?)(\w+)")
_MODALS = frozenset(["can", "could", "will", "would", "should", "must", "may", "might", "did", "had", "was", "were"])
_EN_USER: _Rules = (
    (re.compile(r"\b(?:I'm|I am|we're|we are)\b"), "they are"),
    (re.compile(r"\b(?:I've|we've)\b"), "they have"),
    (re.compile(r"\b(?:I|we)\b(?!/)"), "they"),
    (re.compile(r"\b(?:my|our)\b"), "their"),
    (re.compile(r"\b(?:mine|ours)\b"), "theirs"),
    (re.compile(r"\b(?:me|us)\b"), "them"),
    (re.compile(r"\b(?:myself|ourselves)\b"), "themselves"),
)
_EN_INSTRUCTION: _Rules = (
    (re.compile(r"\b(?:my|our)\b"), "the user's"),
    (re.compile(r"\b(?:me|us)\b"), "the user"),
    (re.compile(r"\b(?:I'm|I am|we're|we are)\b"), "the user is"),
)
_ES: _Rules = (
    (re.compile(r"\bque (no )?(?:me|nos) (\w+[ae])s\b"), r"que el agente \1le \2"),
    (re.compile(r"\bque (no )?(\w{2,}[ae])s\b(?=\s)"), r"que el agente \1\2"),
    (re.compile(r"\bmi (?=\w)"), "su "),
    (re.compile(r"\bmis (?=\w)"), "sus "),
    (re.compile(r"\bnuestr(?:o|a) (?=\w)"), "su "),
    (re.compile(r"\bnuestr(?:o|a)s (?=\w)"), "sus "),
    (re.compile(r"\bconmigo\b"), "con el usuario"),
)
_ES_INSTRUCTION: _Rules = (*_ES[2:], (re.compile(r"(?<=\w[aeiou])me\b(?=\s(?:antes|primero|siempre)\b)"), "le"))
_ZH: _Rules = (
    (re.compile("(?:你|您)们?的?(?=回答|回复|解释|语气)"), "助手的"),
    (re.compile("你|您"), "助手"),
    (re.compile("我们?|咱们?"), "用户"),
)
_LEFT = {
    "en": re.compile(r"\b(?:you|your)\b", re.IGNORECASE),
    "es": re.compile(r"\b(?:te|tú|contigo|tuy[oa]s?|tus?)\b(?! (?:y|o|en vez)\b)"),
    "zh": re.compile("你|您"),
}


def of_statement(text: str, language: Language) -> str:
    """A statement about the user, whose subject is left out: "Hates when the agent apologises"."""
    if language.code == "es":
        return _each(_ES, text)
    if language.code == "zh":
        return _each(_ZH, text)
    return _each(_EN_USER, _agent_acts(text))


def of_instruction(text: str, language: Language) -> str:
    """An instruction to the agent: "… without asking the user first"."""
    if language.code == "es":
        return _each(_ES_INSTRUCTION, text)
    if language.code == "zh":
        return _each(_ZH, text)
    return _each(_EN_INSTRUCTION, _agent_acts(text))


def addresses_somebody(text: str, language: Language) -> bool:
    """Whether a second person is left in ``text``: a statement that nobody could read later."""
    return bool(_LEFT[language.code].search(text))


def _agent_acts(text: str) -> str:
    def acts(match: re.Match[str]) -> str:
        adverb, verb = match.groups()
        said = verb if verb in _MODALS or verb.endswith(("ed", "ing")) else third_person(verb)
        return f"the agent {adverb}{said}"

    text = _EN_YOU_VERB.sub(acts, _each(_EN_AGENT, text))
    return re.sub(r"\byou\b", "the agent", text)


def _each(rules: _Rules, text: str) -> str:
    for before, after in rules:
        text = before.sub(after, text)
    return text
