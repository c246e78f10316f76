"""What a tenant is told about itself is true, and counted by what is current now."""

import pytest

from reflexio.models.enums import Status
from reflexio_core.engine import account
from reflexio_core.engine.context import Engine
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.ports import FixedClock
from tests.doubles.silent_llm import SilentLlm
from tests.engine.seeds import NOW, profile, user_playbook

DAY = 86_400


def test_whoami_names_tenant_store_and_learner() -> None:
    engine = make_engine(llm=SilentLlm())
    assert account.whoami(engine, TENANT) == {
        "success": True,
        "org_id": TENANT,
        "storage_type": "memory",
        "storage_label": "memory of the test",
        "storage_configured": True,
        "learner": "silent",
        "message": "",
    }


def test_storage_stats_count_one_users_rows_and_leave_history_out(engine: Engine) -> None:
    profile(engine, "a", last_modified_timestamp=NOW - 60)
    profile(engine, "b", status=Status.PENDING, last_modified_timestamp=NOW)
    profile(engine, "c", status=Status.ARCHIVED, last_modified_timestamp=NOW - 30)
    profile(engine, "d", status=Status.SUPERSEDED, last_modified_timestamp=NOW - 999)
    profile(engine, "e", user_id="bob")
    user_playbook(engine, 1)
    user_playbook(engine, 2, status=Status.MERGED)
    user_playbook(engine, 3, user_id="bob")
    assert account.storage_stats(engine, TENANT, "ann") == {
        "success": True,
        "profile_count": 3,
        "playbook_count": 1,
        "oldest_profile_modified": "2026-09-21T14:12:20Z",
        "newest_profile_modified": "2026-09-21T14:13:20Z",
        "msg": "Found 3 profile(s) and 1 playbook(s)",
    }


def test_a_user_with_nothing_has_zero_rows_and_no_dates(engine: Engine) -> None:
    assert account.storage_stats(engine, TENANT, "nobody") == {
        "success": True,
        "profile_count": 0,
        "playbook_count": 0,
        "msg": "Found 0 profile(s) and 0 playbook(s)",
    }


def test_profile_statistics_count_by_status_and_by_what_expires_soon(engine: Engine, clock: FixedClock) -> None:
    profile(engine, "for good")
    profile(engine, "soon", expiration_timestamp=NOW + 7 * DAY)
    profile(engine, "later", expiration_timestamp=NOW + 8 * DAY)
    profile(engine, "lapsed", expiration_timestamp=NOW)
    profile(engine, "waiting", status=Status.PENDING, user_id="bob")
    profile(engine, "kept", status=Status.ARCHIVED)
    profile(engine, "gone", status=Status.MERGED)
    profile(engine, "elsewhere", tenant="other")
    assert account.profile_statistics(engine, TENANT) == {
        "success": True,
        "current_count": 3,
        "pending_count": 1,
        "archived_count": 1,
        "expiring_soon_count": 1,
    }


def test_statistics_of_many_facts_say_when_they_stop_counting(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(7):
        profile(engine, f"p{number}")
    monkeypatch.setattr(account, "_PAGE_ITEMS", 2)
    assert account.profile_statistics(engine, TENANT)["current_count"] == 7
    monkeypatch.setattr(account, "MOST_COUNTED", 5)
    answer = account.profile_statistics(engine, TENANT)
    assert answer["current_count"] == 5
    assert answer["msg"] == "Counted the 5 latest changed profiles; there are more"
