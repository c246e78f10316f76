"""Collects outcomes while pytest runs, in one process or spread over several."""

import pytest

from tests.runner.outcomes import Outcomes, Result


class CountingPlugin:
    """A pytest plugin; ``outcomes`` is complete when the run is over."""

    def __init__(self) -> None:
        self.outcomes = Outcomes()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A phase of a test is over."""
        self.outcomes.add(report.nodeid, _result(report), _reason(report), report.duration)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A module was collected, skipped as a whole, or cannot be imported."""
        if not report.passed:
            self.outcomes.add(report.nodeid or "tests", _result(report), _reason(report), 0.0)


def _result(report: pytest.TestReport | pytest.CollectReport) -> Result:
    if report.failed:
        return Result.FAILED
    return Result.SKIPPED if report.skipped else Result.PASSED


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    expected_failure = getattr(report, "wasxfail", "")
    if expected_failure:
        return f"expected to fail: {expected_failure}"
    if not report.skipped:
        return ""
    text = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")
