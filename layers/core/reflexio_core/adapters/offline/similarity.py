"""Compare short statements by their content words: no model, the same answer on every machine."""

import re
import unicodedata

from reflexio_core.adapters.offline.languages import EN, ES

_WORD = re.compile(r"[^\W_]+(?:[.,:@/'’-][^\W_]+)*")
_HAN_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")
_STOP = EN.function_words | ES.function_words
_SUFFIXES = ("ing", "ies", "ed", "es", "s", "os", "as")
_MIN_STEM = 3
_MIN_ROOT = 5
_MAX_ENDING = 2


def tokens(text: str) -> frozenset[str]:
    """Content words, stemmed and without accents; Chinese as pairs of characters, numbers as they stand."""
    found: set[str] = set()
    for run in _HAN_RUN.findall(text):
        found.update(run[i : i + 2] for i in range(max(1, len(run) - 1)))
    for word in _WORD.findall(_HAN_RUN.sub(" ", text).casefold()):
        if word not in _STOP:
            found.add(_stem(word))
    return frozenset(found)


def akin(left: str, right: str) -> bool:
    """Whether two content words are forms of one, such as "allergy" and "allergic"."""
    longest = min(len(left), len(right))
    shared = next((at for at in range(longest) if left[at] != right[at]), longest)
    return left == right or (shared >= _MIN_ROOT and max(len(left), len(right)) - shared <= _MAX_ENDING)


def is_number(token: str) -> bool:
    """Whether a token carries a digit."""
    return any(map(str.isdigit, token))


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Share of the smaller set that the larger one holds; 0.0 when either is empty."""
    return len(left & right) / min(len(left), len(right)) if left and right else 0.0


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Shared words among all words; 0.0 when both are empty."""
    return len(left & right) / len(left | right) if left or right else 0.0


def _stem(word: str) -> str:
    plain = "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))
    if is_number(plain):
        return plain
    for suffix in _SUFFIXES:
        if plain.endswith(suffix) and len(plain) - len(suffix) >= _MIN_STEM:
            plain = plain[: -len(suffix)]
            break
    return plain.rstrip("e") if len(plain) > _MIN_STEM else plain
