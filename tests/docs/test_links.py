"""Links lead somewhere, every page can be reached, and pages speak of the product alone."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, README, ROOT, anchors, blocks, links

OF_THIS_MACHINE = re.compile(r"(?<![\w.~])/(?:tmp|root|home)/|\bTODO\b", re.IGNORECASE)
"""Folders of somebody's machine, and what is not finished."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for target in links(page):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        assert file.is_relative_to(ROOT), target
        if anchor:
            assert anchor in anchors(file), target


def test_every_page_is_reached_from_the_readme() -> None:
    seen, waiting = set[Path](), [README]
    while waiting:
        page = waiting.pop()
        if page in seen:
            continue
        seen.add(page)
        found = ((page.parent / target.partition("#")[0]).resolve() for target in links(page))
        waiting += [file for file in found if file in PAGES]
    assert seen == set(PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_speaks_of_where_it_was_written(page: Path) -> None:
    found = OF_THIS_MACHINE.search(page.read_text())
    assert found is None, found and found[0]


def test_test_files_that_code_spans_name_exist() -> None:
    for page in PAGES:
        for name in re.findall(r"`(tests/[\w/.]+|layers/[\w/.]+|sdk/[\w/.]+)`", page.read_text()):
            assert (ROOT / name).exists(), f"{page.name}: {name}"


def test_the_readme_installs_extras_that_exist() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    extras = re.findall(r"'\.\[([\w,]+)\]'", README.read_text())
    assert extras
    for name in ",".join(extras).split(","):
        assert re.search(rf"^{name} = \[", project, re.MULTILINE), name


def test_no_block_is_left_open() -> None:
    for page in PAGES:
        assert len(re.findall(r"^```", page.read_text(), re.MULTILINE)) == 2 * len(blocks(page)), page.name
