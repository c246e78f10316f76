"""What filters, searches and writes may hold, and what answers add to the published wire."""

import importlib
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from reflexio.models.base import SOURCE_PATTERN, Listing, ListingReply, Reply, WireModel
from reflexio.models.enums import Status
from reflexio.models.extraction_config import ProfileExtractorConfig
from reflexio.models.interactions import (
    DeleteUserInteractionRequest,
    GetInteractionsRequest,
    GetRequestsRequest,
    LearningStatusResponse,
    SearchInteractionRequest,
)
from reflexio.models.playbooks import AddAgentPlaybookRequest, AddUserPlaybookRequest, SearchUserPlaybookRequest
from reflexio.models.profiles import AddUserProfileRequest, GetUserProfilesRequest, SearchUserProfileRequest
from reflexio.models.search import UnifiedSearchRequest, UnifiedSearchViewResponse
from reflexio.models.service import ClearUserDataRequest

MODULES = ("experiments", "interactions", "playbook_rows", "playbooks", "profiles", "search", "service", "turns")
MODELS = sorted(
    {
        model
        for module in MODULES
        for model in vars(importlib.import_module(f"reflexio.models.{module}")).values()
        if isinstance(model, type) and issubclass(model, WireModel)
    },
    key=lambda model: model.__name__,
)
RANGES = [GetInteractionsRequest, GetUserProfilesRequest, SearchInteractionRequest, SearchUserProfileRequest]
SAID_BY_A_PERSON = 20
"""A docstring shorter than this says nothing."""


def _is_label(field: FieldInfo) -> bool:
    return SOURCE_PATTERN in repr(field)


def refusal(model: type[BaseModel], body: object) -> str:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(body)
    return str(caught.value)


@pytest.mark.parametrize("model", RANGES)
def test_filter_times_without_an_offset_are_utc(model: type[BaseModel]) -> None:
    request = model.model_validate({"user_id": "u", "start_time": "2026-01-01T00:00:00"})
    assert request.start_time == datetime(2026, 1, 1, tzinfo=UTC)  # type: ignore[attr-defined]


@pytest.mark.parametrize("model", RANGES)
@pytest.mark.parametrize("end", ["2026-01-01T00:00:00Z", "2025-12-31T00:00:00Z", "2026-01-01T01:00:00+01:00"])
def test_a_range_ends_after_it_starts(model: type[BaseModel], end: str) -> None:
    body = {"user_id": "u", "start_time": "2026-01-01T00:00:00Z", "end_time": end}
    assert "end_time must be after start_time" in refusal(model, body)


def test_a_filter_date_that_does_not_exist_in_utc_is_refused_not_crashed_on() -> None:
    body = {"user_id": "u", "start_time": "0001-01-01T00:00:00+14:00"}
    assert "outside the years" in refusal(GetInteractionsRequest, body)


@pytest.mark.parametrize("blank", ["", "   ", "\n"])
def test_an_empty_scope_is_never_all_scopes(blank: str) -> None:
    for model in (GetInteractionsRequest, GetUserProfilesRequest, ClearUserDataRequest, GetRequestsRequest):
        assert "must not be blank" in refusal(model, {"user_id": blank})
    for model in (UnifiedSearchRequest, SearchUserPlaybookRequest):
        assert "must not be blank" in refusal(model, {"user_id": blank, "query": "q"})


@pytest.mark.parametrize("query", ["", " \n\t", "\u3000"])
def test_a_unified_search_needs_a_query(query: str) -> None:
    assert "the query must not be blank" in refusal(UnifiedSearchRequest, {"query": query})


@pytest.mark.parametrize("query", ['+-=&&||><!(){}[]^"~*?:\\/', "mcp", "\x00", "\ud800 x", "مرحبا", "😀", "x" * 10_000])
def test_any_text_up_to_ten_thousand_characters_is_a_query(query: str) -> None:
    assert len(UnifiedSearchRequest(query=query).query) == len(query)


def test_a_longer_query_is_refused() -> None:
    assert "at most 10000" in refusal(UnifiedSearchRequest, {"query": "x" * 10_001})


@pytest.mark.parametrize("top_k", [0, -1, 101])
def test_a_unified_search_returns_one_to_a_hundred_of_a_kind(top_k: int) -> None:
    assert "top_k" in refusal(UnifiedSearchRequest, {"query": "q", "top_k": top_k})


def test_a_user_with_the_longest_id_can_be_searched() -> None:
    assert UnifiedSearchRequest(query="q", user_id="u" * 512).user_id == "u" * 512
    assert SearchUserPlaybookRequest(session_id="s" * 512).session_id == "s" * 512


