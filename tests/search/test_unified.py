"""One search for all kinds: whose rows, which rows, how they were found, and what the answer says about it."""

import pytest

from reflexio.models.enums import PlaybookStatus, SearchMode, Status
from reflexio_core.engine.context import Engine
from reflexio_core.engine.projection import catch_up
from tests.engine.seeds import NOW, agent_playbook, profile, user_playbook
from tests.search.asking import KINDS, ids, unified
from tests.search.meanings import Meanings

APPROVED = PlaybookStatus.APPROVED


def test_every_kind_is_found_by_words_and_by_meaning(engine: Engine) -> None:
    profile(engine, "by-words", content="likes pottery")
    profile(engine, "by-meaning", content="vegan since 2019")
    user_playbook(engine, 1, trigger="before a deployment", content="confirm the target")
    agent_playbook(engine, 2, trigger="planning a meal", content="ask first", playbook_status=APPROVED)
    catch_up(engine)
    body = unified(engine, "pottery and dinner in what region")
    assert (ids(body), body["search_mode_effective"], body["degraded"]) == (
        ["by-meaning", "by-words", 1, 2],
        "hybrid",
        False,
    )
    assert "msg" not in body
    assert body["success"] is True


def test_each_mode_searches_only_its_way(engine: Engine, embedder: Meanings) -> None:
    profile(engine, "words", content="pottery")
    profile(engine, "meaning", content="vegan")
    catch_up(engine)
    embedder.asked.clear()
    assert ids(unified(engine, "pottery dinner", search_mode=SearchMode.FTS)) == ["words"]
    assert embedder.asked == []
    body = unified(engine, "pottery dinner", search_mode=SearchMode.VECTOR)
    assert (ids(body), body["search_mode_effective"]) == (["meaning"], "vector")


def test_a_threshold_replaces_the_models_floor(engine: Engine) -> None:
    profile(engine, "half", content="vegan nurse")
    catch_up(engine)
    assert ids(unified(engine, "dinner", search_mode=SearchMode.VECTOR)) == ["half"]
    assert ids(unified(engine, "dinner", search_mode=SearchMode.VECTOR, threshold=0.8)) == []
    assert ids(unified(engine, "dinner", search_mode=SearchMode.VECTOR, threshold=0.0)) == ["half"]


def test_nothing_relevant_gives_nothing(engine: Engine) -> None:
    profile(engine, "p", content="the user is a nurse")
    user_playbook(engine, 1, trigger="before a deployment", content="confirm the target")
    catch_up(engine)
    body = unified(engine, "what is it about the opera in Vienna?")
    assert ids(body) == []
    assert body["success"] is True


def test_rows_of_other_users_and_tenants_never_appear(engine: Engine) -> None:
    for tenant in ("acme", "acme2"):
        for user in ("u1", "u10", "u1#PRO", "U1"):
            profile(engine, f"{tenant}-{user}", tenant=tenant, user_id=user, content="deploy")
            user_playbook(engine, abs(hash((tenant, user))) % 10**9, tenant=tenant, user_id=user, content="deploy")
    agent_playbook(engine, 7, tenant="acme2", content="deploy", playbook_status=APPROVED)
    catch_up(engine)
    for tenant in ("acme", "acme2"):
        for user in ("u1", "u10", "u1#PRO", "U1"):
            body = unified(engine, "deploy", user_id=user, tenant=tenant)
            assert [row["profile_id"] for row in body["profiles"]] == [f"{tenant}-{user}"]
            assert [row["user_id"] for row in body["user_playbooks"]] == [user]
            assert ids({"agent_playbooks": body["agent_playbooks"]}) == ([7] if tenant == "acme2" else [])
    for user in ("u", "u1#", "*", "%", "u1*"):
        assert not any(unified(engine, "deploy", user_id=user)[kind] for kind in KINDS)


def test_without_a_user_only_agent_playbooks_are_searched_and_the_answer_says_so(engine: Engine) -> None:
    profile(engine, "p", content="deploy")
    user_playbook(engine, 1, content="deploy")
    agent_playbook(engine, 2, content="deploy", playbook_status=APPROVED)
    catch_up(engine)
    body = unified(engine, "deploy", user_id=None)
    assert ids(body) == [2]
    assert "user_id" in body["msg"]
    only_personal = unified(engine, "deploy", user_id=None, entity_types=["profiles"])
    assert ids(only_personal) == []
    assert "user_id" in only_personal["msg"]
    assert "msg" not in unified(engine, "deploy", user_id=None, entity_types=["agent_playbooks"])


def test_only_requested_kinds_are_searched(engine: Engine) -> None:
    profile(engine, "p", content="deploy")
    user_playbook(engine, 1, content="deploy")
    catch_up(engine)
    assert ids(unified(engine, "deploy", entity_types=["user_playbooks"])) == [1]
    assert ids(unified(engine, "deploy", entity_types=[])) == []


