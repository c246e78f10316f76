"""An engine over doubles, and clients of the application on it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastapi import FastAPI

from reflexio_core.api.app import create_app
from reflexio_core.api.settings import AccessSettings
from reflexio_core.engine.context import Engine
from tests.api.in_process import InProcess
from tests.doubles.engine import make_engine

Connect = Callable[..., InProcess]


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    """One event loop for all tests."""
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture
def engine() -> Engine:
    """An engine over doubles."""
    return make_engine()


@pytest.fixture
def connect(engine: Engine, portal: BlockingPortal) -> Connect:
    """Makes a client of a fresh application: access settings first, ``create_app``'s options by name."""

    def make(
        access: AccessSettings | None = None, *, client: dict[str, Any] | None = None, **options: Any
    ) -> InProcess:
        return InProcess(create_app(engine, access or AccessSettings(), **options), portal, **(client or {}))

    return make


@pytest.fixture(scope="session")
def standing(portal: BlockingPortal) -> Connect:
    """Makes clients of applications that stand for the whole session, one for each access setting.

    For calls that are refused or only read: making an application costs more than most tests.
    """
    apps: dict[AccessSettings, FastAPI] = {}

    def make(access: AccessSettings | None = None, **client: Any) -> InProcess:
        access = access or AccessSettings()
        if access not in apps:
            apps[access] = create_app(make_engine(), access)
        return InProcess(apps[access], portal, **client)

    return make


@pytest.fixture
def client(connect: Connect) -> InProcess:
    """A client on this machine, of an application without a key."""
    return connect()


@pytest.fixture
def conversation() -> dict[str, Any]:
    """A publish body of two turns."""
    return {
        "user_id": "ada",
        "session_id": "deploys",
        "interaction_data_list": [
            {"role": "user", "content": "Deploy the service."},
            {"role": "assistant", "content": "Deploying to us-west-2."},
        ],
    }
