"""``python -m tests.runner [--strict] [pytest arguments]``: what ``make test`` runs.

The exit code is pytest's, or 1 if ``--strict`` finds a skip that nobody reviewed.
"""

import os
import sys
from collections.abc import Sequence

import pytest

from tests.runner.plugin import CountingPlugin
from tests.runner.reviewed_skips import FILE, read_reviewed, unreviewed
from tests.runner.summary import summary

MOST_PROCESSES = 8


def main(arguments: Sequence[str]) -> int:
    """Run the tests, spread over the processors, files whole; print the summary last."""
    strict = "--strict" in arguments
    reviewed = read_reviewed(FILE.read_text())
    processes = min(MOST_PROCESSES, max(2, os.cpu_count() or 1))
    plugin = CountingPlugin()
    # A file's tests share what is dear to start, a server or a table, so a file stays in one process.
    spread = ["-n", str(processes), "--dist", "loadfile"]
    given = [argument for argument in arguments if argument != "--strict"]
    exit_code = int(pytest.main(["-q", *spread, *given], plugins=[plugin]))
    new_skips = unreviewed(plugin.outcomes.skipped(), reviewed) if strict else []
    print()
    for node_id, reason in new_skips:
        print(f"skipped without review: {node_id} | {reason}")
    print("\n".join(summary(plugin.outcomes)))
    return exit_code or (1 if new_skips else 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
