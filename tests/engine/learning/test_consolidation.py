"""Candidates are fitted to what is known: five decisions, none of which loses a candidate or a row by accident."""

from typing import Any

import pytest

from reflexio.models.enums import Status
from reflexio.models.interactions import DeleteRequestRequest
from reflexio.models.profiles import DeleteUserProfileRequest, UpdateUserProfileRequest
from reflexio_core.adapters.offline import OfflineLlm
from reflexio_core.domain.records import ProfileRecord
from reflexio_core.engine.context import Engine
from reflexio_core.engine.erase import delete_profile, delete_request
from reflexio_core.engine.writes import update_user_profile
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.scripted_llm import ScriptedLlm
from tests.engine.learning.conversations import (
    USER,
    cursor,
    fact,
    facts,
    learn,
    lesson,
    lessons,
    playbooks,
    profiles,
    say,
    stored_request,
    windows,
)

RED = fact("Likes the red car", "T1", "red car")
BLUE = fact("Likes the blue car", "T2", "blue car")


def told(*rounds: tuple[str, dict[str, Any]], decisions: Any = None, **fields: Any) -> Engine:
    """An engine that learned the rounds (what was said, the extraction), with the same decisions in each."""
    consolidate = decisions if callable(decisions) else {"decisions": decisions or []}
    llm = ScriptedLlm(extract=[answer for _, answer in rounds], consolidate=consolidate)
    engine = make_engine(llm=llm)
    for number, (text, _) in enumerate(rounds, start=1):
        say(engine, f"r{number}", text, **fields)
        learn(engine)
        engine.clock.sleep(60)
    return engine


def two_cars(*decisions: dict[str, Any]) -> Engine:
    return told(("the red car", {"profiles": [RED]}), ("the blue car", {"profiles": [BLUE]}), decisions=list(decisions))


def test_independent_keeps_both() -> None:
    engine = two_cars({"new": "NEW-1", "action": "independent"})
    assert facts(engine) == ["Likes the red car", "Likes the blue car"]
    assert engine.llm.tasks == ["extract", "extract", "consolidate"]


def test_unify_supersedes_with_links_both_ways() -> None:
    engine = two_cars({"new": "NEW-1", "action": "unify", "old": ["OLD-1"], "content": "Likes the red and blue car"})
    [new] = profiles(engine)
    [old] = [profile for profile in profiles(engine, history=True) if profile.status is not None]
    assert new.content == "Likes the red and blue car"
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, new.profile_id)
    assert new.provenance.replaced == (old.profile_id,)


def test_reject_new_stores_nothing_and_counts_as_one_more_saying() -> None:
    engine = two_cars({"new": "NEW-1", "action": "reject_new", "old": ["OLD-1"]})
    [kept] = profiles(engine, history=True)
    assert kept.content == "Likes the red car"
    said = tuple(stored_request(engine, name).first_interaction_id for name in ("r1", "r2"))
    assert kept.provenance.interaction_ids == said


def test_remove_is_only_for_requests_to_forget() -> None:
    engine = two_cars({"new": "NEW-1", "action": "remove", "old": ["OLD-1"]})
    assert facts(engine) == ["Likes the red car", "Likes the blue car"]


RULE = lesson("When booking", "Ask for the seat", "T1", "seat")
OTHER = lesson("When booking", "Ask for the meal seat", "T2", "seat")


def test_differentiate_keeps_both_and_sharpens_their_triggers() -> None:
    decision = {
        "new": "NEW-1",
        "action": "differentiate",
        "old": ["OLD-1"],
        "trigger": "When booking a long flight",
        "old_trigger": "When booking a short flight",
    }
    engine = told(("a seat", {"playbooks": [RULE]}), ("a seat again", {"playbooks": [OTHER]}), decisions=[decision])
    triggers = {playbook.content: playbook.trigger for playbook in playbooks(engine)}
    assert triggers == {
        "Ask for the seat": "When booking a short flight",
        "Ask for the meal seat": "When booking a long flight",
    }


