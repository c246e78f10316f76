"""What holds for every test: no key of a developer is spent, no setting of a developer counts, no example is random."""

import os
from collections import Counter

import pytest
from hypothesis import settings

KEPT = {"REFLEXIO_FUZZ_EXAMPLES", "REFLEXIO_MODEL_DIR", "REFLEXIO_TEST_URL"}
"""Settings of the tests themselves."""

PROVIDER_SUFFIXES = ("_API_KEY", "_API_BASE", "_BASE_URL", "_API_VERSION")

for name in list(os.environ):
    if name not in KEPT and (name.startswith("REFLEXIO_") or name.endswith(PROVIDER_SUFFIXES)):
        del os.environ[name]

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse two tests of one name: spread over processes, only one of them would run."""
    repeated = [name for name, count in Counter(item.nodeid for item in items).items() if count > 1]
    if repeated:
        raise pytest.UsageError(f"several tests have the name {repeated[0]}")
