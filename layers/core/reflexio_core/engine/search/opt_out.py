"""Queries that ask not to be answered from what is known about the user.

High precision on purpose: a missed phrase costs an unwanted reminder, a false one hides what the user taught. So a
phrase needs a negation, a verb of using and a possessive, and "profile picture" is no profile.
"""

import re

_ENGLISH_NOUN = (
    r"(?:(?:\w+\s+){0,2}(?:profiles?|preferences?|personal\s+(?:data|details|information)|memor(?:y|ies))\b"
    r"(?!\s+(?:picture|photo|pic|page|image|name|url|link|card|file|foam|leak|usage)))"
)
_ENGLISH_WHOSE = r"(?:(?:any\s+of\s+)?my|the\s+user['’]?s|(?:any|all)\s+(?:saved|stored|learned))"

_SPANISH_NOUN = (
    r"(?:\w+\s+){0,2}(?:perfil|preferencias?|datos\s+personales|informaci[oó]n\s+personal|memorias?|recuerdos)\b"
    r"(?!\s+de\s+(?:linkedin|facebook|instagram|usuario))"
)

_CHINESE_NOUN = "(?:资料|档案|偏好|喜好|画像|个人信息|个人数据|记忆|記憶|資料|檔案)"

_PHRASES = (
    re.compile(
        r"(?<!\bthey )(?<!\byou )(?<!\bwe )(?<!\bi )(?<!\bwho )"
        r"(?:\b(?:do\s+not|don['’]?t|never|please\s+avoid)\s+(?:use|consider|look\s+at|apply|rely\s+on|refer\s+to|"
        r"consult|take\s+into\s+account|draw\s+on)"
        r"|\b(?:without|stop|avoid)\s+(?:using|considering|looking\s+at|applying|relying\s+on|referring\s+to|"
        r"consulting|taking\s+into\s+account|drawing\s+on)"
        r"|\b(?:ignore|disregard|leave\s+out))"
        rf"\s+{_ENGLISH_WHOSE}\s+{_ENGLISH_NOUN}"
    ),
    re.compile(
        r"\b(?:(?:no|nunca)\s+(?:uses|utilices|consideres|consultes|apliques|mires|tengas\s+en\s+cuenta|te\s+bases\s+en)"
        r"|sin\s+(?:usar|utilizar|considerar|consultar|aplicar|mirar|tener\s+en\s+cuenta)"
        r"|(?:ignora|omite|deja\s+de\s+usar|evita\s+usar))"
        rf"\s+(?:mis?|ninguna?\s+de\s+mis)\s+{_SPANISH_NOUN}"
    ),
    re.compile(
        "(?:(?:不要|别|別|请勿|請勿|勿|无需|無需|不必|不准)(?:再)?(?:使用|利用|参考|參考|考虑|考慮|依据|根据|根據|查看|读取|按照|用)"
        f"|忽略|无视|無視|抛开)(?:我的|用户的|用戶的)[^，。,.!?！？]{{0,4}}?{_CHINESE_NOUN}"
    ),
)


def opts_out(query: str) -> bool:
    """Whether the query asks for an answer without the user's profile or preferences (English, Spanish, Chinese)."""
    folded = " ".join(query.casefold().split())
    return any(phrase.search(folded) for phrase in _PHRASES)
