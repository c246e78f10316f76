"""A change touches what it names, moves no creation date, and never succeeds on nothing."""

from typing import Any

import pytest

from reflexio.models.enums import PlaybookStatus, Status
from reflexio.models.playbooks import (
    UpdateAgentPlaybookRequest,
    UpdatePlaybookStatusRequest,
    UpdateUserPlaybookRequest,
)
from reflexio.models.profiles import UpdateUserProfileRequest
from reflexio_core.domain.records import AgentPlaybookRecord, ProfileRecord, UserPlaybookRecord
from reflexio_core.engine.context import Engine
from reflexio_core.engine.listing import get_all_profiles
from reflexio_core.engine.writes import (
    update_agent_playbook,
    update_agent_playbook_status,
    update_user_playbook,
    update_user_profile,
)
from reflexio_core.errors import InvalidInput
from reflexio_core.ports.store import Item, Key
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.memory_store import MemoryStore
from tests.doubles.ports import FixedClock, RecordingIndex
from tests.engine.seeds import NOW, View, agent_playbook, profile, user_playbook


def _item(engine: Engine, key: Key) -> Item:
    item = engine.store.get(key)
    assert item is not None
    return item


def _fact(engine: Engine, profile_id: str = "p1") -> ProfileRecord:
    return ProfileRecord.of(_item(engine, engine.keys(TENANT).profile("ann", profile_id)))


def _lesson(engine: Engine) -> UserPlaybookRecord:
    return UserPlaybookRecord.of(_item(engine, engine.keys(TENANT).user_playbook("ann", 7)))


def _shared(engine: Engine) -> AgentPlaybookRecord:
    return AgentPlaybookRecord.of(_item(engine, engine.keys(TENANT).agent_playbook(7)))


def _change(engine: Engine, tenant: str = TENANT, **fields: Any) -> View:
    body = {"user_id": "ann", "profile_id": "p1", **fields}
    return update_user_profile(engine, tenant, UpdateUserProfileRequest.model_validate(body))


def _change_lesson(engine: Engine, number: int = 7, **fields: Any) -> View:
    return update_user_playbook(engine, TENANT, UpdateUserPlaybookRequest(user_playbook_id=number, **fields))


def _change_shared(engine: Engine, number: int = 7, **fields: Any) -> View:
    return update_agent_playbook(engine, TENANT, UpdateAgentPlaybookRequest(agent_playbook_id=number, **fields))


def test_a_changed_fact_keeps_its_creation_and_moves_its_modification(engine: Engine, clock: FixedClock) -> None:
    profile(engine, "p1", created_at=NOW - 50, last_modified_timestamp=NOW - 50, custom_features={"a": 1}, tags=["t"])
    profile(engine, "p2", last_modified_timestamp=NOW - 20)
    clock.advance(10)
    assert _change(engine, content="new text") == {"success": True, "msg": "User profile updated successfully"}
    fact = _fact(engine)
    assert (fact.content, fact.created_at, fact.last_modified_timestamp) == ("new text", NOW - 50, NOW + 10)
    assert (fact.custom_features, fact.tags) == ({"a": 1}, ["t"])
    assert [row["profile_id"] for row in get_all_profiles(engine, TENANT)["user_profiles"]] == ["p1", "p2"]


def test_words_of_a_person_are_not_evidenced_by_a_quote_of_the_former_ones(engine: Engine) -> None:
    profile(engine, "p1", source="web", source_span="I said so", created_at=NOW - 50)
    user_playbook(engine, 7, source="web", source_span="I said so")
    _change(engine, custom_features={"a": 1})
    _change_lesson(engine, playbook_name="another name")
    assert (_fact(engine).source, _fact(engine).source_span) == ("web", "I said so")
    assert (_lesson(engine).source, _lesson(engine).source_span) == ("web", "I said so")
    _change(engine, content="other words")
    _change_lesson(engine, pitfall="other words")
    assert (_fact(engine).source, _fact(engine).source_span, _fact(engine).created_at) == ("manual", None, NOW - 50)
    assert (_lesson(engine).source, _lesson(engine).source_span) == ("manual", None)


def test_a_change_grows_the_version_and_is_searched_as_changed(engine: Engine) -> None:
    profile(engine, "p1")
    key = engine.keys(TENANT).profile("ann", "p1")
    before = _item(engine, key).version
    _change(engine, content="new text")
    assert _item(engine, key).version > before
    assert isinstance(engine.index, RecordingIndex)
    assert ["new text" in doc.text for doc in engine.index.docs.values()] == [True]


