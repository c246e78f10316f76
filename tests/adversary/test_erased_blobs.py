"""What was said leaves the disk with its request, wherever an erasure dies and is taken up again."""

from typing import Any

import pytest

from reflexio.models.interactions import DeleteRequestRequest, InteractionData, PublishUserInteractionRequest
from reflexio.models.service import ClearUserDataRequest
from reflexio_core.engine import erase
from reflexio_core.engine.erasure import run_erasures
from reflexio_core.engine.publish import publish
from reflexio_core.engine.requests import INLINE_BYTES
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.ports import DictBlobs
from tests.doubles.stepping_store import Crash, SteppingStore, crash

LARGE = PublishUserInteractionRequest(
    user_id="u",
    session_id="s",
    request_id="large",
    interaction_data_list=[InteractionData(content="x" * INLINE_BYTES)],
)


@pytest.mark.parametrize(
    ("delete", "request_body"),
    [
        (erase.delete_request, DeleteRequestRequest(request_id="large")),
        (erase.clear_user_data, ClearUserDataRequest(user_id="u")),
    ],
    ids=["request", "user"],
)
def test_no_blob_outlives_its_request_wherever_its_erasure_died(delete: Any, request_body: Any) -> None:
    at, died = 0, True
    while died:
        at += 1
        blobs = DictBlobs()
        engine = make_engine(blobs=blobs)
        publish(engine, TENANT, LARGE, [])
        assert blobs.data, "the turn is not large enough for a blob"
        try:
            delete(make_engine(store=SteppingStore(engine.store, at, crash), blobs=blobs), TENANT, request_body)
            died = False
        except Crash:
            run_erasures(engine, TENANT, "u")
            delete(engine, TENANT, request_body)
        assert blobs.data == {}, f"left by an erasure that died before call {at} of the store"
    assert at > 3