def test_superseded_pending_archived_and_expired_rows_are_not_served(engine: Engine) -> None:
    for number, status in enumerate(Status, 1):
        profile(engine, f"p-{status}", content="deploy", status=status)
        user_playbook(engine, number, content="deploy", status=status)
        agent_playbook(engine, number, content="deploy", status=status, playbook_status=APPROVED)
    profile(engine, "expired", content="deploy", expiration_timestamp=NOW - 1)
    profile(engine, "expires-now", content="deploy", expiration_timestamp=int(engine.clock.now()))
    profile(engine, "current", content="deploy", expiration_timestamp=NOW + 1_000)
    catch_up(engine)
    assert ids(unified(engine, "deploy")) == ["current"]


def test_agent_playbooks_are_approved_ones_unless_asked_otherwise(engine: Engine) -> None:
    for number, status in enumerate(PlaybookStatus, 1):
        agent_playbook(engine, number, content="deploy", playbook_status=status)
    catch_up(engine)
    found = {status: ids(unified(engine, "deploy", agent_playbook_status_filter=[status])) for status in PlaybookStatus}
    assert found == {PlaybookStatus.PENDING: [1], APPROVED: [2], PlaybookStatus.REJECTED: [3]}
    assert ids(unified(engine, "deploy")) == [2]
    assert sorted(ids(unified(engine, "deploy", agent_playbook_status_filter=list(PlaybookStatus)))) == [1, 2, 3]


def test_filters_apply_to_the_kinds_that_have_the_field(engine: Engine) -> None:
    profile(engine, "bot", content="deploy", source="bot", tags=["x"])
    profile(engine, "shop", content="deploy", source="shop")
    user_playbook(engine, 1, content="deploy", source="bot", agent_version="v1", tags=["x"], playbook_name="a")
    user_playbook(engine, 2, content="deploy", source="shop", agent_version="v2")
    agent_playbook(engine, 3, content="deploy", agent_version="v1", playbook_status=APPROVED, tags=["x", "y"])
    agent_playbook(engine, 4, content="deploy", agent_version="v2", playbook_status=APPROVED)
    catch_up(engine)
    assert sorted(ids(unified(engine, "deploy", source="bot")), key=str) == [1, 3, 4, "bot"]
    assert ids(unified(engine, "deploy", agent_version="v1", source="bot")) == ["bot", 1, 3]
    assert ids(unified(engine, "deploy", tags=["x"])) == ["bot", 1, 3]
    assert ids(unified(engine, "deploy", playbook_name="a", entity_types=["user_playbooks"])) == [1]


def test_a_crowd_that_filters_leave_out_never_starves_an_answer(engine: Engine) -> None:
    for number in range(150):
        profile(engine, f"crowd{number}", content="deploy deploy deploy", status=Status.SUPERSEDED)
    profile(engine, "one", content="we deploy on days that nobody else would choose")
    catch_up(engine)
    assert ids(unified(engine, "deploy", top_k=1)) == ["one"]


def test_a_user_playbook_behind_its_agent_playbook_makes_room(engine: Engine) -> None:
    for number in range(1, 8):
        user_playbook(engine, number, content="deploy carefully", created_at=NOW + number)
    agent_playbook(engine, 50, content="deploy carefully", playbook_status=APPROVED, source_user_playbook_ids=(7, 6, 5))
    catch_up(engine)
    body = unified(engine, "deploy", top_k=3)
    assert [row["user_playbook_id"] for row in body["user_playbooks"]] == [4, 3, 2]
    assert [row["agent_playbook_id"] for row in body["agent_playbooks"]] == [50]
    assert not [name for row in body["agent_playbooks"] for name in row if name.startswith("_")]


def test_an_agent_playbook_that_is_not_served_covers_nothing(engine: Engine) -> None:
    user_playbook(engine, 1, content="deploy carefully")
    agent_playbook(engine, 2, content="deploy carefully", source_user_playbook_ids=(1,))
    catch_up(engine)
    assert ids(unified(engine, "deploy")) == [1]


def test_top_k_counts_each_kind(engine: Engine) -> None:
    for number in range(1, 9):
        profile(engine, f"p{number}", content="deploy")
        user_playbook(engine, number, content="deploy")
    catch_up(engine)
    body = unified(engine, "deploy")
    assert (len(body["profiles"]), len(body["user_playbooks"])) == (5, 5)
    assert len(unified(engine, "deploy", top_k=8)["profiles"]) == 8
    assert len(unified(engine, "deploy", top_k=None)["profiles"]) == 5


def test_a_query_that_opts_out_gets_no_personal_rows(engine: Engine) -> None:
    profile(engine, "p", content="vegan")
    agent_playbook(engine, 2, trigger="planning dinner", content="ask first", playbook_status=APPROVED)
    catch_up(engine)
    body = unified(engine, "plan a dinner, don't use my preferences")
    assert ids(body) == [2]
    assert "left out" in body["msg"]


@pytest.mark.parametrize("field", ["enable_reformulation", "enable_agent_answer"])
def test_what_is_not_done_is_said(engine: Engine, field: str) -> None:
    assert "msg" in unified(engine, "deploy", **{field: True})
    assert "msg" not in unified(engine, "deploy", **{field: False})


def test_no_query_breaks_a_search(engine: Engine) -> None:
    profile(engine, "p", content="likes pottery")
    catch_up(engine)
    for query in ("pottery \x00", "pottery \ud800", "🏺 pottery", 'pottery" OR *', "pottery " * 1_250, "\u202epottery"):
        assert ids(unified(engine, query)) == ["p"], repr(query[:20])
