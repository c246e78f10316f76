"""The page on HTTP has every route of the application, with what the route really asks and takes."""

import importlib
import json
import re
from typing import Any

import pytest
from fastapi import FastAPI
from pydantic import BaseModel

from reflexio_core.api.app import create_app
from reflexio_core.api.data_routes import DataRoute
from reflexio_core.api.settings import AccessSettings, ApiSettings
from tests.docs.pages import ROOT, rows, sections
from tests.docs.source import read_attributes
from tests.doubles.engine import make_engine

PAGE = ROOT / "docs" / "http.md"
APP: FastAPI = create_app(make_engine(), AccessSettings())
SCHEMA = APP.openapi()
ROUTES: dict[str, dict[str, Any]] = {
    f"{method.upper()} {path}": operation
    for path, operations in SCHEMA["paths"].items()
    for method, operation in operations.items()
}
POLICIES = {
    f"{method} {route.path}": route.policy
    for route in APP.routes
    if isinstance(route, DataRoute)
    for method in route.methods or ()
}
SECTIONS = {heading: body for heading, body in sections(PAGE, "###").items() if " /" in heading}


def name_of(schema: dict[str, Any]) -> str:
    return str(schema.get("$ref", "")).rsplit("/", 1)[-1]


def body_of(operation: dict[str, Any]) -> str:
    return name_of(operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {}))


def linked(text: str, name: str) -> type[BaseModel]:
    """The model that the page links under this name, imported from where the link leads."""
    found = re.search(rf"\[`{name}`\]\(\.\./sdk/reflexio/models/(\w+)\.py\)", text)
    assert found, f"{name} is not linked"
    model: type[BaseModel] = getattr(importlib.import_module(f"reflexio.models.{found[1]}"), name)
    assert model.__module__ == f"reflexio.models.{found[1]}"
    return model


def field_table(text: str) -> dict[str, str]:
    """Fields and their defaults, as the page says."""
    return {cells[0].strip("`"): cells[2] for cells in rows(text) if len(cells) == 4}


def defaults(model: type[BaseModel]) -> dict[str, str]:
    """Fields and their defaults, as they are."""
    found = {}
    for name, field in model.model_fields.items():
        if field.is_required():
            found[name] = "required"
        elif field.default_factory is not None and field.default_factory.__name__ == "epoch_now":
            found[name] = "now"
        else:
            found[name] = f"`{json.dumps(field.get_default(call_default_factory=True))}`"
    return found


def test_the_page_and_the_application_have_the_same_routes() -> None:
    assert set(SECTIONS) == set(ROUTES)


@pytest.mark.parametrize("route", ROUTES)
def test_a_route_says_scope_rate_and_answer(route: str) -> None:
    text, policy = SECTIONS[route], POLICIES.get(route)
    if policy is None:
        assert "\nOpen.\n" in text
        return
    rate = f", {policy.per_minute} a minute." if policy.per_minute else "."
    assert f"Scope `{policy.scope.value}`{rate}" in text
    answer = name_of(ROUTES[route]["responses"]["200"]["content"]["application/json"]["schema"])
    if answer:
        linked(text, answer)
    if policy.across_users:
        assert f"the scope `{policy.across_users.value}`" in text


@pytest.mark.parametrize("route", [route for route, operation in ROUTES.items() if body_of(operation)])
def test_a_route_names_every_field_of_its_body_with_its_default(route: str) -> None:
    text = SECTIONS[route]
    expected = defaults(linked(text, body_of(ROUTES[route])))
    if "InteractionData" in text:
        expected |= defaults(linked(text, "InteractionData"))
    parameters = {parameter["name"] for parameter in ROUTES[route].get("parameters", [])}
    assert {name: value for name, value in field_table(text).items() if name not in parameters} == expected


@pytest.mark.parametrize("route", [route for route, operation in ROUTES.items() if operation.get("parameters")])
def test_a_route_names_every_parameter_with_its_default(route: str) -> None:
    shown = field_table(SECTIONS[route])
    for parameter in ROUTES[route]["parameters"]:
        default = "required" if parameter.get("required") else f"`{json.dumps(parameter['schema'].get('default'))}`"
        assert shown[parameter["name"]] == default


def test_the_page_names_the_limits_in_force() -> None:
    text, settings = PAGE.read_text(), ApiSettings()
    assert f"At most {settings.search_slots} searches and {settings.publish_slots} publications" in text
    assert f"wait for {settings.search_queue_seconds:g} s and {settings.publish_queue_seconds:g} s" in text


def test_fields_said_to_be_without_effect_are_not_read() -> None:
    found = re.findall(r"^\| `(\w+)` \|.*\| accepted, without effect", PAGE.read_text(), re.MULTILINE)
    # These name other things too, where they do count.
    idle = set(found) - {"user_id", "request_id", "session_id", "interaction_id"}
    assert "override_learning_stall" in idle
    assert not idle & read_attributes()
