"""Pages of the documentation, as their parts: fenced blocks, headings, links, tables."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
PAGES = (README, ROOT / "sdk" / "README.md", *sorted((ROOT / "docs").glob("*.md")))

_FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (?P<text>.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line that it begins on."""

    language: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    """Every fenced block of a page."""
    text = page.read_text()
    return [
        Block(found["language"], found["text"], text.count("\n", 0, found.start()) + 1)
        for found in _FENCE.finditer(text)
    ]


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return _FENCE.sub("", page.read_text())


def links(page: Path) -> list[str]:
    """Targets of a page's links."""
    return [found["target"] for found in _LINK.finditer(prose(page))]


def anchors(page: Path) -> set[str]:
    """What a link may name behind ``#``: each heading, as GitHub writes it."""
    headings = (found["text"].lower() for found in _HEADING.finditer(prose(page)))
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings}


def sections(page: Path, marker: str) -> dict[str, str]:
    """Parts of a page by the text of their heading, for headings that begin with ``marker`` such as ``###``."""
    parts = re.split(rf"^{marker} (.+)$", page.read_text(), flags=re.MULTILINE)
    return {
        heading.strip("`"): re.split(r"^## ", body, maxsplit=1, flags=re.MULTILINE)[0]
        for heading, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def rows(text: str) -> list[list[str]]:
    """Cells of every table row, headings and rulers left out."""
    lines = text.splitlines()
    found = []
    for number, line in enumerate(lines):
        ruled = number + 1 < len(lines) and set(lines[number + 1]) == {"|", "-"}
        if line.startswith("| ") and not ruled:
            found.append([cell.strip() for cell in line.strip().strip("|").split(" | ")])
    return found
