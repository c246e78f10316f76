"""What a user says in confidence: asked not to be kept, a turn is not learned from, whatever it states."""

import re
from collections.abc import Iterable

from reflexio_core.tasks.transcript import Turn

_END = r"(?=\s*(?:$|[.,:;!?)—–\n-]|but\b|please\b|because\b|anywhere\b|in your\b|about me\b|though\b|ok(?:ay)?\b))"
_REQUEST = re.compile(
    r"\b(?:do(?:n't|n’t| not)|never|please not to|rather not have you|without)\s+(?:you\s+)?(?:ever\s+)?"
    r"(?:remember(?:ing)?|stor(?:e|ing)|sav(?:e|ing)|record(?:ing)?|memori[sz](?:e|ing)|not(?:e|ing) down|"
    r"writ(?:e|ing)(?: down)?|learn(?:ing)?|log(?:ging)?|retain(?:ing)?)\s+"
    rf"(?:(?:this|that|it|these)(?: down)?|any of (?:this|that|it)|what (?:I|follows|comes)[^.!?\n]{{0,40}}?|"
    rf"the following|"
    rf"the (?:next|last) (?:part|bit|thing|sentence)){_END}"
    r"|\bforget (?:what|everything|all) I(?:'ve| have)? just (?:said|told you|wrote)\b"
    r"|\boff the record\b|\bthis (?:stays|is|remains) (?:just )?between (?:us|you and me)\b|"
    r"\b(?:just )?between you and me\b"
    r"|\bkeep (?:this|that|it) (?:between us|to yourself|private|confidential|secret|out of your memory)\b"
    r"|\bnot for the record\b|\bentre nous\b|\b(?:in (?:strict )?confidence|confidentially)(?=\s*[,:])"
    r"|\bentre (?:nosotr[oa]s|tú y yo)(?=\s*[,:;.!]|$)|\bque quede (?:esto )?entre\b|\bextraoficialmente\b"
    r"|\bno (?:lo |la |los |las )?(?:recuerdes|guardes|memorices|registres|anotes|apuntes|almacenes|grabes)"
    r"(?:\s+(?:esto|eso|nada(?: de (?:esto|eso))?|lo (?:siguiente|que)[^.!?\n]{0,40}?))?(?=\s*(?:$|"
    r"[.,:;!?)\n]|pero\b|por favor))"
    r"|\b(?:en confianza|confidencialmente)(?=\s*[,:])|\bque no (?:conste|salga de aquí)\b"
    r"|(?:不要|别|不用|请勿|无需|不必)(?:帮我|给我)?(?:记住?|记录|保存|存储|记下来?|存下来?|存)(?:这个?|这些|"
    r"这件事|这条|这句话?|这段话?|下面的?(?:话|内容)?|它|下来|了)?"
    r"(?=\s*(?:$|[，。：:,！!；;\n]|但|因为))"
    r"|(?:这件?事?|这话|下面的话)?(?:只是)?(?:你知我知|别说出去|别告诉别人|仅限我们之间|私下说|私下跟你说|"
    r"不要外传|保密)",
    re.IGNORECASE | re.MULTILINE,
)
_REST = 12  # characters: a turn with less than this beside the request says nothing else and means the turn before


def confided(turns: Iterable[Turn]) -> frozenset[str]:
    """Labels of the user turns that are asked not to be kept. A bare request covers the user's turn before it."""
    found: set[str] = set()
    latest: dict[str, str] = {}  # the user's last turn of each session
    for turn in turns:
        if not turn.is_user:
            continue
        if _REQUEST.search(turn.text):
            found.add(turn.label)
            if turn.session in latest and _is_bare(turn.text):
                found.add(latest[turn.session])
        latest[turn.session] = turn.label
    return frozenset(found)


def _is_bare(text: str) -> bool:
    return len(_REQUEST.sub("", text).strip()) < (_REST // 3 if re.search(r"[\u4e00-\u9fff]", text) else _REST)
