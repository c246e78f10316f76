"""Words of the public calendar. They are nobody's value, so a lesson keeps them: "avoid deploying on Fridays".

Short forms that are people's names as well (Jan, Sun) are left out. A day of a month ("March 5") is a value.
"""

import re

_MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|December|"
    "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
)
DAY_OF_MONTH = re.compile(
    rf"\b(?:{_MONTHS})\s(?:\d{{4}}|\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s\d{{4}})?)\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\s(?:(?:of|de)\s)?(?:{_MONTHS})\b(?:(?:\sde)?\s\d{{4}}\b)?"
)
"""With or without a year; or a month of a year."""

_WEEKDAYS = (
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|"
    "lunes|martes|miércoles|jueves|viernes|sábados?|domingos?"
)
_HOLIDAYS = (
    r"Christmas(?:\s(?:Eve|Day))?|Boxing\sDay|(?:Lunar\s|Chinese\s)?New\sYear(?:['’]?s)?(?:\s(?:Eve|Day))?|"
    r"Good\sFriday|Black\sFriday|Cyber\sMonday|Easter(?:\s(?:Sunday|Monday))?|Thanksgiving(?:\sDay)?|Labou?r\sDay|"
    r"Halloween|Hanukkah|Passover|Ramadan|Diwali|Navidad(?:es)?|Nochebuena|Nochevieja|Año\sNuevo|Semana\sSanta|"
    r"Viernes\sSanto"
)
_PARTS = "Mornings?|Afternoons?|Evenings?|Nights?|Weekends?"
_WORD = rf"(?:{_HOLIDAYS}|{_WEEKDAYS}|{_MONTHS}|{_PARTS})"
_WORDS = re.compile(rf"{_WORD}(?:\s(?:(?:de|del|la|of|e|y|&)\s)?{_WORD})*\.?", re.IGNORECASE)


def is_public(name: str) -> bool:
    """Whether ``name``, written like a proper name, is only days, months or holidays."""
    return _WORDS.fullmatch(name) is not None
