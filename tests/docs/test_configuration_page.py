"""The page on configuration has every variable that the code reads and every setting of a tenant, with its default."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from reflexio.models.config import Config
from reflexio_core.adapters.litellm.families import FAMILIES
from reflexio_core.api.settings import ApiSettings
from reflexio_core.embedded.settings import EmbeddedSettings
from tests.docs.pages import ROOT, rows, sections
from tests.docs.source import SDK, SERVER, VARIABLE, read_attributes, words

PAGE = ROOT / "docs" / "configuration.md"
EXAMPLE = ROOT / ".env.example"

NO_VARIABLES = {
    "AFTER_SEQUENCE_NUMBER",  # words of DynamoDB
    "KEYS_ONLY",
    "NEW_AND_OLD_IMAGES",
    "PAY_PER_REQUEST",
    "TRIM_HORIZON",
    "MODEL_VARIABLE",  # exported names
    "OFFLINE_MODEL",
    "SC_PAGE_SIZE",  # a name of sysconf
}
"""Words in the code that only look like a variable."""


def read_by_the_code() -> set[str]:
    product = words(SDK, SERVER)
    # Tests set many variables; only those that steer the tests themselves are theirs.
    steering = {name for name in words(ROOT / "tests") if name in ("REFLEXIO_TEST_URL", "REFLEXIO_FUZZ_EXAMPLES")}
    return (product - NO_VARIABLES) | steering


def documented() -> dict[str, str]:
    """Variables of the page's tables with their default, where it is a literal."""
    found: dict[str, str] = {}
    before, _, _ = PAGE.read_text().partition("## Configuration of a tenant")
    for cells in rows(before):
        # Of providers the second and third cell name variables, elsewhere the first.
        for cell in cells[1:3] if len(cells) == 4 else cells[:1]:
            for name in re.findall(rf"`({VARIABLE.pattern})`", cell):
                found.setdefault(name, cells[1].strip("`"))
    return found


def test_every_variable_that_is_read_is_documented_and_every_documented_one_is_read() -> None:
    assert set(documented()) == read_by_the_code()


def test_no_word_is_excused_that_the_code_no_longer_has() -> None:
    assert words(SDK, SERVER) >= NO_VARIABLES


def test_defaults_of_variables_are_those_of_the_code() -> None:
    shown, api, embedded = documented(), ApiSettings(), EmbeddedSettings()
    assert shown["REFLEXIO_MAX_BODY_BYTES"] == str(api.max_body_bytes)
    assert shown["REFLEXIO_SEARCH_CONCURRENCY_LIMIT"] == str(api.search_slots)
    assert shown["REFLEXIO_SEARCH_CONCURRENCY_TIMEOUT_SECONDS"] == f"{api.search_queue_seconds:g}"
    assert shown["REFLEXIO_PUBLISH_CONCURRENCY_LIMIT"] == str(api.publish_slots)
    assert shown["REFLEXIO_PUBLISH_CONCURRENCY_TIMEOUT_SECONDS"] == f"{api.publish_queue_seconds:g}"
    assert shown["REFLEXIO_BLOCK_PRIVATE_URLS"] == ("on" if api.block_private_urls else "off")
    assert Path(shown["REFLEXIO_DATA"]).expanduser() == embedded.data
    assert shown["REFLEXIO_HOST"] == embedded.host
    assert shown["REFLEXIO_PORT"] == str(embedded.port)
    assert shown["REFLEXIO_PUBLISH_LEARNING_WORKERS"] == str(embedded.learners)
    assert shown["REFLEXIO_LOG_LEVEL"] == embedded.log_level


def test_providers_stand_in_their_order_with_their_variables_and_models() -> None:
    expected = [
        [family.name, list(family.keys), list(family.bases), f"{family.name}/{family.generation}"]
        for family in FAMILIES
    ]
    table = rows(sections(PAGE, "###")["Providers"])[: len(FAMILIES)]
    shown = [
        [name, re.findall(r"`(\w+)`", keys), re.findall(r"`(\w+)`", bases), model.strip("`")]
        for name, keys, bases, model in table
    ]
    assert shown == expected


def test_the_example_file_sets_documented_variables_to_their_defaults() -> None:
    shown = documented()
    pairs = re.findall(r"^#?([A-Z][A-Z0-9_]+)=(.*)$", EXAMPLE.read_text(), re.MULTILINE)
    assert len(pairs) >= 20
    for name, value in pairs:
        assert name in shown, name
        if value:
            assert shown[name] == value, name