@pytest.mark.parametrize(
    ("fields", "tenant"),
    [({"profile_id": "unknown"}, TENANT), ({"user_id": "bob"}, TENANT), ({}, "other")],
)
def test_a_fact_that_is_not_there_is_not_updated(engine: Engine, fields: dict[str, Any], tenant: str) -> None:
    profile(engine, "p1")
    answer = _change(engine, tenant, content="x", **fields)
    assert answer["success"] is False
    assert answer["error"] == "not_found"
    assert answer["msg"].endswith("not found")
    assert _fact(engine).content == "fact p1"


@pytest.mark.parametrize("status", [Status.SUPERSEDED, Status.MERGED, Status.EXPIRED])
def test_history_is_not_changed(engine: Engine, status: Status) -> None:
    profile(engine, "p1", status=status)
    assert _change(engine, content="x")["error"] == "not_found"
    assert _fact(engine).content == "fact p1"


def test_an_expired_fact_is_not_changed(engine: Engine, clock: FixedClock) -> None:
    profile(engine, "p1", expiration_timestamp=NOW + 1)
    clock.advance(1)
    assert _change(engine, content="x")["error"] == "not_found"


def test_a_change_that_names_nothing_does_not_succeed(engine: Engine) -> None:
    profile(engine, "p1")
    user_playbook(engine, 7)
    agent_playbook(engine, 7)
    for answer in (_change(engine), _change_lesson(engine), _change_shared(engine)):
        assert answer["success"] is False
        assert answer["error"] == "nothing_to_change"


def test_blank_content_is_refused(engine: Engine) -> None:
    profile(engine, "p1")
    agent_playbook(engine, 7)
    with pytest.raises(InvalidInput):
        _change(engine, content=" ")
    with pytest.raises(InvalidInput):
        _change_shared(engine, content=" ")


def test_a_change_over_somebody_elses_keeps_both() -> None:
    store = MemoryStore()
    engine = make_engine(store=store)
    profile(engine, "p1")

    def somebody_else(_: object) -> None:
        store.before_commit = None
        _change(engine, custom_features={"theirs": True})

    store.before_commit = somebody_else
    assert _change(engine, content="mine")["success"] is True
    assert (_fact(engine).content, _fact(engine).custom_features) == ("mine", {"theirs": True})


def test_a_user_playbook_changes_what_is_given(engine: Engine) -> None:
    user_playbook(engine, 7, trigger="when", created_at=NOW - 9)
    answer = _change_lesson(engine, content="shorter", pitfall="too short")
    assert answer == {"success": True, "msg": "User playbook updated successfully"}
    lesson = _lesson(engine)
    assert (lesson.content, lesson.trigger, lesson.pitfall) == ("shorter", "when", "too short")
    assert lesson.created_at == NOW - 9


def test_a_user_playbook_keeps_content_or_trigger(engine: Engine) -> None:
    user_playbook(engine, 7, trigger="when")
    assert _change_lesson(engine, content="")["success"] is True
    with pytest.raises(InvalidInput):
        _change_lesson(engine, trigger=" ")


def test_a_playbook_that_is_not_there_is_not_updated(engine: Engine) -> None:
    user_playbook(engine, 8, tenant="other")
    agent_playbook(engine, 8, tenant="other")
    for number in (8, 9):
        assert _change_lesson(engine, number, content="x")["error"] == "not_found"
        assert _change_shared(engine, number, content="x")["error"] == "not_found"
        request = UpdatePlaybookStatusRequest(agent_playbook_id=number, playbook_status=PlaybookStatus.APPROVED)
        answer = update_agent_playbook_status(engine, TENANT, request)
        assert answer == {"success": False, "error": "not_found", "msg": f"Agent playbook {number} not found"}


def test_an_agent_playbook_changes_text_and_verdict_together(engine: Engine) -> None:
    agent_playbook(engine, 7, created_at=NOW - 9)
    answer = _change_shared(engine, content="better", playbook_status=PlaybookStatus.APPROVED)
    assert answer == {"success": True, "msg": "Agent playbook updated successfully"}
    shared = _shared(engine)
    assert (shared.content, shared.playbook_status, shared.created_at) == ("better", PlaybookStatus.APPROVED, NOW - 9)


@pytest.mark.parametrize("before", list(PlaybookStatus))
@pytest.mark.parametrize("after", list(PlaybookStatus))
def test_every_verdict_can_follow_every_other(engine: Engine, before: PlaybookStatus, after: PlaybookStatus) -> None:
    agent_playbook(engine, 7, playbook_status=before)
    request = UpdatePlaybookStatusRequest(agent_playbook_id=7, playbook_status=after)
    answer = update_agent_playbook_status(engine, TENANT, request)
    assert answer == {"success": True, "msg": "Playbook status updated successfully"}
    assert _shared(engine).playbook_status is after
