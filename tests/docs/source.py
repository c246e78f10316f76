"""What the code says, without running it."""

import ast
import re
from functools import cache
from pathlib import Path

from tests.docs.pages import ROOT

SERVER = ROOT / "layers" / "core"
SDK = ROOT / "sdk" / "reflexio"

VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
"""How an environment variable is written."""


def words(*folders: Path) -> set[str]:
    """Every string of the code that could name a variable."""
    found: set[str] = set()
    for folder in folders:
        for file in folder.rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and VARIABLE.fullmatch(node.value):
                    found.add(node.value)
    return found


@cache
def read_attributes() -> frozenset[str]:
    """Names that the server reads from objects, requests and configurations among them."""
    return frozenset(
        node.attr
        for file in SERVER.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Attribute)
    )
