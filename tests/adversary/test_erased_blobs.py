"""What was said leaves the disk with its request, wherever an erasure dies and is taken up again."""

import zlib
from typing import Any

import pytest

from reflexio.models.interactions import (
    DeleteRequestRequest,
    DeleteUserInteractionRequest,
    InteractionData,
    PublishUserInteractionRequest,
)
from reflexio.models.service import ClearUserDataRequest
from reflexio_core.domain.records import RequestRecord
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


def test_no_erased_turn_outlives_its_erasure_wherever_that_died() -> None:
    turns = [InteractionData(content=letter * INLINE_BYTES) for letter in "ab"]
    two = LARGE.model_copy(update={"interaction_data_list": turns})
    at, died = 0, True
    while died:
        at += 1
        blobs = DictBlobs()
        engine = make_engine(blobs=blobs)
        publish(engine, TENANT, two, [])
        [item] = engine.store.query(engine.keys(TENANT).requests("u", 1)).items
        first = DeleteUserInteractionRequest(user_id="u", interaction_id=RequestRecord.of(item).first_interaction_id)
        try:
            erase.delete_interaction(
                make_engine(store=SteppingStore(engine.store, at, crash), blobs=blobs), TENANT, first
            )
            died = False
        except Crash:
            run_erasures(engine, TENANT, "u")
            erase.delete_interaction(engine, TENANT, first)
        left = [zlib.decompress(data) for data in blobs.data.values()]
        assert len(left) == 1, f"left by an erasure that died before call {at} of the store"
        assert b"aaa" not in left[0]
    assert at > 3
