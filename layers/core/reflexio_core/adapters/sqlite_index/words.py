"""Text as the full-text index holds it, and queries that no text can break.

Scripts that write without spaces are indexed as characters and pairs of neighbours; everything else is left to the
tokenizer. A query is cut into words here and each is quoted, so that operators, quotes and punctuation of the
caller's text are never read as query syntax.
"""

import hashlib
import re
import unicodedata

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
)
_WORD = re.compile(r"[^\W_]+")
_MOST_TERMS = 64
_MOST_CHARACTERS = 10_000
_STOP_WORDS = frozenset(
    """
    a an and are as at be but by can do does did for from had has have how i if in into is it its me my no not of on
    or our so that the their them then there these they this to up us was we were what when where which who why will
    with would you your
    al como con cual cuando de del donde el ella en entre es esta este la las lo los mi muy o para pero por porque que
    quien se si sin sobre su sus te tu un una uno y ya yo
    的 了 是 我 你 在 和 吗 呢 有 不 什么
    """.split()  # noqa: SIM905 - a list of a hundred short words is read as text
)


def indexed(text: str) -> str:
    """What the tokenizer gets to see of a text."""
    return _UNSPACED.sub(lambda run: f" {' '.join(_pieces(run.group()))} ", _clean(text))


def scope_word(*parts: str) -> str:
    """One word that stands for a tenant's kind, or a user's; ends in a digit, so that stemming leaves it alone."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24] + "0"


def match(scope: str, text: str) -> str | None:
    """An FTS5 query for the words of ``text`` inside a scope, or None if there is no word in it.

    Any of the words may match; the last one also as the beginning of a longer word. Words that say nothing are left
    out unless there are no others.
    """
    terms = _terms(text)
    if not terms:
        return None
    spoken = [term for term in terms if term not in _STOP_WORDS] or terms
    quoted = [f'"{term}"' for term in spoken[:_MOST_TERMS]]
    if spoken[-1] == terms[-1] and len(spoken) <= _MOST_TERMS and len(terms[-1]) > 1 and terms[-1].isascii():
        quoted[-1] += "*"
    return f'scope : "{scope}" AND words : ({" OR ".join(quoted)})'


def _terms(text: str) -> list[str]:
    cleaned = _clean(text)[:_MOST_CHARACTERS].lower()
    found: dict[str, None] = {}
    for word in _WORD.findall(cleaned):
        position = 0
        for run in _UNSPACED.finditer(word):
            found.update(dict.fromkeys(part for part in (word[position : run.start()],) if part))
            pairs = _pairs(run.group())
            found.update(dict.fromkeys(pairs or [run.group()]))
            position = run.end()
        if word[position:]:
            found[word[position:]] = None
    return list(found)


def _pieces(run: str) -> list[str]:
    return [*run, *_pairs(run)]


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _clean(text: str) -> str:
    """NFKC, without NUL (which ends a text for SQLite) and without halves of surrogate pairs."""
    return unicodedata.normalize("NFKC", text.replace("\0", " ")).encode("utf-8", "replace").decode()
