"""Every public method of the published clients has its effect here, or is listed with the part that brings it."""

import ast
import inspect
import json
import subprocess
import urllib.request
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reflexio import ReflexioClient
from tests.published_clients.environments import DISTRIBUTIONS, Distribution, NoPython, interpreter
from tests.published_clients.not_yet_served import NOT_YET

# One process runs all cases of a distribution at once; other workers would only repeat that.
pytestmark = pytest.mark.xdist_group("published_clients")

HERE = Path(__file__).parent
RUN_SECONDS = 300


def served_methods() -> dict[str, str]:
    """Method and effect of each case. Read from the text: the cases need a published package to be imported."""
    served: dict[str, str] = {}
    modules = [ast.parse(path.read_text()) for path in sorted((HERE / "cases").glob("*.py"))]
    for node in (node for module in modules for node in ast.walk(module)):
        if not isinstance(node, ast.FunctionDef) or not node.decorator_list:
            continue
        call = node.decorator_list[0]
        assert isinstance(call, ast.Call)
        assert isinstance(call.func, ast.Name)
        kind = {"client": "ReflexioClient", "session": "SessionScopedClient"}[call.func.id]
        name, effect = (ast.literal_eval(argument) for argument in call.args)
        method = f"{kind}.{name}"
        assert method not in served, f"{method} has two cases"
        served[method] = effect
    return served


SERVED = served_methods()
LATER = {f"{kind}.{name}": later for kind, names in NOT_YET.items() for name, later in names.items()}
ONLY_IN_AI = {
    "ReflexioClient.finalize_session",
    "ReflexioClient.finalize_session_async",
    "ReflexioClient.for_session",
    "ReflexioClient.get_playbook_aggregation_operation",
    "ReflexioClient.submit_playbook_aggregation",
} | {method for method in [*SERVED, *LATER] if method.startswith("SessionScopedClient.")}


@cache
def python_of(distribution: Distribution) -> Path:
    try:
        return interpreter(distribution)
    except NoPython as reason:
        pytest.skip(str(reason))


@cache
def driver(distribution: Distribution, *arguments: str) -> Any:
    """What the driver prints inside the distribution's environment."""
    done = subprocess.run(
        [python_of(distribution), HERE / "driver.py", *arguments],
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
        cwd="/",
        env={"PYTHONDONTWRITEBYTECODE": "1", "NO_PROXY": "127.0.0.1"},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def methods_of(distribution: Distribution) -> set[str]:
    return {
        f"{kind}.{name}"
        for kind, names in driver(
            distribution,
        ).items()
        for name in names
    }


def expected_methods(distribution: Distribution) -> set[str]:
    return (set(SERVED) | set(LATER)) - (set() if distribution.has_sessions else ONLY_IN_AI)


each_distribution = pytest.mark.parametrize("distribution", DISTRIBUTIONS, ids=lambda each: each.name)


@each_distribution
def test_every_public_method_is_served_or_listed(distribution: Distribution) -> None:
    assert methods_of(distribution) == expected_methods(distribution)


def test_no_method_is_both_served_and_listed() -> None:
    assert set(SERVED) & set(LATER) == set()


@pytest.mark.parametrize(
    ("distribution", "method"),
    [(each, method) for each in DISTRIBUTIONS for method in SERVED if method in expected_methods(each)],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_a_served_method_has_its_effect(distribution: Distribution, method: str, service_url: str) -> None:
    failure = driver(distribution, service_url)[method]
    assert failure is None, f"{SERVED[method]}:\n{failure}"


@pytest.mark.parametrize("method", LATER)
def test_a_listed_method_has_no_route_yet(method: str, service_url: str) -> None:
    with urllib.request.urlopen(f"{service_url}/openapi.json", timeout=30) as answer:
        paths = json.load(answer)["paths"]
    verb, path = LATER[method].route.split(" ")
    assert verb.lower() not in paths.get(path, {}), f"{LATER[method].route} is served: move {method} to the cases"


@each_distribution
def test_our_client_takes_what_the_published_one_takes(distribution: Distribution) -> None:
    published = driver(distribution, "--signatures")
    our_client = ReflexioClient()
    for name, parameters in published.items():
        if f"ReflexioClient.{name}" not in SERVED or name.endswith("_async"):
            continue
        ours = inspect.signature(getattr(our_client, name)).parameters
        positional = [each for each, kind in ours.items() if kind.kind is kind.POSITIONAL_OR_KEYWORD]
        asked = [each for each, keyword_only in parameters if not keyword_only]
        assert positional[: len(asked)] == asked, name
        assert {each for each, _ in parameters} <= set(ours), name
