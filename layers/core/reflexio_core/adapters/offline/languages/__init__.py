"""The languages that the rules read, and how to tell them apart."""

import re

from reflexio_core.adapters.offline.languages.en import EN
from reflexio_core.adapters.offline.languages.es import ES
from reflexio_core.adapters.offline.languages.lexicon import Language
from reflexio_core.adapters.offline.languages.zh import ZH

LANGUAGES = (EN, ES, ZH)

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SPANISH_ONLY = re.compile(r"[¿¡ñáíóú]", re.IGNORECASE)


def language_of(text: str, otherwise: Language = EN) -> Language:
    """The language of a sentence; ``otherwise`` when nothing in it tells."""
    han = len(_HAN.findall(text))
    spoken = [word.casefold() for word in _WORD.findall(text)]
    latin = [word for word in spoken if not _HAN.search(word)]
    if han and han >= len(latin):
        return ZH
    english = sum(word in EN.function_words for word in latin)
    spanish = sum(word in ES.function_words for word in latin) + 0.5 * bool(_SPANISH_ONLY.search(text))
    if english == spanish:
        return ES if len(spoken) > 1 and spoken[0] == "no" and spoken[1] in ES.verbs else otherwise
    return EN if english > spanish else ES


__all__ = ["EN", "ES", "LANGUAGES", "ZH", "Language", "language_of"]
