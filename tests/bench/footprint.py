"""What the application costs to import, and the service to start and to hold in memory."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from tests.bench.publishing import publish
from tests.bench.service import Connection, scratch, service

IMPORT_SECONDS = 0.5
HEAVY = ("litellm", "onnxruntime", "numpy", "boto3", "tokenizers")
_IMPORTS = 5
_LOAD = 300

_PROBE = f"""
import json, sys, time
import reflexio_core.api.app
print(json.dumps([time.process_time(), [name for name in {HEAVY!r} if name in sys.modules]]))
"""


def import_cost() -> tuple[float, list[str]]:
    """Least CPU seconds of a fresh interpreter that imports the API application, with bytecode cached; and which
    heavy packages that loaded."""
    found: list[tuple[float, list[str]]] = []
    with tempfile.TemporaryDirectory() as cache:
        for _ in range(_IMPORTS + 1):
            probe = subprocess.run(
                [sys.executable, "-c", _PROBE],
                env={"PYTHONPYCACHEPREFIX": cache, "PATH": ""},
                capture_output=True,
                text=True,
                check=True,
            )
            seconds, heavy = json.loads(probe.stdout)
            found.append((seconds, heavy))
    return min(found[1:])


def rows() -> Iterator[str]:
    """Lines of the table of the service's own figures."""
    with scratch() as folder, service(folder) as running:
        yield f"| start to ready | {running.seconds_to_ready:.2f} s |"
        yield f"| memory at rest | {running.resident_megabytes():.0f} MB |"
        connection = Connection(running.port)
        for number in range(_LOAD):
            publish(connection, f"user-{number % 10}", f"load-{number}")
            connection.post("/api/search", {"query": f"deployment region {number}", "user_id": f"user-{number % 10}"})
        connection.close()
        yield f"| memory after {_LOAD} publications and searches | {running.resident_megabytes():.0f} MB |"
