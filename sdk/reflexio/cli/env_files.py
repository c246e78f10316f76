"""Settings in files: ``.env`` of the current folder, then ``~/.reflexio/.env``. The environment itself goes first.

A line is ``NAME=value``, with ``export`` before it or not; values may be quoted; ``#`` begins a comment. A blank value
sets nothing.
"""

import os
import re
from collections.abc import Iterable, Iterator, MutableMapping
from pathlib import Path

_LINE = re.compile(r"\s*(?:export\s+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)\s*=\s*(?P<value>.*?)\s*")
_QUOTED = re.compile(r"""(?P<quote>["'])(?P<text>.*?)(?<!\\)(?P=quote)\s*(?:#.*)?""")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_ESCAPES = {"\\n": "\n", "\\t": "\t", '\\"': '"', "\\\\": "\\"}


def usual_files() -> tuple[Path, ...]:
    """Where settings are looked for, the first that sets a name wins."""
    return (Path(".env"), Path.home() / ".reflexio" / ".env")


def load_env_files(
    environment: MutableMapping[str, str] = os.environ, files: Iterable[Path] | None = None
) -> list[Path]:
    """Add to ``environment`` what the files set and it does not; returns the files that were read.

    A file that is missing or cannot be read is left out.
    """
    read: list[Path] = []
    for file in usual_files() if files is None else files:
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        read.append(file)
        for name, value in parse(text):
            if not environment.get(name):
                environment[name] = value
    return read


def parse(text: str) -> Iterator[tuple[str, str]]:
    """Name and value of each line that sets something."""
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match is None:
            continue
        value = _value(match["value"])
        if value:
            yield match["name"], value


def _value(written: str) -> str:
    quoted = _QUOTED.fullmatch(written)
    if quoted is None:
        return _COMMENT.sub("", written).strip()
    if quoted["quote"] == "'":
        return quoted["text"]
    return re.sub(r"\\[nt\"\\]", lambda found: _ESCAPES[found[0]], quoted["text"])
