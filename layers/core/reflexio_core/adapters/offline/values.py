"""Specific values in a text and the category each belongs to.

A playbook names categories ("confirm the region"), never somebody's value. The category follows from a value's surface
form (a cloud region, a path, an amount), from a small list of well-known names, or from the noun beside it.
"""

import re
from dataclasses import dataclass
from re import Pattern

from reflexio_core.adapters.offline.almanac import DAY_OF_MONTH, is_public
from reflexio_core.adapters.offline.languages import Language
from reflexio_core.adapters.offline.languages.lexicon import entries

_FORMS: tuple[tuple[str, Pattern[str]], ...] = (
    ("url", re.compile(r"\bhttps?://[^\s,，。]{3,300}|\bwww\.[^\s,，。]{3,200}")),
    ("email", re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}\b")),
    (
        "region",
        re.compile(
            r"\b(?:[a-z]{2}-(?:gov-)?(?:north|south|east|west|central){1,2}-\d|(?:us|europe|asia|"
            r"australia|africa|me|northamerica|southamerica)-[a-z]{4,14}\d{1,2}(?:-[a-f])?|(?:east|"
            r"west|north|south|central)(?:us|europe|asia|india)\d?)\b"
        ),
    ),
    (
        "date format",
        re.compile(
            r"\b(?:DD|MM|YYYY|YY|dd|mm|yyyy|yy|AAAA)(?:[-/.](?:DD|MM|YYYY|YY|dd|mm|yyyy|yy|AAAA))"
            r"{1,2}\b|\bISO[ -]?8601\b"
        ),
    ),
    ("date", re.compile(r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b|\d{1,2}月\d{1,2}[日号]")),
    ("day", DAY_OF_MONTH),
    ("time", re.compile(r"\b\d{1,2}:\d{2}\b(?:\s?[ap]\.?m\.?)?|\b\d{1,2}\s?[ap]\.?m\.?\b|\d{1,2}点(?:半|钟)?")),
    (
        "amount",
        re.compile(
            r"[$€£¥]\s?\d[\d.,]*\d|[$€£¥]\s?\d|\b\d[\d.,]*\s?(?:[€£¥]|(?:USD|EUR|GBP|euros?|dollars?|"
            r"pounds?|d[óo]lares|pesos)\b)|\d[\d.,]*\s?(?:元|块|美元|欧元)"
        ),
    ),
    (
        "currency",
        re.compile(
            r"\b(?:USD|EUR|GBP|JPY|CNY|CHF|NOK|SEK|DKK|CAD|AUD|MXN|BRL|INR|KRW|PLN|CZK|ARS|COP|CLP)\b|人民币|"
            r"美元|欧元|日元"
        ),
    ),
    (
        "path",
        re.compile(
            r"(?<=\bin )[\w.-]{1,80}(?:/[\w.-]{1,80}){1,8}/?|(?<=\bunder )[\w.-]{1,80}(?:/[\w.-]{1,80}){1,8}/?|"
            r"(?<=\ben )[\w.-]{1,80}(?:/[\w.-]{1,80}){1,8}/?|(?<![\w/])(?:~|"
            r"\.{1,2})?/[\w.@-]{1,80}(?:/[\w.@-]{1,80}){0,12}/?|\b[A-Z]:\\[\w\\. -]{1,200}"
        ),
    ),
    (
        "file",
        re.compile(
            r"\b[\w-]{1,80}\.(?:py|js|ts|tsx|jsx|go|rs|java|rb|md|txt|json|ya?ml|toml|csv|xlsx?|docx?|"
            r"pdf|sql|sh|tf|env|html|css|lock|ini|cfg|log)\b"
        ),
    ),
    (
        "version",
        re.compile(
            r"\bv\d{1,4}(?:\.\d{1,5}){0,3}\b|\b\d{1,4}\.\d{1,5}(?:\.\d{1,5}){1,2}\b|(?<=[A-Za-z] )"
            r"\d{1,3}(?:\.\d{1,3})?\b(?!\s?(?:%|:|/))"
        ),
    ),
    (
        "identifier",
        re.compile(
            r"`[^`\n]{1,80}`|\b[a-z][a-z0-9]*(?:_[a-z0-9]+){1,6}\b|\b[a-z]+(?:[A-Z][a-z0-9]+){1,5}\b|"
            r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+){1,6}\b|\b[A-Z]{2,5}-\d{1,6}\b"
        ),
    ),
    ("quantity", re.compile(r"\b\d[\d.,]*\b|(?<![A-Za-z\d])\d+(?!\d*月)")),
)

_KNOWN: dict[str, str] = {
    "package manager": "npm pnpm yarn bun pip pipenv poetry uv conda cargo brew apt composer bundler maven gradle",
    "test runner": "jest vitest mocha pytest unittest rspec junit cypress playwright testify nose",
    "formatter": "black ruff prettier eslint flake8 gofmt rustfmt pylint biome yapf",
    "editor": "vim neovim emacs vscode sublime nano helix intellij pycharm eclipse xcode",
    "database": "postgres postgresql mysql mariadb sqlite mongodb redis dynamodb oracle cassandra snowflake "
    "bigquery clickhouse",
    "message broker": "kafka rabbitmq nats sqs pulsar activemq",
    "framework": "react vue angular svelte django flask fastapi rails laravel spring nextjs express",
    "ci system": "jenkins buildkite circleci travis teamcity drone",
    "cloud": "aws azure gcp heroku fly.io vercel netlify digitalocean",
    "tool": "docker podman kubectl terraform pulumi ansible helm slack teams zoom jira linear notion excel libreoffice",
    "format": "json yaml toml xml csv markdown pdf html parquet avro protobuf latex",
    "programming language": "python javascript typescript java kotlin rust golang ruby php perl scala",
    "language": (
        "english spanish chinese french german italian portuguese japanese korean dutch polish catalan "
        "inglés español francés alemán italiano portugués chino japonés catalán 中文 英文 英语 日文 日语 法语 "
        "castellano gallego euskera 德语 西班牙语 汉语"
    ),
    "branch": "main master develop trunk",
    "unit": "kilometres kilometers miles metres meters yards feet inches celsius fahrenheit pounds kilograms "
    "grams cups metric imperial gramos tazas kilos litros kilómetros millas pulgadas 公里 英里 公斤 磅 摄氏度 华氏度",
}
_NAMING_STYLES = frozenset(
    {"snake_case", "camelcase", "pascalcase", "screaming_snake_case", "upper_case", "lower_case"}
)
_VERSIONED = frozenset({"database", "message broker", "framework", "programming language", "package manager", "tool"})
_ITS_VERSION = re.compile(r"\s(?:v|version |versión )?\d{1,4}(?:\.\d{1,5}){0,3}\b(?![%:/.]\d|\s?%)", re.IGNORECASE)
_CATEGORY_OF = {name: category for category, names in _KNOWN.items() for name in names.split()}
_KNOWN_WORD = re.compile(
    "|".join(
        rf"\b{re.escape(name)}\b" if name.isascii() else re.escape(name)
        for name in sorted(_CATEGORY_OF, key=len, reverse=True)
    ),
    re.IGNORECASE,
)
_PROPER = re.compile(
    r"(?<![.!?:…]\s)(?<![¡¿\"“])(?<=[\s(\"'（，])[A-ZÀ-ÖØ-ÞŁŚŻŠČŽ][\w'’.&-]{1,40}(?:\s(?:(?:de|del|la|of|"
    r"e|y|&)\s)?[A-ZÀ-ÖØ-ÞŁŚŻŠČŽ][\w'’.&-]{1,40}){0,4}|(?<=[\u4e00-\u9fff])\s?[A-Za-z][\w.-]{1,40}"
)
_NOT_PROPER = entries("I I'm I'll I've Always Never Please Use Don't PR CI CD API SQL URL ID UI CSV PDF AM PM")
_DETERMINER = re.compile(
    r"\b(?:the|an?|my|our|your|this|that|any|every|each|el|la|los|las|una?|mi|tu|su)\s+(?:\w+\s+){0,2}$", re.IGNORECASE
)
_FLOW_WORDS = entries("main master develop trunk")
_BRANCH_TALK = re.compile(
    r"\b(?:PRs?|push\w*|merg\w*|branch\w*|commit\w*|pull|rebas\w*|ram[ae]s?|sub\w+|fusion\w+)\b|分支|合并|推送|提交",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Value:
    """A specific value at ``start:end`` of the text it was found in."""

    text: str
    category: str
    start: int
    end: int


def values_in(text: str, language: Language) -> list[Value]:
    """Values of ``text`` in order, none overlapping; the more telling form wins."""
    found: list[Value] = []

    def add(category: str, start: int, end: int) -> None:
        if all(end <= other.start or start >= other.end for other in found):
            found.append(Value(text[start:end].strip("`"), category, start, end))

    for category, form in _FORMS[:-3]:
        for match in form.finditer(text):
            add(category, *match.span())
    for match in _KNOWN_WORD.finditer(text):
        category = _CATEGORY_OF[match.group().casefold()]
        if match.group().casefold() not in _FLOW_WORDS or _BRANCH_TALK.search(text):
            version = _ITS_VERSION.match(text, match.end()) if category in _VERSIONED else None
            add(category, match.start(), version.end() if version else match.end())
    for match in _PROPER.finditer(text):
        start = match.start() + len(match.group()) - len(match.group().lstrip())
        name = match.group().strip()
        # Capitals throughout are keywords and acronyms, not names.
        if name not in _NOT_PROPER and not name.isupper() and not is_public(name):
            add(_category_nearby(text, start, match.end(), language) or "name", start, match.end())
    for category, form in _FORMS[-3:]:
        for match in form.finditer(text):
            if match.group().casefold() in _NAMING_STYLES:
                continue
            named = _category_nearby(text, *match.span(), language) if category == "identifier" else None
            if not match.group().isdigit() or category != "version" or _names_product(text[: match.start()]):
                add(named or category, *match.span())
    return sorted(found, key=lambda value: value.start)


def abstracted(text: str, language: Language) -> str:
    """``text`` with each value replaced by its category's noun; a noun that stands beside it already is not doubled."""
    parts: list[str] = []
    position = 0
    for value in values_in(text, language):
        noun = language.categories[value.category]
        before = text[position : value.start]
        beside = _beside(value, text, noun)
        parts.append(before.rstrip() if beside else before)
        if not beside:
            parts.append(noun if language.code == "zh" or _DETERMINER.search(before) else _determined(noun, language))
        position = value.end
    return re.sub(r"\s{2,}", " ", "".join((*parts, text[position:]))).strip()


def leaves_hole(text: str, language: Language) -> bool:
    """Whether ``text`` says nothing useful without its values: "sign with Jo", but not "deploy to the region X"."""
    return any(not _beside(value, text, language.categories[value.category]) for value in values_in(text, language))


def _beside(value: Value, text: str, noun: str) -> bool:
    before, after = text[: value.start].rstrip().casefold(), text[value.end :].lstrip().casefold()
    return after.startswith(noun.casefold()) or before.endswith(noun.casefold())


def same_category(left: str, right: str) -> bool:
    """Whether two well-known names are alternatives of one kind, such as two package managers."""
    first, second = (_CATEGORY_OF.get(word.casefold()) for word in (left, right))
    return first is not None and first == second


def known_category(word: str) -> str | None:
    """The kind of a well-known name, ``None`` for any other word."""
    return _CATEGORY_OF.get(word.casefold())


def _names_product(before: str) -> bool:
    """Whether a bare number follows the name of something that has versions, as in "Postgres 15"."""
    words = before.split()
    return bool(words) and (words[-1][:1].isupper() or known_category(words[-1]) is not None)


def _determined(noun: str, language: Language) -> str:
    return f"the given {noun}" if language.code == "en" else f"{noun} indicado"


def _category_nearby(text: str, start: int, end: int, language: Language) -> str | None:
    """The category that a noun within three words on either side names."""
    before = re.findall(r"\w+", text[max(0, start - 40) : start].casefold())[-3:]
    after = re.findall(r"\w+", text[end : end + 24].casefold())[:1]
    for word in (*after, *reversed(before)):
        if word in language.nouns:
            return language.nouns[word]
    if language.code == "zh":
        around = text[max(0, start - 8) : end + 8]
        return next((category for noun, category in language.nouns.items() if noun in around), None)
    return None