@pytest.mark.parametrize(
    "changes",
    [
        {"trigger": None},
        {"old_trigger": " "},
        {"old": []},
        {"old_trigger": "When sk-proj-abcdefghijklmnop123456 is set"},
    ],
)
def test_a_half_differentiation_keeps_both_as_they_are(changes: dict[str, Any]) -> None:
    decision = {
        "new": "NEW-1",
        "action": "differentiate",
        "old": ["OLD-1"],
        "trigger": "When booking a long flight",
        "old_trigger": "When booking a short flight",
    }
    rounds = (("a seat", {"playbooks": [RULE]}), ("a seat again", {"playbooks": [OTHER]}))
    engine = told(*rounds, decisions=[{**decision, **changes}])
    assert {playbook.trigger for playbook in playbooks(engine)} == {"When booking"}
    assert len(lessons(engine)) == 2


BAD_DECISIONS: dict[str, list[dict[str, Any]]] = {
    "missing": [],
    "of an unknown candidate": [{"new": "NEW-7", "action": "reject_new", "old": ["OLD-1"]}],
    "naming an unknown row": [{"new": "NEW-1", "action": "reject_new", "old": ["OLD-9"]}],
    "rejecting for nothing": [{"new": "NEW-1", "action": "reject_new"}],
    "unifying with nothing": [{"new": "NEW-1", "action": "unify", "content": "Likes cars"}],
    "given twice": [
        {"new": "NEW-1", "action": "independent"},
        {"new": "NEW-1", "action": "reject_new", "old": ["OLD-1"]},
    ],
    "to differentiate facts": [
        {"new": "NEW-1", "action": "differentiate", "old": ["OLD-1"], "trigger": "a", "old_trigger": "b"}
    ],
}


@pytest.mark.parametrize("bad", BAD_DECISIONS)
def test_a_decision_that_does_not_hold_loses_nothing(bad: str) -> None:
    assert facts(two_cars(*BAD_DECISIONS[bad])) == ["Likes the red car", "Likes the blue car"]


def test_a_merged_wording_that_carries_a_secret_does_not_count() -> None:
    wording = "The car's password is hunter2hunter2!"
    engine = two_cars({"new": "NEW-1", "action": "unify", "old": ["OLD-1"], "content": wording})
    assert facts(engine) == ["Likes the blue car"]


def test_two_candidates_cannot_use_up_one_row() -> None:
    both = {"profiles": [BLUE, fact("Likes the green car", "T2", "green car")]}
    decisions = [
        {"new": "NEW-1", "action": "unify", "old": ["OLD-1"], "content": "Likes the red and blue car"},
        {"new": "NEW-2", "action": "unify", "old": ["OLD-1"], "content": "Likes the red and green car"},
    ]
    engine = told(("the red car", {"profiles": [RED]}), ("the blue car, the green car", both), decisions=decisions)
    assert sorted(facts(engine)) == ["Likes the green car", "Likes the red and blue car"]


def test_one_row_may_be_the_reason_to_reject_many() -> None:
    both = {"profiles": [BLUE, fact("Likes a car", "T2", "green car")]}
    decisions = [{"new": f"NEW-{n}", "action": "reject_new", "old": ["OLD-1"]} for n in (1, 2)]
    engine = told(("the red car", {"profiles": [RED]}), ("the blue car, the green car", both), decisions=decisions)
    assert facts(engine) == ["Likes the red car"]


def test_a_row_that_is_said_again_and_replaced_in_one_window_is_replaced() -> None:
    again = {"profiles": [fact("likes the red car", "T2", "red car"), fact("Hates the red car", "T2", "hate")]}
    decisions = [{"new": "NEW-1", "action": "unify", "old": ["OLD-1"], "content": "Hates the red car"}]
    engine = told(("the red car", {"profiles": [RED]}), ("the red car, I hate it", again), decisions=decisions)
    assert facts(engine) == ["Hates the red car"]


def test_the_same_session_twice_is_one_fact_without_asking_the_model() -> None:
    """However many facts it holds: what is said to the letter is found before neighbours are counted."""
    many = {"profiles": [fact(f"Owns car number {n}", "T1", "cars") for n in range(15)]}
    again = {"profiles": [fact(f"owns car number {n}.", "T2", "cars") for n in range(15)]}
    engine = told(("my cars", many), ("my cars", again))
    assert len(profiles(engine, history=True)) == 15
    assert engine.llm.tasks == ["extract", "extract"]


