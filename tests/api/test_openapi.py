"""Our schema against the contract's: every difference is reviewed and has a reason."""

import json
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from reflexio_core.api.access_layer import OPEN_PATHS
from tests.api.conftest import Connect
from tests.api.in_process import InProcess
from tests.api.schema_facts import Facts, facts_of, models_of, operations_of, owner

HERE = Path(__file__).parent
CONTRACT: Facts = json.loads((HERE / "contract_schema.json").read_text())
REVIEWED: dict[str, Any] = json.loads((HERE / "openapi_differences.json").read_text())


@pytest.fixture
def client(standing: Connect) -> InProcess:
    """A client of an application that stands for the session."""
    return standing()


@pytest.fixture
def ours(client: InProcess) -> Facts:
    """The facts of the schema that we serve."""
    return facts_of(client.get("/openapi.json").json())


def _differences(ours: Facts) -> dict[str, str]:
    """Differing facts of what we serve, as ``contract -> ours`` by fact."""
    served = operations_of(ours)
    models = {f"model {name}" for name in models_of(CONTRACT, served & operations_of(CONTRACT))}
    relevant = {key for key in CONTRACT if owner(key) in served | models} | set(ours)
    found = {key: f"{CONTRACT.get(key, 'absent')} -> {ours.get(key, 'absent')}" for key in sorted(relevant)}
    return {key: change for key, change in found.items() if CONTRACT.get(key) != ours.get(key)}


def _explains(reviewed: dict[str, str], fact: str, change: str) -> bool:
    return fnmatchcase(fact, reviewed["fact"]) and fnmatchcase(change, reviewed["change"])


def test_every_difference_from_the_contract_is_reviewed(ours: Facts) -> None:
    undeclared = [
        f"{fact}: {change}"
        for fact, change in _differences(ours).items()
        if not any(_explains(reviewed, fact, change) for reviewed in REVIEWED["differences"])
    ]
    assert undeclared == []


def test_no_reviewed_difference_is_stale(ours: Facts) -> None:
    differences = _differences(ours)
    stale = [
        reviewed
        for reviewed in REVIEWED["differences"]
        if not any(_explains(reviewed, fact, change) for fact, change in differences.items())
    ]
    assert stale == []


def test_every_route_of_the_contract_is_served_or_listed_as_not_served_yet(ours: Facts) -> None:
    not_served = [f"operation {operation}" for group in REVIEWED["not_served_yet"] for operation in group["operations"]]
    assert len(not_served) == len(set(not_served))
    assert sorted(not_served) == sorted(operations_of(CONTRACT) - operations_of(ours))


def test_every_reviewed_entry_has_a_reason() -> None:
    entries = [*REVIEWED["differences"], *REVIEWED["not_served_yet"]]
    assert all(len(entry["reason"]) > 20 for entry in entries)


def test_every_reference_in_the_schema_resolves(client: InProcess) -> None:
    schema = client.get("/openapi.json").json()
    names = set(schema["components"]["schemas"])
    used = {part.split('"', 1)[0] for part in json.dumps(schema).split("#/components/schemas/")[1:]}
    assert used - names == set()


def test_everything_but_the_open_paths_is_a_route_with_a_scope(client: InProcess) -> None:
    behind_a_policy = {route.path for route in client.data_routes() if route.policy.scope}
    served = {str(getattr(route, "path", "")) for route in client.app.routes}
    assert served - OPEN_PATHS == behind_a_policy
    assert len(behind_a_policy) > 40
