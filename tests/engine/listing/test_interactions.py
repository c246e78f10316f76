"""Turns are listed newest publication first, and no page loses or repeats one."""

import pytest

from reflexio.models.interactions import GetInteractionsRequest
from reflexio_core.engine.context import Engine
from reflexio_core.engine.listing import get_all_interactions, get_interactions
from reflexio_core.engine.listing import interactions as module
from reflexio_core.errors import InvalidInput
from reflexio_core.ports.store import Delete
from tests.doubles.engine import TENANT
from tests.engine.seeds import NOW, View, said, walk


def _texts(rows: list[View]) -> list[str]:
    return [row["content"] for row in rows]


def _of_ann(engine: Engine, token: str | None = None, top_k: int = 30) -> View:
    return get_interactions(engine, TENANT, GetInteractionsRequest(user_id="ann", top_k=top_k, next_token=token))


def test_the_newest_publication_comes_first_and_in_it_its_last_turn(engine: Engine) -> None:
    said(engine, "r1", "one", "two")
    said(engine, "r2", "three", "four")
    answer = _of_ann(engine)
    assert _texts(answer["interactions"]) == ["four", "three", "two", "one"]
    assert answer["msg"] == "Found 4 interaction(s)"
    assert answer["interactions"][0] == {
        "interaction_id": answer["interactions"][0]["interaction_id"],
        "user_id": "ann",
        "request_id": "r2",
        "created_at": NOW + 2,
        "role": "User",
        "content": "four",
        "shadow_content": "",
        "expert_content": "",
        "user_action": "none",
        "user_action_description": "",
        "interacted_image_url": "",
        "tools_used": [],
        "retrieved_learnings": [],
    }


def test_what_was_said_last_comes_first_whatever_times_the_turns_bear(engine: Engine) -> None:
    said(engine, "r1", "morning", "evening", "evening too", times=[NOW - 10, NOW - 90, NOW - 10])
    assert _texts(_of_ann(engine)["interactions"]) == ["evening too", "evening", "morning"]


def test_dates_bound_when_turns_were_said(engine: Engine) -> None:
    said(engine, "r1", "early", "late", times=[NOW - 90, NOW - 10])
    said(engine, "r2", "imported", times=[NOW - 80])
    request = GetInteractionsRequest(user_id="ann", start_time=NOW - 90, end_time=NOW - 10)
    assert _texts(get_interactions(engine, TENANT, request)["interactions"]) == ["imported", "early"]


def test_a_page_smaller_than_a_publication_holds_its_newest_turns(engine: Engine) -> None:
    said(engine, "r1", "first", "second", "third")
    assert _texts(_of_ann(engine, top_k=2)["interactions"]) == ["third", "second"]


@pytest.mark.parametrize("top_k", [1, 2, 3, 7, 100])
def test_a_walk_of_any_page_size_gives_every_turn_once_while_more_arrive(engine: Engine, top_k: int) -> None:
    for number in range(12):
        said(engine, f"r{number}", *[f"{number}.{turn}" for turn in range(number % 4 + 1)])
    everything = _texts(_of_ann(engine, top_k=1000)["interactions"])
    late = iter(range(1000))

    def ask(token: str | None) -> View:
        answer = _of_ann(engine, token, top_k)
        said(engine, f"late{next(late)}", "late")
        return answer

    assert _texts(walk(ask, "interactions")) == everything


def test_the_listing_of_all_users_walks_them_once_too(engine: Engine) -> None:
    for number in range(60):
        said(engine, f"r{number}", f"{number}.0", f"{number}.1", user=f"user{number % 3}")
    said(engine, "r", "secret", tenant="other")
    rows = walk(lambda token: get_all_interactions(engine, TENANT, 7, token), "interactions")
    assert _texts(rows) == [f"{number}.{turn}" for number in range(59, -1, -1) for turn in (1, 0)]


def test_a_walk_goes_on_when_the_publication_that_it_stood_in_is_erased(engine: Engine) -> None:
    said(engine, "r1", "a", "b")
    said(engine, "r2", "c", "d")
    said(engine, "r3", "e")
    first = get_all_interactions(engine, TENANT, 2)
    assert _texts(first["interactions"]) == ["e", "d"]
    engine.store.commit([Delete(engine.keys(TENANT).request("ann", 3))])
    rest = get_all_interactions(engine, TENANT, 10, first["next_token"])
    assert _texts(rest["interactions"]) == ["b", "a"]


def test_similar_user_names_do_not_meet(engine: Engine) -> None:
    said(engine, "r1", "mine", user="u1")
    said(engine, "r2", "theirs", user="u10")
    request = GetInteractionsRequest(user_id="u1")
    assert _texts(get_interactions(engine, TENANT, request)["interactions"]) == ["mine"]


def test_turns_that_lie_in_a_blob_are_listed_as_well(engine: Engine) -> None:
    said(engine, "r1", "x" * 400_000, "y")
    rows = _of_ann(engine)["interactions"]
    assert [len(row["content"]) for row in rows] == [1, 400_000]


def test_a_limit_below_one_is_refused(engine: Engine) -> None:
    with pytest.raises(InvalidInput):
        get_all_interactions(engine, TENANT, 0)


def test_reads_do_not_grow_with_what_lies_behind_the_page(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REQUESTS_PER_READ", 5)
    for number in range(40):
        said(engine, f"r{number}", "a", "b")
    queries = 0
    query = engine.store.query

    def counted(asked: object) -> object:
        nonlocal queries
        queries += 1
        return query(asked)  # type: ignore[arg-type]

    monkeypatch.setattr(engine.store, "query", counted)
    _of_ann(engine, top_k=4)
    assert queries == 1