def test_what_two_sessions_say_outlives_the_deletion_of_one() -> None:
    again = {"profiles": [fact("likes the RED car", "T2", "red car")]}
    engine = told(("the red car", {"profiles": [RED]}), ("the red car", again))
    delete_request(engine, TENANT, DeleteRequestRequest(request_id="r1"))
    assert facts(engine) == ["Likes the red car"]
    delete_request(engine, TENANT, DeleteRequestRequest(request_id="r2"))
    assert profiles(engine, history=True) == []


def test_only_lessons_of_the_same_agent_version_are_neighbours() -> None:
    llm = ScriptedLlm(
        extract=[{"playbooks": [RULE]}, {"playbooks": [lesson("When booking", "Ask for the seat", "T2", "seat")]}]
    )
    engine = make_engine(llm=llm)
    say(engine, "r1", "a seat", agent_version="v1")
    learn(engine)
    say(engine, "r2", "a seat", agent_version="v2")
    learn(engine)
    assert {playbook.agent_version for playbook in playbooks(engine)} == {"v1", "v2"}
    assert "consolidate" not in llm.tasks


def test_a_window_over_two_agent_versions_keeps_their_lessons_apart() -> None:
    """Each candidate may only touch rows of its own version, also when the model was shown both."""
    new = [
        lesson("When booking", "Ask for the window seat", "T3", "one"),
        lesson("When booking", "Ask for the aisle seat", "T4", "two"),
    ]

    def cross(inputs: Any) -> dict[str, Any]:
        olds = [item.label for item in inputs.old]
        return {"decisions": [{"new": item.label, "action": "unify", "old": olds} for item in inputs.new]}

    llm = ScriptedLlm(
        extract=[
            {"playbooks": [RULE, lesson("When booking", "Ask for a seat now", "T2", "seat")]},
            {"playbooks": new},
        ],
        consolidate=cross,
    )
    engine = make_engine(llm=llm)
    say(engine, "r1", "a seat", agent_version="v1", session_finished=False)
    say(engine, "r2", "a seat", agent_version="v2")
    learn(engine)
    say(engine, "r3", "one", agent_version="v1", session_finished=False)
    say(engine, "r4", "two", agent_version="v2")
    learn(engine)
    current = {playbook.content: playbook.agent_version for playbook in playbooks(engine)}
    assert current == {"Ask for the window seat": "v1", "Ask for the aisle seat": "v2"}
    versions = {playbook.user_playbook_id: playbook.agent_version for playbook in playbooks(engine, history=True)}
    replaced = [row for row in playbooks(engine, history=True) if row.superseded_by is not None]
    assert [versions[row.superseded_by] for row in replaced] == [row.agent_version for row in replaced]
    assert len(replaced) == 2


def test_a_row_edited_while_the_model_thinks_is_not_overwritten() -> None:
    """The decision was about other words: it is taken again on what the row says now."""
    seen: list[str] = []

    def decide(inputs: Any) -> dict[str, Any]:
        seen.append(inputs.old[0].content)
        if len(seen) == 1:
            [row] = profiles(engine)
            edit = UpdateUserProfileRequest(user_id=USER, profile_id=row.profile_id, content="Likes the red car a lot")
            assert update_user_profile(engine, TENANT, edit)["success"]
        return {"decisions": [{"new": "NEW-1", "action": "unify", "old": ["OLD-1"], "content": "Likes cars"}]}

    llm = ScriptedLlm(extract=[{"profiles": [RED]}, {"profiles": [BLUE]}], consolidate=decide)
    engine = make_engine(llm=llm)
    say(engine, "r1", "the red car")
    learn(engine)
    say(engine, "r2", "the blue car")
    learn(engine)
    assert seen == ["Likes the red car", "Likes the red car a lot"]
    assert facts(engine) == ["Likes cars"]
    assert sum(window.calls for window in windows(engine)[1:]) == 3