def test_absurd_counts_mean_all_rows_and_absurd_ids_are_refused() -> None:
    assert GetInteractionsRequest(user_id="u", top_k=10**30).top_k == 1_000_000
    assert "ids are at most" in refusal(DeleteUserInteractionRequest, {"user_id": "u", "interaction_id": 2**53})


def test_rows_written_by_hand_must_say_something() -> None:
    playbook = {"agent_version": "v", "request_id": "r"}
    assert "user_playbooks[1] has neither" in refusal(
        AddUserPlaybookRequest, {"user_playbooks": [{**playbook, "trigger": "t"}, {**playbook, "content": " "}]}
    )
    assert "agent_playbooks[0] has no content" in refusal(
        AddAgentPlaybookRequest, {"agent_playbooks": [{"agent_version": "v", "content": ""}]}
    )
    profile = {
        "profile_id": "p",
        "user_id": "u",
        "content": "\n",
        "last_modified_timestamp": 1,
        "generated_from_request_id": "r",
    }
    assert "user_profiles[0] has no content" in refusal(AddUserProfileRequest, {"user_profiles": [profile]})


def test_current_is_null_on_the_wire() -> None:
    request = GetUserProfilesRequest(user_id="u", status_filter=[Status.CURRENT, Status.ARCHIVED])
    assert json.loads(request.model_dump_json())["status_filter"] == [None, "archived"]
    assert list(Status) == ["archived", "pending", "archive_in_progress", "merged", "superseded", "expired"]


def test_every_answer_with_an_outcome_has_a_stable_error_code() -> None:
    outcomes = [model for model in MODELS if "success" in model.model_fields]
    assert len(outcomes) > 30
    assert {model for model in outcomes if not issubclass(model, Reply)} == set()


def test_every_listing_can_be_continued() -> None:
    asked = {model.__name__ for model in MODELS if issubclass(model, Listing)} - {"Listing"}
    answered = {model.__name__ for model in MODELS if issubclass(model, ListingReply)} - {"ListingReply"}
    kinds = ("Interactions", "Requests", "UserPlaybooks", "AgentPlaybooks")
    assert asked == {f"Get{kind}Request" for kind in kinds} | {"GetUserProfilesRequest"}
    assert answered == {f"Get{kind}ViewResponse" for kind in kinds} | {"GetProfilesViewResponse"}


def test_searches_say_which_parts_are_degraded() -> None:
    answers = [m for m in MODELS if m.__name__.startswith(("Search", "Unified")) and m.__name__.endswith("Response")]
    assert len(answers) == 5
    assert all({"degraded", "degraded_parts"} <= set(model.model_fields) for model in answers)


def test_an_answer_from_a_newer_service_is_read() -> None:
    answer = UnifiedSearchViewResponse.model_validate({"success": True, "tomorrow": {"x": 1}})
    assert not hasattr(answer, "tomorrow")
    assert LearningStatusResponse.model_validate({"status": "done", "usage": {"calls": 1}}).usage == {"calls": 1}


def test_why_learning_is_being_retried_is_read() -> None:
    answer = {"status": "pending", "reason": "retrying", "error": "llm_unavailable"}
    assert LearningStatusResponse.model_validate(answer).error == "llm_unavailable"


@pytest.mark.parametrize(
    ("model", "name"),
    [
        *((model, name) for model in MODELS for name, field in model.model_fields.items() if _is_label(field)),
        (ProfileExtractorConfig, "request_sources_enabled"),
    ],
)
def test_a_label_of_neither_form_is_refused_once_naming_the_field_and_both_forms(
    model: type[BaseModel], name: str
) -> None:
    for wrong in ("Support Bot", "a" * 129, 7):
        with pytest.raises(ValidationError) as caught:
            model.model_validate({name: [wrong] if name == "request_sources_enabled" else wrong})
        [problem] = [error for error in caught.value.errors() if error["loc"][0] == name]
        assert set(problem["loc"]) <= {name, 0}
        assert problem["msg"] == f"Input should be empty or match '{SOURCE_PATTERN}'"


@pytest.mark.parametrize("label", ["", "support-bot", "a" * 128])
def test_a_label_is_empty_or_of_its_pattern(label: str) -> None:
    assert SearchUserPlaybookRequest(source=label).source == label


@pytest.mark.parametrize("model", MODELS)
def test_every_model_says_what_it_is(model: type[BaseModel]) -> None:
    assert model.__doc__ is not None
    assert len(model.__doc__) > SAID_BY_A_PERSON
    assert model.__doc__.rstrip().endswith(".")


def test_no_module_is_over_the_house_limit() -> None:
    package = Path(importlib.import_module("reflexio").__file__ or "").parent
    lines = {path: len(path.read_text().splitlines()) for path in package.rglob("*.py")}
    assert {path for path, count in lines.items() if count > 400} == set()
