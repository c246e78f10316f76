"""The source files as syntax trees, without running any of them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SERVER = ROOT / "layers" / "core"
SDK = ROOT / "sdk"


@dataclass(frozen=True)
class Module:
    """A module: its dotted name, its file and its tree."""

    name: str
    file: Path
    tree: ast.Module

    def imports(self) -> Iterator[tuple[str, int]]:
        """Dotted names that it imports anywhere, with the line. ``from a import b`` gives ``a.b``."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield alias.name, node.lineno
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    yield f"{node.module}.{alias.name}", node.lineno

    def where(self, line: int) -> str:
        """A place for a message."""
        return f"{self.file.relative_to(ROOT)}:{line}"


@cache
def modules(package: str) -> tuple[Module, ...]:
    """Every module of ``reflexio_core`` or ``reflexio``, or of a package inside, by dotted name."""
    base = SERVER if package.split(".")[0] == "reflexio_core" else SDK
    start = base.joinpath(*package.split("."))
    files = sorted(start.rglob("*.py")) if start.is_dir() else [start.with_suffix(".py")]
    return tuple(Module(_name(file, base), file, ast.parse(file.read_text())) for file in files)


def _name(file: Path, base: Path) -> str:
    parts = file.relative_to(base).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def begins(name: str, prefix: str) -> bool:
    """Whether a dotted name is ``prefix`` or lies under it."""
    return name == prefix or name.startswith(prefix + ".")
