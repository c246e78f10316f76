"""The runner counts honestly: every test once, failures of any phase, skips by reason."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.runner.outcomes import Outcomes, Result, adapters_of, tier_of
from tests.runner.reviewed_skips import FILE, ReviewedSkip, read_reviewed, unreviewed
from tests.runner.summary import summary, totals

ROOT = Path(__file__).resolve().parents[2]

SAMPLE = """
import pytest

@pytest.mark.parametrize("store", ["sqlite", "dynamodb"])
def test_passes(store):
    pass

@pytest.fixture
def untidy():
    yield
    raise RuntimeError("cleaning up fails")

def test_passes_and_then_fails_to_clean_up(untidy):
    pass

def test_is_skipped():
    pytest.skip("no such thing here")

@pytest.mark.xfail(reason="known", strict=True)
def test_is_expected_to_fail():
    assert False
"""


def run_sample(
    folder: Path, *arguments: str, sample: str = SAMPLE, processes: int = 0
) -> subprocess.CompletedProcess[str]:
    (folder / "test_sample.py").write_text(sample)
    pytest_options = ["-n", str(processes), "--rootdir", str(folder), "-c", "/dev/null"]
    command = [sys.executable, "-m", "tests.runner", *arguments, str(folder), *pytest_options]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)


@pytest.mark.parametrize("processes", [0, 2])
def test_last_line_has_the_totals_and_a_failed_cleanup_is_one_failure(tmp_path: Path, processes: int) -> None:
    done = run_sample(tmp_path, processes=processes)
    assert done.stdout.splitlines()[-1] == "2 passed, 1 failed, 2 skipped"
    assert done.returncode == 1


def test_strict_fails_on_a_skip_that_nobody_reviewed_and_names_it(tmp_path: Path) -> None:
    sample = "import pytest\ndef test_a():\n    pytest.skip('no such thing here')\n"
    assert run_sample(tmp_path, sample=sample).returncode == 0
    strict = run_sample(tmp_path, "--strict", sample=sample)
    assert strict.returncode == 1
    assert "skipped without review: test_sample.py::test_a | no such thing here" in strict.stdout


def test_a_module_that_cannot_be_imported_is_a_failure(tmp_path: Path) -> None:
    done = run_sample(tmp_path, sample="import no_such_module\n")
    assert done.returncode != 0
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed, 0 skipped"


def test_no_tests_at_all_is_no_success(tmp_path: Path) -> None:
    assert run_sample(tmp_path, sample="").returncode != 0


def test_tier_is_the_folder_and_adapters_come_from_path_and_parameters() -> None:
    assert tier_of("tests/contract/store/test_commits.py::test_x[sqlite]") == "contract"
    assert tier_of("tests/test_readme.py::test_x") == "(top)"
    assert adapters_of("tests/contract/store/test_commits.py::test_x[dynamodb-5]") == {"dynamodb"}
    assert adapters_of("tests/contract/store/test_sqlite_alone.py::test_x") == {"sqlite"}
    assert adapters_of("tests/contract/index/test_words.py::test_x[sqlite-fts5]") == {"sqlite-fts5"}
    assert adapters_of("tests/llm/test_routing.py::test_x[sqlite3 is a word]") == {"litellm"}
    assert adapters_of("tests/api/test_routes.py::test_x") == set()


def test_phases_of_a_test_are_one_outcome_with_the_gravest_result() -> None:
    outcomes = Outcomes()
    for result in (Result.PASSED, Result.FAILED, Result.PASSED):
        outcomes.add("tests/api/test_a.py::test_a", result, "", 0.5)
    assert totals(outcomes) == "0 passed, 1 failed, 0 skipped"
    assert any("tests/api/test_a.py::test_a" in line and "1.5 s" in line for line in summary(outcomes))


def test_a_review_needs_an_id_and_a_reason() -> None:
    assert read_reviewed("# why\ntests/a.py | no network\n\n") == [ReviewedSkip("tests/a.py", "no network")]
    for line in ("tests/a.py", "tests/a.py | ", " | no network"):
        with pytest.raises(ValueError, match="line 1"):
            read_reviewed(line)


def test_a_review_covers_its_reason_alone() -> None:
    reviewed = [ReviewedSkip("tests/a.py", "no network")]
    assert unreviewed([("tests/a.py::test", "there is no network here")], reviewed) == []
    assert unreviewed([("tests/a.py::test", "too slow")], reviewed) == [("tests/a.py::test", "too slow")]


def test_the_reviewed_list_can_be_read() -> None:
    read_reviewed(FILE.read_text())
