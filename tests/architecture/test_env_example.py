"""``.env.example`` names every setting that the code reads, and no other."""

import ast
import re

from reflexio_core.adapters.litellm.families import FAMILIES
from tests.architecture.sources import ROOT, modules

UNLISTED = {"REFLEXIO_DEBUG"}
"""For whoever debugs the program itself."""


def named() -> set[str]:
    return set(re.findall(r"^#?([A-Z][A-Z0-9_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))


def test_every_setting_of_ours_is_named_and_nothing_else() -> None:
    read = {
        node.value
        for package in ("reflexio", "reflexio_core")
        for module in modules(package)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"REFLEXIO_[A-Z_]+", node.value)
    }
    assert {name for name in named() if name.startswith("REFLEXIO_")} == read - UNLISTED


def test_every_provider_is_named_by_its_key() -> None:
    assert {family.keys[0] for family in FAMILIES} <= named()
