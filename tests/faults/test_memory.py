"""Contradictions, repetitions, trivia: what is remembered is what is true now, once."""

import pytest

from tests.engine.learning.conversations import profiles
from tests.faults.world import World

REVERSALS = [
    ("I love Chinese food.", "I hate Chinese food.", "hate", "love"),
    ("I like window seats.", "I don't like window seats anymore.", "not", None),
    ("I live in Berlin.", "I moved to Munich; I live in Munich now.", "munich", "berlin"),
    ("My favourite editor is Vim.", "My favourite editor is Emacs now.", "emacs", "vim"),
    ("Vivo en Madrid.", "Ahora vivo en Sevilla.", "sevilla", "madrid"),
    ("我住在北京。", "我现在住在上海。", "上海", "北京"),
]


@pytest.mark.parametrize(("before", "after", "now", "then"), REVERSALS)
def test_a_reversal_leaves_one_current_fact_and_a_link_from_the_old_one(
    world: World, before: str, after: str, now: str, then: str | None
) -> None:
    world.tell("ana", before)
    [old] = world.facts("ana")
    world.tell("ana", after)
    [current] = world.facts("ana")
    assert now in current["content"].casefold()
    assert then is None or then not in current["content"].casefold()
    history = world.facts("ana", status_filter=["superseded"])
    assert [row["profile_id"] for row in history] == [old["profile_id"]]
    [stored] = [row for row in profiles(world.engine, "ana", history=True) if row.profile_id == old["profile_id"]]
    assert stored.superseded_by == current["profile_id"]  # the wire's profiles have no field for it
    assert world.found("ana", after) == [current["content"]]
    assert set(world.found("ana", before)) <= {current["content"]}


@pytest.mark.parametrize(
    ("before", "after", "now", "then"),
    [
        ("I have 5 years of experience in Java.", "I have 6 years of experience in Java.", "6", "5"),
        ("We have 12 servers in production.", "We have 14 servers in production.", "14", "12"),
        ("Mi hijo tiene 7 años.", "Mi hijo tiene 8 años.", "8", "7"),
    ],
)
def test_a_changed_number_replaces_the_old_one(world: World, before: str, after: str, now: str, then: str) -> None:
    world.tell("ana", before)
    assert [then in text for text in world.said("ana")] == [True]
    world.tell("ana", after)
    assert [(now in text, then in text) for text in world.said("ana")] == [(True, False)]


@pytest.mark.parametrize("text", ["I love Chinese food.", "Prefiero los informes en PDF.", "我喜欢咖啡。"])
@pytest.mark.parametrize("times", [2, 5])
def test_a_fact_said_again_stays_one_fact(world: World, text: str, times: int) -> None:
    for number in range(times):
        world.tell("ana", text, session_id=f"s{number}")
    assert len(world.said("ana")) == 1
    assert len(world.facts("ana", status_filter=[None, "superseded", "archived", "merged"])) == 1


@pytest.mark.parametrize("learned_between", [False, True])
def test_the_same_publication_twice_is_one_row(world: World, learned_between: bool) -> None:
    first = world.publish("ana", "I love Chinese food.", request_id="r1")
    if learned_between:
        world.learn()
    assert world.publish("ana", "I love Chinese food.", request_id="r1") == first
    world.learn()
    assert len(world.turns("ana")) == 1
    sessions = world.call("POST", "get_requests", {"user_id": "ana"})["sessions"]
    assert [len(session["requests"]) for session in sessions] == [1]
    assert len(world.said("ana")) == 1


SMALL_TALK = [
    "Hi!",
    "Good morning",
    "How are you?",
    "Thanks a lot!",
    "ok",
    "Sounds good.",
    "Great, thank you.",
    "lol",
    "See you tomorrow!",
    "Nice weather today, isn't it?",
    "Bye",
    "👍",
    "Hola, ¿qué tal?",
    "¡Muchas gracias!",
    "Vale, perfecto.",
    "你好",
    "谢谢！",
    "好的",
    "yes",
    "no",
    "hmm",
    "One moment please.",
    "What time is it?",
    "Can you help me?",
    "That works.",
]


def test_small_talk_teaches_nothing(world: World) -> None:
    for number, line in enumerate(SMALL_TALK * 2):
        world.publish("ana", line, "agent: Hello! How can I help you?", session_id=f"s{number}")
    world.learn()
    assert (world.facts("ana"), world.lessons("ana")) == ([], [])
    assert world.found("ana", "thanks") == []


def test_many_sessions_that_say_the_same_grow_nothing(world: World) -> None:
    """The policy that shows: what is known is confirmed, and only what is new or changed adds a row."""
    texts = ["I love Chinese food.", "I live in Berlin.", "My favourite editor is Vim."]
    for number in range(60):
        world.publish("ana", texts[number % 3], session_id=f"s{number}")
    world.learn()
    assert len(world.facts("ana", status_filter=[None, "superseded", "archived", "merged"])) == 3


def test_every_learning_cites_turns_that_exist(world: World) -> None:
    world.tell(
        "ana",
        "Deploy the new service.",
        "agent: Starting deployment to us-east-1...",
        "Wait — we never deploy production to us-east-1. Always use us-west-2.",
        "agent: Understood. Switching to us-west-2.",
    )
    learned = [*world.facts("ana"), *world.lessons("ana")]
    assert world.facts("ana")
    assert world.lessons("ana")
    by_id = {turn["interaction_id"]: turn["content"] for turn in world.turns("ana")}
    for row in learned:
        assert row["source_interaction_ids"]
        assert set(row["source_interaction_ids"]) <= set(by_id)
        cited = "\n".join(by_id[turn] for turn in row["source_interaction_ids"])
        assert all(quote in cited for quote in row["source_span"].splitlines())
