"""``make bench``: print speed ratios measured in this run and write them to ``tests/bench/RESULTS.md``.

python -m tests.bench [--check]      # --check: exit code 1 if a ratio misses its bound
"""

import argparse
import platform
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from reflexio_core.adapters.onnx import OnnxInference, prepare
from tests.bench import footprint, publishing, searching
from tests.bench.ratios import Ratio

RESULTS = Path(__file__).with_name("RESULTS.md")


def main() -> int:
    """Measure everything; 1 if ``--check`` and something was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 if a ratio misses its bound")
    options = parser.parse_args()
    measured: list[Ratio] = []
    inference = OnnxInference(prepare())
    try:
        for ratio in _ratios(inference):
            print(ratio.row(), flush=True)
            measured.append(ratio)
    finally:
        inference.close()
    figures = list(footprint.rows())
    print("\n".join(figures))
    RESULTS.write_text(_report(measured, figures), encoding="utf-8")
    missed = [ratio for ratio in measured if not ratio.met]
    return 1 if options.check and missed else 0


def _ratios(inference: OnnxInference) -> Iterator[Ratio]:
    seconds, heavy = footprint.import_cost()
    if heavy:
        raise RuntimeError(f"the API application loads {', '.join(heavy)}")
    yield Ratio("CPU of importing the API application / half a second", seconds / footprint.IMPORT_SECONDS, 1)
    yield from searching.ratios(inference)
    yield from publishing.ratios(inference)


def _report(measured: list[Ratio], figures: list[str]) -> str:
    lines = [
        "# Speed, as ratios",
        "",
        "Measured side by side in one run: what is compared takes turns, and medians are compared. A figure of another",
        "machine will differ; a ratio should not differ by much. Repeat with `make bench`; `make bench CHECK=1` fails",
        "on a missed bound.",
        "",
        f"Machine: {platform.machine()}, {_cores()} cores, {platform.system()}, Python {platform.python_version()}.",
        f"Measured on {datetime.now(UTC):%Y-%m-%d}.",
        "",
        "| ratio | measured | bound | |",
        "|---|---|---|---|",
        *(ratio.row() for ratio in measured),
        "",
        "Of the service on that machine, to compare runs and not as figures of the product:",
        "",
        "| figure | value |",
        "|---|---|",
        *figures,
        "",
    ]
    return "\n".join(lines)


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0))


if __name__ == "__main__":
    sys.exit(main())
