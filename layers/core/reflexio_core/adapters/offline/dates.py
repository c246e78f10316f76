"""Relative dates, resolved with the time and zone of the turn that holds them; and how long a statement stays true."""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta

from reflexio_core.adapters.offline.languages import Language
from reflexio_core.tasks.extract import TimeToLive

_DAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday lunes 周一 星期一",
            "tuesday martes 周二 星期二",
            "wednesday miércoles 周三 星期三",
            "thursday jueves 周四 星期四",
            "friday viernes 周五 星期五",
            "saturday sábado 周六 星期六",
            "sunday domingo 周日 星期日 星期天",
        )
    )
    for name in names.split()
}
_DAY_NAMES = "|".join(sorted(_DAYS, key=len, reverse=True))
_FIXED: tuple[tuple[str, int], ...] = (
    (r"\bday after tomorrow\b|\bpasado mañana\b|后天", 2),
    (r"\bday before yesterday\b|\banteayer\b|前天", -2),
    (r"\btomorrow\b|(?<!la )(?<!esta )(?<!por la )\bmañana\b(?! por)|明天", 1),
    (r"\byesterday\b|\bayer\b|昨天", -1),
    (r"\b(?:today|tonight)\b|\bhoy\b|今天|今晚", 0),
)


def _shift(days: int) -> Callable[[re.Match[str], date], str]:
    return lambda _match, today: (today + timedelta(days=days)).isoformat()


def _in_days(match: re.Match[str], today: date) -> str:
    count = int(match.group("n") or match.group("n2") or match.group("n3"))
    back = match.group("n2") is not None
    return (today + timedelta(days=-count if back else count)).isoformat()


def _weekday(match: re.Match[str], today: date) -> str:
    ahead = (_DAYS[match.group("day").casefold()] - today.weekday() - 1) % 7 + 1
    return (today + timedelta(days=ahead)).isoformat()


def _last_month(match: re.Match[str], today: date) -> str:
    month = f"{(today.replace(day=1) - timedelta(days=1)):%Y-%m}"
    return _within(match.group(), month)


def _last_year(match: re.Match[str], today: date) -> str:
    return _within(match.group(), str(today.year - 1))


def _within(said: str, period: str) -> str:
    """A period in the language it was said in."""
    return f"in {period}" if said.startswith("last") else f"en {period}" if said.startswith("el") else period


_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], str]], ...] = (
    *((re.compile(expression, re.IGNORECASE), _shift(days)) for expression, days in _FIXED),
    (
        re.compile(
            r"\bin (?P<n>\d{1,3}) days\b|\b(?P<n2>\d{1,3}) days ago\b|\bdentro de (?P<n3>\d{1,3}) días\b", re.IGNORECASE
        ),
        _in_days,
    ),
    (re.compile(rf"(?:\b(?:next|this|el próximo|el)\s|下|这)(?P<day>{_DAY_NAMES})(?!\w)", re.IGNORECASE), _weekday),
    (re.compile(r"\b(?:last month|el mes pasado)\b|上个月", re.IGNORECASE), _last_month),
    (re.compile(r"\b(?:last year|el año pasado)\b|去年", re.IGNORECASE), _last_year),
)


def resolved(text: str, time: str) -> str:
    """``text`` with "tomorrow", "next Friday", "last month" as dates; unchanged when ``time`` is not a date."""
    try:
        today = datetime.fromisoformat(time).date()
    except ValueError:
        return text
    for pattern, to_text in _RULES:
        text = pattern.sub(lambda match, say=to_text: say(match, today), text)  # type: ignore[misc]
    return text


def time_to_live(text: str, language: Language) -> TimeToLive:
    """How long a statement holds, from its own cues; for ever without one."""
    for pattern, duration in language.durations:
        if pattern.search(text):
            return duration  # type: ignore[return-value]
    return "infinity"