def test_a_row_deleted_while_the_model_thinks_stays_deleted() -> None:
    def decide(inputs: Any) -> dict[str, Any]:
        [row] = profiles(engine)
        delete_profile(engine, TENANT, DeleteUserProfileRequest(user_id=USER, profile_id=row.profile_id))
        return {"decisions": [{"new": "NEW-1", "action": "unify", "old": ["OLD-1"], "content": "Likes red and blue"}]}

    llm = ScriptedLlm(extract=[{"profiles": [RED]}, {"profiles": [BLUE]}], consolidate=decide)
    engine = make_engine(llm=llm)
    say(engine, "r1", "the red car")
    learn(engine)
    say(engine, "r2", "the blue car")
    learn(engine)
    assert [profile.content for profile in profiles(engine, history=True)] == ["Likes the blue car"]


def test_a_row_that_never_rests_makes_the_window_wait_and_nothing_is_lost() -> None:
    edits = iter(range(100))

    def decide(inputs: Any) -> dict[str, Any]:
        [row] = profiles(engine)
        text = f"Likes the red car {next(edits)}"
        edit = UpdateUserProfileRequest(user_id=USER, profile_id=row.profile_id, content=text)
        update_user_profile(engine, TENANT, edit)
        return {"decisions": [{"new": "NEW-1", "action": "unify", "old": ["OLD-1"]}]}

    llm = ScriptedLlm(extract=[{"profiles": [RED]}, {"profiles": [BLUE]}], consolidate=decide)
    engine = make_engine(llm=llm)
    say(engine, "r1", "the red car")
    learn(engine)
    say(engine, "r2", "the blue car")
    learn(engine)
    waiting = cursor(engine)
    assert (waiting.attempts, waiting.last_error) == (1, "conflict")
    assert waiting.spent["calls"] == 4
    assert facts(engine) == ["Likes the red car 2"]


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        ("I love Chinese food.", "I hate Chinese food.", "hate"),
        ("I have 5 years of experience in Java.", "I have 6 years of experience in Java.", "6"),
        ("I live in Berlin.", "I live in Munich now.", "munich"),
        ("Me encanta la comida china.", "Odio la comida china.", "di"),
        ("我喜欢咖啡。", "我不喜欢咖啡。", "不喜欢"),
    ],
)
def test_a_reversal_leaves_exactly_one_current_fact_with_a_link(before: str, after: str, left: str) -> None:
    engine = make_engine(llm=OfflineLlm())
    say(engine, "r1", before, session_id="s1")
    learn(engine)
    assert len(facts(engine)) == 1
    engine.clock.sleep(60)
    say(engine, "r2", after, session_id="s2")
    learn(engine)
    [current] = profiles(engine)
    assert left in current.content.casefold()
    [old] = [profile for profile in profiles(engine, history=True) if profile.status is not None]
    assert old.superseded_by == current.profile_id


def test_the_later_saying_wins_also_when_both_are_imported_long_after() -> None:
    engine = make_engine(llm=OfflineLlm())
    for number, (text, at) in enumerate([("I live in Berlin.", 1_500_000_000), ("I live in Munich.", 1_600_000_000)]):
        say(engine, f"r{number}", {"role": "user", "content": text, "created_at": at})
        learn(engine)
        engine.clock.sleep(60)
    assert ["Munich" in text for text in facts(engine)] == [True]


def test_an_older_saying_that_arrives_later_changes_nothing() -> None:
    engine = make_engine(llm=OfflineLlm())
    for number, (text, at) in enumerate([("I live in Munich.", 1_600_000_000), ("I live in Berlin.", 1_500_000_000)]):
        say(engine, f"r{number}", {"role": "user", "content": text, "created_at": at})
        learn(engine)
        engine.clock.sleep(60)
    assert ["Munich" in text for text in facts(engine)] == [True]


def test_an_expired_fact_is_no_neighbour() -> None:
    soon = fact("Likes the red car", "T1", "red car", time_to_live="one_day")
    llm = ScriptedLlm(extract=[{"profiles": [soon]}, {"profiles": [fact("Likes the red car", "T2", "red car")]}])
    engine = make_engine(llm=llm)
    say(engine, "r1", "the red car")
    learn(engine)
    engine.clock.sleep(2 * 86_400)
    say(engine, "r2", "the red car")
    learn(engine)
    alive = [row for row in profiles(engine) if row.expiration_timestamp > engine.clock.now()]
    assert [row.content for row in alive] == ["Likes the red car"]
    assert isinstance(alive[0], ProfileRecord)
