"""A token belongs to its tenant, its listing and its conditions, and to nothing else."""

import base64
import json
from typing import Any

import pytest

from reflexio.models.interactions import GetInteractionsRequest, GetRequestsRequest
from reflexio.models.playbooks import GetUserPlaybooksRequest
from reflexio.models.profiles import GetUserProfilesRequest
from reflexio_core.engine.context import Engine
from reflexio_core.engine.listing import (
    get_all_profiles,
    get_interactions,
    get_profiles,
    get_requests,
    get_user_playbooks,
)
from reflexio_core.engine.paging import Budget, Place, Row, Tokens, collect
from reflexio_core.errors import InvalidInput
from tests.doubles.engine import TENANT
from tests.engine.seeds import profile


@pytest.fixture
def token(engine: Engine) -> str:
    """A token of Ann's facts that mention "fact"."""
    for number in range(3):
        profile(engine, f"p{number}")
    request = GetUserProfilesRequest(user_id="ann", query="fact", top_k=1)
    return str(get_profiles(engine, TENANT, request)["next_token"])


def test_the_page_size_may_change_from_page_to_page(engine: Engine, token: str) -> None:
    request = GetUserProfilesRequest(user_id="ann", query="fact", top_k=2, next_token=token)
    assert len(get_profiles(engine, TENANT, request)["user_profiles"]) == 2


@pytest.mark.parametrize(
    ("tenant", "conditions"),
    [
        ("other", {"user_id": "ann", "query": "fact"}),
        (TENANT, {"user_id": "bob", "query": "fact"}),
        (TENANT, {"user_id": "ann", "query": "other"}),
        (TENANT, {"user_id": "ann"}),
    ],
)
def test_a_token_of_another_tenant_or_query_is_refused(
    engine: Engine, token: str, tenant: str, conditions: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        get_profiles(engine, tenant, GetUserProfilesRequest(next_token=token, **conditions))
    assert refusal.value.field == "next_token"


def test_a_token_of_another_listing_is_refused_by_every_listing(engine: Engine, token: str) -> None:
    with pytest.raises(InvalidInput):
        get_all_profiles(engine, TENANT, user_id="ann", query="fact", next_token=token)
    with pytest.raises(InvalidInput):
        get_user_playbooks(engine, TENANT, GetUserPlaybooksRequest(user_id="ann", next_token=token))
    with pytest.raises(InvalidInput):
        get_interactions(engine, TENANT, GetInteractionsRequest(user_id="ann", next_token=token))
    with pytest.raises(InvalidInput):
        get_requests(engine, TENANT, GetRequestsRequest(user_id="ann", next_token=token))


class _At(Place):
    number: int


def _tokens() -> Tokens[_At]:
    return Tokens.of(TENANT, "numbers", {}, _At)


def _encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "rubbish",
    [
        "",
        "=",
        "abc",
        "é",
        _encoded(5),
        _encoded([]),
        _encoded(["seal"]),
        _encoded(["seal", 5]),
        _encoded(["seal", "{}"]),
        _encoded(["seal", "\ud800"]),
        _encoded({"seal": 1, "state": 2}),
    ],
)
def test_rubbish_is_refused_and_not_a_crash(rubbish: str) -> None:
    with pytest.raises(InvalidInput):
        _tokens().read(rubbish)


def test_an_altered_token_is_refused() -> None:
    token = _tokens().make(_At(number=1))
    assert token is not None
    seal, state = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    assert _tokens().read(token) == _At(number=1)
    with pytest.raises(InvalidInput):
        _tokens().read(_encoded([seal, state.replace("1", "2")]))


def _rows(fits: list[bool]) -> list[Row[_At]]:
    return [Row(_At(number=number), {"n": number} if fit else None) for number, fit in enumerate(fits)]


def test_a_call_that_looked_enough_answers_what_it_has_and_where_it_stopped() -> None:
    views, behind = collect(_rows([True] + [False] * 20), Budget(10, examined=5))
    assert views == [{"n": 0}]
    assert behind == _At(number=4)


def test_an_answer_that_would_be_too_large_is_continued() -> None:
    rows = [Row(_At(number=number), {"text": "x" * 400}) for number in range(5)]
    views, behind = collect(rows, Budget(10, answer_bytes=1000))
    assert len(views) == 2
    assert behind == _At(number=1)


def test_a_row_larger_than_any_answer_goes_out_alone() -> None:
    rows = [Row(_At(number=number), {"text": "x" * 4000}) for number in range(2)]
    views, behind = collect(rows, Budget(10, answer_bytes=1000))
    assert len(views) == 1
    assert behind == _At(number=0)


def test_rows_that_do_not_fit_behind_a_full_page_are_not_announced() -> None:
    assert collect(_rows([True, True, False, False]), Budget(2)) == ([{"n": 0}, {"n": 1}], None)
