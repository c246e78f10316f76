"""Help is fast: it loads no client, no models and no service."""

import json
import subprocess
import sys

HEAVY = ("httpx", "pydantic", "rich", "asyncio", "fastapi", "uvicorn", "numpy", "onnxruntime", "reflexio_core")

PROGRAM = """
import contextlib, io, json, sys
from reflexio.cli.app import run
with contextlib.redirect_stdout(io.StringIO()):
    run(WORDS)
print(json.dumps(sorted(set(HEAVY) & set(sys.modules))))
"""


def _loaded(*words: str) -> list[str]:
    program = f"HEAVY = {HEAVY!r}\nWORDS = {words!r}\n{PROGRAM}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    return list(json.loads(done.stdout))


def test_help_and_bad_input_load_nothing_heavy() -> None:
    assert _loaded("--help") == []
    # Typer itself takes pydantic to read the arguments of a command.
    assert set(_loaded("publish", "--help")) <= {"pydantic"}
    assert set(_loaded("publish", "--json", "nonsense")) <= {"pydantic"}


def test_looking_at_the_service_starts_no_server() -> None:
    assert not {"fastapi", "uvicorn", "numpy", "onnxruntime"} & set(_loaded("services", "status"))
