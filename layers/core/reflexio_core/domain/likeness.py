"""How much two short texts have in common by their words: enough to find what a candidate may repeat or change.

Words for scripts with spaces, character pairs for those without. The measure is the share of the smaller set that
the larger one holds (overlap coefficient), so that a long text does not hide a short one inside it.
"""

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_MARKS = str.maketrans(dict.fromkeys("‘’‚‛′", "'") | dict.fromkeys("“”„‟″«»", '"') | dict.fromkeys("‐‑‒–—―−", "-"))
_COMMON_WORDS = (
    "a an the is are was were be been am i my me you your he she it we our they of to in on at for and or not with by "
    "user user's prefers likes el la los las un una de en y es mi su con por para que no se lo"
)
_COMMON = frozenset(_COMMON_WORDS.split())


def terms(text: str) -> frozenset[str]:
    """The words that carry meaning, casefolded; character pairs of unspaced scripts."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    found: set[str] = set()
    for word in _WORD.findall(folded):
        if _UNSPACED.search(word):
            found.update(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        elif word not in _COMMON:
            found.add(word)
    return frozenset(found)


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Share of the smaller set found in the larger one, 0 to 1."""
    if not left or not right:
        return 0.0
    return len(left & right) / min(len(left), len(right))


def same_statement(left: str, right: str) -> bool:
    """Whether two texts say the same to the letter, but for case, spacing and final punctuation."""
    return statement(left) == statement(right)


def statement(text: str) -> str:
    """What a text says to the letter, but for case, spacing and final punctuation: equal for equal statements."""
    return folded(text).rstrip(".!。！ ")


def folded(text: str) -> str:
    """The text without what differs when it is copied: case, spacing, the forms of quotes and dashes."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_MARKS).casefold().split())
