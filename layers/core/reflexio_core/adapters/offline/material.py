"""Text that a user hands over to be worked on. It is somebody's words about somebody, never a statement of the user."""

import re
from collections.abc import Iterator

from reflexio_core.adapters.offline.languages.lexicon import words

_COURTESY = (
    r"(?:(?:please|pls|hi|hey|hello|ok|okay|now|then|and|so|next|also|thanks|can you|could you|would you|will you|"
    r"I need you to|I want you to|I'd like you to|help me(?: to)?|let's|quickly|just|por favor|hola|ahora|puedes|"
    r"podrías|me puedes|me podrías|ayúdame a|necesito que|quiero que|请|麻烦|帮我|请帮我|能否|你?能不能|"
    r"可以)[\s,，¿¡]*){0,4}"
)
_START = rf"(?:^|(?<=[.!?。！？\n,，;；])\s*|[¿¡]){_COURTESY}"
# Verbs that only make sense with a text; what follows their colon is that text.
_TEXT_VERBS = (
    r"(?:re-?translate|translate|summari[sz]e|sum up|tl;?dr|proofread|proof-read|spell-?check|paraphrase|rephrase|"
    r"re-?write|re-?word|transcribe|edit|polish|shorten|condense|caption|classify|categori[sz]e|"
    r"tradúce\w*|traduce\w*|traducir\w*|traduzcas?|resume\w*|resúme\w*|resumir\w*|resumas|reescribe\w*|reescríbe\w*|"
    r"reescribir\w*|parafrase\w*|transcribe\w*|corrige\w*|corríge\w*|corregir\w*)(?![\w'])"
)
# Verbs of any work: with these, the text has to be pointed at.
_WORK_VERBS = (
    r"(?:fix|correct|improve|check|review|read|explain|analy[sz]e|answer|reply|respond|interpret|parse|extract|format|"
    r"convert|clean up|comment on|look at|see|consider|grade|simplify|expand|continue|finish|complete|compare|make|"
    r"what do you think (?:of|about)|what does|what is wrong with|revisa\w*|revísa\w*|responde\w*|contesta\w*|"
    r"explica\w*|"
    r"explíca\w*|analiza\w*|mejora\w*|mejóra\w*|lee|mira|arregla\w*)(?![\w'])"
)
_NOUNS = words(
    "text texts email emails e-mail mail message messages letter paragraph paragraphs sentence sentences passage post "
    "tweet article note notes draft ticket comment comments transcript chat conversation thread poem story "
    "bio resume cv "
    "snippet log logs statement abstract essay announcement quote report memo document excerpt page script "
    "lyrics review "
    "reviews feedback complaint answer reply input prompt code query function error "
    "texto correo mensaje mensajes carta párrafo frase frases artículo nota notas borrador documento reseña comentario "
    "conversación poema código consulta informe"
)
_POINTED = (
    rf"(?:this|these|the following|the below|below|following|(?:the|my|his|her|their|our|a|an)\s(?:\w+\s){{0,2}}"
    rf"(?:{_NOUNS})\b|est[aeo]s?\b|lo siguiente|(?:el|la|los|las|mi)\s(?:\w+\s)?(?:siguiente\b|(?:{_NOUNS})\b))"
)
# "Summarise like this: short bullets" says how, not what.
_MANNER = (
    r"(?!\s{0,2}(?:like this|like so|as follows|this way|in this (?:style|way|format)|así|de esta (?:forma|manera)))"
)
_GAP = rf"(?:{_MANNER}[^.!?:\n。！？：]){{0,90}}?"
_MARK = r"[ \t]*(?:[:：][ \t]*|[ \t][—–-]+[ \t]+|[.?!。？]?[ \t]*\n\s*)"

_HANDED_OVER = (
    re.compile(rf"{_START}{_TEXT_VERBS}{_GAP}[:：]\s*", re.IGNORECASE | re.MULTILINE),
    re.compile(
        rf"{_START}(?:{_TEXT_VERBS}|{_WORK_VERBS})(?:{_GAP}\s)?{_POINTED}{_GAP}{_MARK}", re.IGNORECASE | re.MULTILINE
    ),
    # Without a mark: "translate I live in Paris to German".
    re.compile(
        rf"{_START}(?:translate|traduce)\s(?:(?:this|to \w+|into \w+|esto|al? \w+)\s)?(?=(?:I|I'm|we|my|our|yo|mi)\b)",
        re.IGNORECASE | re.MULTILINE,
    ),
    re.compile(
        rf"(?:^|(?<=[.!?\n]))\s*(?:here(?:'s| is| are)|below is|this is what|(?:aquí (?:está|tienes|va)|"
        rf"te paso))\s{_GAP}"
        rf"(?:(?:{_NOUNS})\b|\b(?:says?|said|wrote|writes|sent|dice|escribió)\b){_GAP}{_MARK}",
        re.IGNORECASE | re.MULTILINE,
    ),
    re.compile(
        rf"(?:^|(?<=[.!?\n,]))\s*(?:the|my|his|her|their|a|el|la|mi|su)\s(?:\w+\s){{0,3}}?(?:(?:{_NOUNS})\s)?"
        rf"(?:says|said|reads|wrote|writes|dice|decía|escribió)[ \t]*[:：]\s*",
        re.IGNORECASE | re.MULTILINE,
    ),
    re.compile(
        rf"\b(?:write|draft|compose|send|escribe|redacta|manda|envía)\b{_GAP}\b(?:saying|that says|which says|"
        rf"que diga|diciendo)(?:\sthat|\sque)?[ \t]*[:：,]?\s*",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:翻译|总结|概括|改写|润色|校对|修改|缩写|转写|归纳)[^。！？\n：:]{0,30}[：:]\s*"
        r"|(?:回复|解释|分析|检查|看看|阅读|评价|写)(?:一下)?[^。！？\n：:]{0,12}(?:这|下面|以下|下列|邮件|"
        r"文字|文章|段)[^。！？\n：:]{0,16}[：:]\s*"
        r"|(?:下面|以下)是[^。！？\n：:]{0,30}[：:]\s*"
        r"|(?:翻译|总结|概括|改写|润色|校对|回复|解释)[^。！？\n]{0,12}(?:这|下面|以下)[^。！？\n]{0,16}[。]?\n\s*"
    ),
)
_ABOVE = re.compile(
    rf"{_START}(?:{_TEXT_VERBS}|{_WORK_VERBS})\s(?:(?:it|that|this)\b(?=\s+(?:in)?to\s)|{_GAP}\b(?:the|text|"
    rf"all)?\s?above\b)"
    r"|(?:翻译|总结|概括|改写|润色|校对)(?:一下)?(?:上面|以上|上述)|(?:把|将)(?:上面|以上|上述)",
    re.IGNORECASE | re.MULTILINE,
)


def handed_over(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each stretch of ``text`` that is given to be worked on: up to its end with the request in
    front of it, or from its start."""
    found = [match for pattern in _HANDED_OVER if (match := pattern.search(text))]
    if found:
        yield min(match.end() - len(match.group().lstrip()) for match in found), len(text)
    above = _ABOVE.search(text)
    if above and above.start():
        yield 0, above.start()