def models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in models_in(part)]


_NOTHING = object()


def settings(model: type[BaseModel], value: object, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every setting by its dotted name, with its default as the page writes it. ``value`` is the default of the whole
    as far as there is one: what it holds wins over the model's own defaults."""
    for name, field in model.model_fields.items():
        here = getattr(value, name, _NOTHING) if isinstance(value, model) else _NOTHING
        path = prefix + (field.alias or name)
        yield (
            path,
            _shown(
                field.get_default(call_default_factory=True) if here is _NOTHING else here,
                required=here is _NOTHING and field.is_required(),
            ),
        )
        inside = f"{path}[]." if "list[" in str(field.annotation) else f"{path}."
        for inner in models_in(field.annotation):
            yield from settings(inner, here, inside)


def _shown(default: object, *, required: bool) -> str:
    if required:
        return "required"
    if isinstance(default, BaseModel):
        return "see below"
    return f"`{json.dumps(default, ensure_ascii=False)}`"


SETTINGS: dict[str, str] = {}
for _name, _default in settings(Config, Config()):
    SETTINGS.setdefault(_name, _default)  # a shape's field of the same name as another's is one row


def names(cells: list[str]) -> list[str]:
    """The settings of a row: settings that differ in nothing but the provider's name share one."""
    return re.findall(r"`([^`]+)`", cells[0])


def setting_rows() -> dict[str, list[str]]:
    _, _, after = PAGE.read_text().partition("## Configuration of a tenant")
    pairs = [(name, cells) for cells in rows(after) for name in names(cells)]
    found = dict(pairs)
    assert len(found) == len(pairs), "a setting stands there twice"
    return found


def test_every_setting_is_documented_and_every_documented_one_exists() -> None:
    assert set(setting_rows()) == set(SETTINGS)


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_has_its_true_default_and_a_meaning(name: str) -> None:
    _, default, _, meaning = setting_rows()[name]
    assert default == SETTINGS[name]
    assert len(meaning) > 2


@pytest.mark.parametrize(("heading", "text"), sections(PAGE, "###").items())
def test_a_setting_is_said_to_have_an_effect_if_the_server_reads_it(heading: str, text: str) -> None:
    in_effect, without = "\nIn effect" in text, "\nNo effect today" in text
    top_level = {name for cells in rows(text) for name in names(cells) if name in Config.model_fields}
    assert (in_effect or without) == bool(top_level), heading
    read = read_attributes()
    if without:
        assert not top_level & read
    # A preset works through the sizes that it fills in.
    if in_effect:
        assert top_level - read <= {"extraction_preset"}


def test_what_is_in_effect_stands_before_what_is_not() -> None:
    parts = re.split(r"^## ", PAGE.read_text(), flags=re.MULTILINE)
    [effective] = [part for part in parts if part.startswith("In effect today\n")]
    [idle] = [part for part in parts if part.startswith("Accepted for compatibility, no effect\n")]
    assert not re.search(r"\bno effect\b", effective, re.IGNORECASE)
    assert "\nIn effect" not in idle
    assert len(rows(effective)) + len(rows(idle)) == len(
        rows(PAGE.read_text().split("## Configuration of a tenant")[1])
    )


def test_the_summary_names_settings_that_are_in_effect() -> None:
    [summary] = re.findall(r"in five lines; .*?\n\n(.*?)\n\n", PAGE.read_text(), re.DOTALL)
    named = [re.findall(r"`(\w+(?:\.\w+)*)`", line) for line in re.split(r"^- ", summary, flags=re.MULTILINE)[1:]]
    assert len(named) == 5
    effective = PAGE.read_text().split("## In effect today")[1].split("\n## ")[0]
    shown = {name for cells in rows(effective) for name in names(cells)}
    assert {name for line in named for name in line if name != "null"} <= shown


def test_single_settings_without_effect_are_not_read() -> None:
    idle = {
        name.rpartition(".")[2] for name, cells in setting_rows().items() if re.search(r"\bno effect\b", cells[3])
    } - {"extractor_name"}  # a search request has a field of this name
    assert len(idle) >= 6
    assert not idle & read_attributes()
