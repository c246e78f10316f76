"""How modules are named, sized and written."""

import ast
import re

from tests.architecture.sources import ROOT, modules

MOST_LINES = 400
NAMELESS = {"utils", "util", "helpers", "helper", "common", "misc"}
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")

PRODUCT = (*modules("reflexio_core"), *modules("reflexio"))


def test_no_module_is_longer_than_a_reader_keeps_in_mind() -> None:
    long = {module.name: module.file.read_text().count("\n") for module in PRODUCT}
    assert {name: lines for name, lines in long.items() if lines > MOST_LINES} == {}


def test_modules_are_named_by_what_they_do() -> None:
    assert [module.name for module in PRODUCT if NAMELESS & set(module.name.split("."))] == []


def test_every_module_says_what_it_is() -> None:
    assert [module.name for module in PRODUCT if not ast.get_docstring(module.tree)] == []


def test_nothing_is_left_unfinished() -> None:
    found = [
        f"{module.where(number)}: {line.strip()}"
        for module in PRODUCT
        for number, line in enumerate(module.file.read_text().splitlines(), 1)
        if UNFINISHED.search(line)
    ]
    assert found == []


def test_no_lock_file_names_a_host_or_a_folder_of_a_machine() -> None:
    for lock in ("tests/bootstrap.txt", "layers/requirements.txt", "tests/requirements.txt"):
        text = (ROOT / lock).read_text()
        assert not re.search(r"://|^-|^\s*/|file:", text, re.MULTILINE), f"{lock} names a place"
        pins = re.findall(r"^\S+==\S+.*$(?:\n    --hash=.*)+", text, re.MULTILINE)
        assert len(pins) == len(re.findall(r"^[a-zA-Z0-9]", text, re.MULTILINE)), f"{lock} has a pin without a hash"


def test_public_functions_and_classes_say_what_they_are() -> None:
    missing = [
        f"{module.where(node.lineno)} {node.name}"
        for module in PRODUCT
        for node in module.tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert missing == []
