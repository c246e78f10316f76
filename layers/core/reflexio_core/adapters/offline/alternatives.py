"""Ways of answering of which a person wants one at a time: who asks for another has changed their mind."""

import re

_AXES: tuple[tuple[tuple[str, str], ...], ...] = (
    (
        ("bullets", r"\bbullet(?:ed|s| points?| lists?)?\b|\bviñetas\b|\blistas?\b|\blists?\b|要点|列表|条目"),
        ("paragraphs", r"\bparagraphs?\b|\bprose\b|\bpárrafos?\b|\bprosa\b|段落|整段|散文"),
        ("tables", r"\btables?\b|\btablas?\b|表格"),
    ),
    (
        ("short", r"\b(?:short|brief|concise|terse)\b|\b(?:cort|brev|concis)\w+\b|简短|简洁|简单|短"),
        ("long", r"\b(?:long|detailed|thorough|in-depth|verbose)\b|\b(?:larg|detallad|extens)\w+\b|详细|详尽|长"),
    ),
    (
        ("formal", r"\bformal\b|\busted\b|正式|您"),
        ("informal", r"\b(?:informal|casual|relaxed)\b|\btú\b|\btutee\w*\b|随意|轻松|口语"),
    ),
    (
        ("dark", r"\bdark (?:mode|theme)\b|\b(?:modo|tema) oscuro\b|深色|暗色|夜间模式"),
        ("light", r"\blight (?:mode|theme)\b|\b(?:modo|tema) claro\b|浅色|亮色"),
    ),
    (("tabs", r"\btabs\b"), ("spaces", r"\bspaces\b")),
    (
        ("aisle", r"\baisle\b|\bpasillo\b|过道"),
        ("window", r"\bwindow seats?\b|\bwindow\b(?=.*\bseat)|\bventanilla\b|靠窗"),
    ),
    (("metric", r"\bmetric\b|\bmétric\w+\b|公制"), ("imperial", r"\bimperial(?:es)?\b|英制")),
)
_PATTERNS = tuple(tuple((name, re.compile(form, re.IGNORECASE)) for name, form in axis) for axis in _AXES)
# Chinese words are not spaced: taken out here, or every pair of characters changes.
_UNSPACED_WISHES = re.compile("不?更?喜欢|偏好|希望|现在|以后|回答|回复|给我|一点|得|的|了|用|要")
_WANTS = re.compile(
    r"^(?:\w+\s+){0,2}?(?:prefers?|likes?|wants?|always|use|write|answer|keep|go|switch|give|prefiere|"
    r"le gustan?|siempre|"
    r"usa|escribe|responde|vuelve)\b|^.{0,6}(?:喜欢|偏好|希望|更喜欢|习惯|以后|用|改)",
    re.IGNORECASE,
)


def choices(text: str) -> tuple[str | None, ...]:
    """The way that ``text`` asks for on each axis; ``None`` where it asks for none, or names several."""
    if not _WANTS.search(text):
        return ()
    named = [[name for name, form in axis if form.search(text)] for axis in _PATTERNS]
    return tuple(names[0] if len(names) == 1 else None for names in named)


def without_choices(text: str) -> str:
    """``text`` less the ways that it names: what they are wanted for."""
    for axis in _PATTERNS:
        for _, form in axis:
            text = form.sub(" ", text)
    return _UNSPACED_WISHES.sub(" ", text)
