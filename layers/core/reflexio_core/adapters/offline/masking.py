"""Hide the stretches of a turn that are not the speaker's own words, keeping every offset.

Code, logs, quoted mail, quotations, text handed over to be worked on, secrets and what the service itself had served
are replaced character by character with ``MASK``, so that a clause found in the masked text is at the same place in
the original.
"""

import re

from reflexio_core.adapters.offline.material import handed_over
from reflexio_core.domain.secrets import secret_spans
from reflexio_core.tasks.transcript import Turn

MASK = "\ufffc"
MAX_CHARS = 20_000  # longer turns are documents; only their start can be somebody's own words

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_TAGGED = re.compile(
    r"<(system|document|context|file|quote|code|pre|blockquote)\b[^>]{0,200}>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)
_LONG_QUOTE = re.compile(
    r"\"[^\"\n]{12,600}\"|“[^”\n]{8,600}”|«[^»\n]{12,600}»|「[^」\n]{6,600}」|『[^』\n]{6,600}』|(?<!\w)"
    r"'[^'\n]{24,600}'(?!\w)"
)
_FOREIGN_LINE = re.compile(
    r"\s{0,8}(?:>|\||\$ |#!|@@|\+\+\+|---|(?:diff|commit|index) [\w-]|\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d"
    r"|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE)\b|Traceback \(|File \"|\s{0,8}at [\w.$]+\(|"
    r"[\w.]{2,60}(?:Error|Exception)\b:"
    r"|(?:import|from|def|class|const|let|var|function|return|public|private|SELECT|INSERT|UPDATE|"
    r"CREATE|ALTER)\s[^.?!]{0,200}[;{}()=:*]"
    r"|[\w.\"'\[\]-]{1,60}\s?(?:=|:=|=>)\s?\S|[\]\[{}();]|(?:From|To|Cc|Subject|Sent|Von|De|Para|"
    r"Asunto|发件人|收件人|主题)\s?[:：])"
)
_LINE = re.compile(r"[^\n]+")
_WORD_COUNT_OF_NAME = 3


def own_words(turn: Turn) -> str:
    """``turn.text`` of the same length, with everything masked that is not the speaker's own words, or secret."""
    text = turn.text[:MAX_CHARS]
    spans = [match.span() for pattern in (_FENCE, _TAGGED) for match in pattern.finditer(text)]
    spans += [match.span() for match in _LONG_QUOTE.finditer(text) if _is_quotation(match.group())]
    spans += [match.span() for match in _LINE.finditer(text) if _FOREIGN_LINE.match(match.group())]
    for quoted in filter(str.strip, turn.quoted):
        spans += [match.span() for match in re.finditer(re.escape(quoted), text)]
    spans += [*handed_over(text), *secret_spans(text)]
    masked = list(text)
    for start, end in spans:
        masked[start:end] = (character if character == "\n" else MASK for character in text[start:end])
    return "".join(masked)


def _is_quotation(stretch: str) -> bool:
    """Short quoted stretches are names ("call me \"Big Joe\""); whole phrases are somebody's words."""
    return len(stretch.split()) > _WORD_COUNT_OF_NAME or not stretch.isascii()
