"""Runs inside a published environment: lists the clients' public methods, or runs cases; JSON on stdout."""

import inspect
import json
import sys
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import reflexio


def public_methods() -> dict[str, list[str]]:
    """Public names of each client class, properties included."""
    classes = {
        name: value
        for name in dir(reflexio)
        if name.endswith("Client") and inspect.isclass(value := getattr(reflexio, name))
    }
    return {
        name: sorted(member for member in dir(kind) if not member.startswith("_")) for name, kind in classes.items()
    }


def signatures() -> dict[str, list[tuple[str, bool]]]:
    """Parameters of each method of the client without ``self``: name, and whether it is keyword-only."""
    methods = {name: getattr(reflexio.ReflexioClient, name) for name in public_methods()["ReflexioClient"]}
    return {
        name: [
            (parameter.name, parameter.kind is parameter.KEYWORD_ONLY)
            for parameter in list(inspect.signature(method).parameters.values())[1:]
        ]
        for name, method in methods.items()
        if callable(method)
    }


def run_cases(url: str) -> dict[str, str | None]:
    """Each case that this distribution has the method for: None, or how it failed."""
    from cases import CASES
    from world import World

    have = {f"{kind}.{name}" for kind, names in public_methods().items() for name in names}
    outcomes: dict[str, str | None] = {}
    for number, case in enumerate(CASES):
        if case.method not in have:
            continue
        world: Any = World(url, f"{number:02}-{case.method.rpartition('.')[2]}")
        try:
            case.run(world)
        except Exception:
            outcomes[case.method] = traceback.format_exc(limit=4)
        else:
            outcomes[case.method] = None
    return outcomes


def main(arguments: list[str]) -> Any:
    """No argument: the methods. ``--signatures``: their parameters. A URL: the outcome of every case there."""
    if not arguments:
        return public_methods()
    return signatures() if arguments[0] == "--signatures" else run_cases(arguments[0])


if __name__ == "__main__":
    json.dump(main(sys.argv[1:]), sys.stdout)
