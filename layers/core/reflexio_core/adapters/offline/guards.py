"""What must not be learned from, whatever it says: commands aimed at the memory, and played roles."""

import re
from collections.abc import Iterable, Iterator

from reflexio_core.domain.secrets import contains_secret
from reflexio_core.tasks.transcript import Turn

_INJECTION = re.compile(
    r"\b(?:ignore|disregard|override|bypass|forget)\s+(?:\w+\s+){0,3}(?:instructions?|prompts?|rules|"
    r"guidelines|safety|restrictions)\b"
    r"|\b(?:system prompt|developer mode|jailbreak|new (?:system )?(?:rule|instruction)s?\s?:|you are "
    r"now\b|you must (?:store|remember|obey|always comply))"
    r"|^\s*(?:system|developer|assistant|admin)\s*:|<\|?(?:system|im_start)|\[INST\]|###\s*(?:system|instruction)"
    r"|\b(?:I am|I'm|user is|has|have)\s+(?:an?\s+|the\s+)?(?:admin(?:istrator)?|root|superuser|"
    r"sysadmin)\b(?!\s+(?:at|of|for)\b)"
    r"|\b(?:store|save|write|add|insert)\s+(?:this\s+|it\s+)?(?:in|into|to)\s+(?:your\s+)?(?:long[- ]term\s+)?memory\b"
    r"|\b(?:ignora|olvida|desobedece)\s+(?:\w+\s+){0,3}(?:instrucciones|reglas|normas)\b|"
    r"\bsoy\s+(?:el\s+|la\s+)?administrador\w*\b"
    r"|\bmodo desarrollador\b"
    r"|(?:忽略|无视|忘记|忘掉).{0,12}(?:指令|指示|规则|提示词)|我是(?:系统)?管理员|系统提示词|开发者模式|"
    r"(?:直接|无需).{0,4}(?:批准|授权)|不需要?(?:确认|验证|询问)",
    re.IGNORECASE | re.MULTILINE,
)
_UNCHECKED = re.compile(
    r"\b(?:without|skip(?:ping)?)\s+(?:asking|any (?:check|confirmation|verification)s?|confirmation|"
    r"verification|authori[sz]ation|approval)\b"
    r"|\bsin\s+(?:preguntar|confirmaci[óo]n|verificar|autorizaci[óo]n)\b",
    re.IGNORECASE,
)
# "Never rename anything without asking": forbids what the words alone would allow.
_FORBIDDING = re.compile(
    r"\b(?:never|do(?:n't| not)|must not|nunca|jamás|no)\s(?!(?:mind|worry|hesitate|stop|fail|forget|bother|wait|be|"
    r"dudes|olvides|dejes|pares)\b)[^.,;:!?\n]{1,100}$",
    re.IGNORECASE,
)
_STORE = re.compile(r"\b(?:remember|store|save|memori[sz]e|recuerda|guarda|memoriza)\b|记住|保存|记下", re.IGNORECASE)
_ROLE_STARTS = re.compile(
    r"\brole[- ]?play(?:ing)?\b|\bpretend (?:to be|you|that|i)\b|\bact as (?:if|an?|the|my)\b|\byou "
    r"are (?:a|an|the) (?:dragon|king|queen|pirate|wizard|vampire|knight|robot|princess|detective|elf|"
    r"witch|captain)\b"
    r"|\bin (?:this|the|my) (?:story|game|novel|scene|campaign)\b|\bmy character\b|\blet's (?:play|"
    r"write a (?:story|scene))\b|\bstay in character\b"
    r"|\bjuego de rol\b|\bjuguemos\b|\bfinge que\b|\bhaz de cuenta\b|\beres un(?:a)? (?:pirata|"
    r"drag[óo]n|rey|reina|mago|bruja|detective)\b|\bmi personaje\b"
    r"|角色扮演|假装你|你扮演|我扮演|你来演|我们来演|你现在是一[只个位名]|我的角色",
    re.IGNORECASE,
)
_ROLE_ENDS = re.compile(
    r"\b(?:stop|end|enough of|quit) (?:the |this )?(?:role[- ]?play|game|story|scene)|\bout of "
    r"character\b|\bback to (?:reality|work|normal|business)\b|\bgame over\b"
    r"|\bfin del juego\b|\bterminemos el juego\b|\bvolvamos al trabajo\b|\bya no jugamos\b"
    r"|结束(?:角色)?扮演|游戏结束|不玩了|回到正题",
    re.IGNORECASE,
)


def tries_to_instruct(text: str) -> bool:
    """Whether ``text`` gives commands to the system behind the agent, or asks it to keep a credential."""
    if any(not _FORBIDDING.search(text[: match.start()]) for match in _UNCHECKED.finditer(text)):
        return True
    return bool(_INJECTION.search(text)) or bool(_STORE.search(text) and contains_secret(text))


def sincere(turns: Iterable[Turn]) -> Iterator[Turn]:
    """The user turns that are meant: neither within a played role nor instructions to the memory."""
    playing: set[str] = set()
    for turn in turns:
        if not turn.is_user:
            continue
        if turn.session in playing:
            if not _ROLE_ENDS.search(turn.text):
                continue
            playing.discard(turn.session)
            continue
        if _ROLE_STARTS.search(turn.text):
            playing.add(turn.session)
            continue
        if not tries_to_instruct(turn.text):
            yield turn
