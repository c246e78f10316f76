"""Recognise credentials and payment numbers in free text, so that no learning, quote or log keeps them.

Every learner passes through here, rules and language models alike. The patterns know surface forms only: issuer
prefixes, labelled values ("password is …"), private key blocks, credentials inside URLs, card numbers (Luhn, ISO/IEC
7812-1), social security numbers and long random strings. Each pattern is bounded in length, so that the time taken
grows linearly with the text.
"""

import re
from collections.abc import Iterator

REPLACEMENT = "[secret]"

_LABELS = (
    r"pass\s?words?|passwd|pwd|pass\s?phrase|pass\s?code|secrets?(?:[ _-]?key)?|api[ _-]?(?:keys?|secret|token)"
    r"|(?:access|auth|bearer|refresh|session|secret|private|client|bot|deploy|personal)[ _-]?(?:tokens?|keys?|secret)"
    r"|tokens?|credentials?|pin(?: code| number)?|cvv|cvc|security code|one[- ]time code|otp"
    r"|contraseñas?|clave(?: de (?:api|acceso)| secreta| privada)?|clave api|ficha de acceso|código de seguridad"
)
_LABELS_ZH = r"密码|口令|密钥|令牌|访问令牌|验证码|安全码|秘钥|私钥"

# A label and "is" also open ordinary sentences; these words after it say that no value follows.
_NO_VALUE = (
    r"(?:required|wrong|expired|missing|stored|stale|needed|invalid|incorrect|correct|not|never|always|too|in|on|at|"
    r"the|an?|kept|rotated|reset|changed|encrypted|hashed|different|shared|blank|empty|optional|safe|secret|"
    r"incorrecta?|obligatoria?|necesaria?|caducada?|guardada?|distinta?|la|el|una?|muy|no|en)\b"
)

_PATTERNS: tuple[re.Pattern[str], ...] = (
    re.compile(
        r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:.{0,8000}?-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|.{0,8000})",
        re.DOTALL,
    ),
    re.compile(r"\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{12,200}"),
    re.compile(r"\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{8,200}"),
    re.compile(r"\b(?:ghp|gho|ghu|ghs|ghr|hf|npm|pypi|dop_v1|shpat|lin_api|whsec)[_-][A-Za-z0-9_-]{16,255}"),
    re.compile(r"\b(?:github_pat_|glpat-|gsk_|xai-|r8_)[A-Za-z0-9_-]{16,255}"),
    re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{8,255}"),
    re.compile(r"\b(?:AKIA|ASIA|AROA|AIDA)[0-9A-Z]{16}\b"),
    re.compile(r"\bAIza[0-9A-Za-z_-]{30,60}"),
    re.compile(r"\bya29\.[0-9A-Za-z_-]{20,255}"),
    re.compile(r"\bSG\.[0-9A-Za-z_-]{16,64}\.[0-9A-Za-z_-]{16,64}"),
    re.compile(r"\beyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,4000}(?:\.[A-Za-z0-9_-]{0,2000})?"),
    re.compile(r"\bBearer\s{1,3}[A-Za-z0-9._~+/=-]{12,2000}", re.IGNORECASE),
    re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,200}:[^\s/@]{1,200}@", re.IGNORECASE),
    re.compile(r"\b\d{3}-\d{2}-\d{4}\b"),
    # Assignment: a label anywhere in an identifier, then a value of at least four characters.
    re.compile(
        rf"(?:\b|_)(?:{_LABELS})[\"'`]?\s{{0,3}}(?::=|=>|[:=])\s{{0,3}}[\"'`]?[^\s\"'`,;]{{4,400}}", re.IGNORECASE
    ),
    # Prose: the value is one unbroken word, with a digit or symbol, or the last word of its clause.
    re.compile(
        rf"\b(?:{_LABELS})\b(?:\s(?:for|at|to|of|on|in|de|del|para|en)(?:\s[\w.'@-]{{1,40}}){{1,4}}?)?\s{{1,3}}"
        rf"(?:is|are|was|becomes|es|son|era|será)\s{{1,3}}(?:now\s|just\s|set to\s|ahora\s)?(?!{_NO_VALUE})[\"'`“«]?"
        r"(?:[^\s\"'`”»]{0,100}[\d!@#$%^&*_+=/-][^\s\"'`”»]{0,100}"
        r"|[^\s\"'`”».,;]{4,100}(?=[\"'`”»]?(?:[.,;!?]|\s{0,3}$)))",
        re.IGNORECASE | re.MULTILINE,
    ),
    re.compile(
        rf"(?:{_LABELS_ZH})[^\s，。；,;:：=]{{0,12}}?\s?(?:是|为|：|:|=|改成了?|设为)\s?[\"'`“「]?[!-~]{{4,200}}"
    ),
    re.compile(r"(?:\b(?:pin|cvv|cvc|otp)\b|验证码|安全码)\D{0,30}?\d{3,8}\b", re.IGNORECASE),
)

_CARD = re.compile(r"(?<![\d.-])\d(?:[ -]?\d){12,18}(?![\d-])")
_RANDOM = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_=-]{32,512}(?![A-Za-z0-9+/_=-])")


def contains_secret(text: str) -> bool:
    """Whether ``text`` holds something that looks like a credential or a payment number."""
    return next(secret_spans(text), None) is not None


def redact(text: str) -> str:
    """``text`` with every secret replaced by ``[secret]``; overlapping finds become one replacement."""
    parts: list[str] = []
    position = 0
    for start, end in _merged(sorted(secret_spans(text))):
        parts += (text[position:start], REPLACEMENT)
        position = end
    return "".join((*parts, text[position:]))


def secret_spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each secret, in no particular order, possibly overlapping."""
    for pattern in _PATTERNS:
        yield from (match.span() for match in pattern.finditer(text))
    for match in _CARD.finditer(text):
        if _passes_luhn(match.group()):
            yield match.span()
    for match in _RANDOM.finditer(text):
        if _looks_random(match.group()):
            yield match.span()


def _merged(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    current: tuple[int, int] | None = None
    for start, end in spans:
        if current and start <= current[1]:
            current = (current[0], max(current[1], end))
            continue
        if current:
            yield current
        current = (start, end)
    if current:
        yield current


def _passes_luhn(number: str) -> bool:
    digits = [int(character) for character in number if character.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    doubled = (digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _looks_random(word: str) -> bool:
    """Mixed case with digits and little structure; paths, snake_case names and UUIDs are not."""
    kinds = (any(map(str.islower, word)), any(map(str.isupper, word)), any(map(str.isdigit, word)))
    return all(kinds) and len(set(word)) >= 16 and max(map(len, re.split(r"[/_=+-]", word))) >= 20
