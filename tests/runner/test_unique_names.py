"""A test whose name another has would not run when tests are spread over processes."""

from types import SimpleNamespace

import pytest

from tests.conftest import pytest_collection_modifyitems


def test_two_tests_of_one_name_are_refused() -> None:
    items = [SimpleNamespace(nodeid=name) for name in ("a.py::one", "a.py::two", "a.py::one")]
    with pytest.raises(pytest.UsageError, match=r"a\.py::one"):
        pytest_collection_modifyitems(items)


def test_tests_of_different_names_are_taken() -> None:
    pytest_collection_modifyitems([SimpleNamespace(nodeid=name) for name in ("a.py::one", "a.py::two")])
