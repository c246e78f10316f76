"""Text as the full-text index holds it, and queries that no text can break.

Every word is written behind the number of its scope (one user's documents of a kind), so that a search reads the
postings of that scope alone: its cost, and which words count as rare, do not depend on what others store.

Both sides are cut into words by the same rules: compatibility forms are unified, case and diacritics dropped, and
scripts that write without spaces are indexed as characters and pairs of neighbours. A query's words are quoted one by
one, so that operators, quotes and punctuation of the caller's text are never read as query syntax.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence

INDEXED_CHARACTERS = 100_000
"""So much of a text is indexed; a log of a megabyte is found by its beginning. About 30 ms of writing."""

_QUERY_CHARACTERS = 10_000
_MOST_TERMS = 64
_LONGEST_WORD = 64
"""FTS5 does not stem longer ones; base64 and hashes beyond this are found by their beginning."""

_SHORTEST_PREFIX = 3
_SHORTEST_PART = 3

# Thai, Lao, Burmese, Khmer, kana, Han, Hangul: no spaces, or particles glued to every noun.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
# Indic vowel signs are marks, not letters, and belong to their words.
_LETTER = rf"(?:[^\W_{_UNSPACED}]|[\u0900-\u0963\u0966-\u0dff])"
_WORD = re.compile(rf"[{_UNSPACED}]+|{_LETTER}+")
# Matches single words too, so that a long word is passed over in one step.
_JOINED = re.compile(rf"{_LETTER}+(?:[-_./:@'’+]{_LETTER}+)*")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_ENDS_IN_WORD = re.compile(rf"{_LETTER}\Z")

# Latin, Greek and Cyrillic accents, Arabic vowel marks, Hebrew points: often left out by those who write.
_DIACRITICS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u0640]")

_STOP_WORDS = frozenset(
    """
    a about all also am an and any are as at be been but by can could did do does doing done for from had has have he
    her here hers him his how i if in into is it its just like me more most my no not of on or our out please she should
    so some such than that the their them then there these they this those to too up user users very was we were what
    when where which while who whom why will with would you your
    al algo alguna como con cual cuando cuanto de del desde donde dos el ella ellos en entre era es esa ese eso esta
    estas este esto estos fue ha han hasta hay he la las le les lo los mas me mi mis muy nada ni no nos o os otra otro
    para pero por porque que quien quienes se ser si sin sobre son su sus tambien te tiene todo tu tus un una unas uno
    unos usuario ya yo
    什么 怎么 怎样 可以 一个 这个 那个 这些 那些 如何 哪里 哪个 为什 用户
    """.split()  # noqa: SIM905 - two hundred short words are read as text
)
_CHINESE_FUNCTION = frozenset("的了是我你他她它们在和与吗呢吧啊有不也都就这那个么什会能要请让把被给对说")
# The stemmer turns "deploy" into "deploi" and "deployment" into "deploy": without their endings they meet.
_DERIVED = re.compile(r"\b([a-z]*[aeiou]y)(?:ments?|able|ers?|ees?)\b")


def indexed(scope: str, text: str) -> str:
    """The words of a document in order, each behind its scope's number, separated by spaces."""
    return " ".join(scope + word for word in _words(_fold(text[:INDEXED_CHARACTERS])))


def scope_number(tenant: str, kind: str, user_id: str) -> str:
    """The number of a scope, 12 digits. Two scopes may share one, so rows are filtered all the same.

    Digits, since stemming counts vowels: letters before a word would change its stem.
    """
    name = "\0".join((tenant, kind, user_id)).encode("utf-8", "replace")
    return f"{int.from_bytes(hashlib.blake2b(name, digest_size=8).digest()) % 10**12:012d}"


def match(scopes: Sequence[str], text: str) -> str | None:
    """An FTS5 query for the words of ``text`` inside any of the scopes, or None if there is no word in it.

    Any of the words may match; a word that the text breaks off in the middle of also matches longer ones. Words joined
    by punctuation (``us-west-2``, ``e-mail``) are looked for side by side. Words that say nothing are left out, unless
    there are no others: then all of them must stand side by side, as in the name of a band.
    """
    folded = _fold(text[:_QUERY_CHARACTERS])
    terms = _telling_terms(folded)
    if not terms:
        words = list(_query_words(folded))
        if not words:
            return None
        terms = [" ".join(words[:_MOST_TERMS])]
    ends = [""] * len(terms[:_MOST_TERMS])
    if len(terms) <= _MOST_TERMS and _may_go_on(folded, terms[-1]):
        ends[-1] = "*"
    return " OR ".join(
        f'"{" ".join(scope + word for word in term.split())}"{end}'
        for scope in scopes
        for term, end in zip(terms, ends, strict=False)
    )


def _telling_terms(folded: str) -> list[str]:
    compounds = [words for found in _JOINED.findall(folded) if len(words := _WORD.findall(found)) > 1]
    # Inside us-west-2, "us" and "2" alone would find everything; "west" is worth finding.
    parts = {part for compound in compounds for part in compound if len(part) < _SHORTEST_PART}
    phrases = [" ".join(part[:_LONGEST_WORD] for part in compound) for compound in compounds]
    words = [word for word in _query_words(folded) if _tells(word) and word not in parts]
    return list(dict.fromkeys([*phrases, *words]))


def _tells(word: str) -> bool:
    if word in _STOP_WORDS or (len(word) == 1 and word.isascii() and word.isalpha()):
        return False
    return not _CHINESE_FUNCTION.issuperset(word)


def _may_go_on(folded: str, term: str) -> bool:
    """Whether the text may have been cut within its last word. A question mark, say, ends it."""
    word = term.rsplit(" ", 1)[-1]
    return (
        len(word) >= _SHORTEST_PREFIX
        and word.isascii()
        and folded.endswith(word)
        and _ENDS_IN_WORD.search(folded) is not None
    )


def _words(folded: str) -> Iterator[str]:
    for run in _WORD.findall(folded):
        if _IS_UNSPACED.match(run):
            yield from run
            yield from _pairs(run)
        else:
            yield run[:_LONGEST_WORD]


def _query_words(folded: str) -> Iterator[str]:
    for run in _WORD.findall(folded):
        if _IS_UNSPACED.match(run):
            yield from _pairs(run) or [run]
        else:
            yield run[:_LONGEST_WORD]


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _fold(text: str) -> str:
    if text.isascii():
        folded = text.lower()
    else:
        folded = unicodedata.normalize("NFC", _DIACRITICS.sub("", unicodedata.normalize("NFKD", text.casefold())))
    return _DERIVED.sub(r"\1", folded)
