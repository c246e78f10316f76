"""Evidence is checked by the program: what does not hold takes its one item with it, never the others."""

from typing import Any

import pytest

from reflexio.models.enums import PlaybookStatus
from reflexio_core.domain.records import AgentPlaybookRecord
from reflexio_core.engine.context import Engine
from reflexio_core.engine.learn.extraction import MOST_CHARACTERS, MOST_PER_KIND
from reflexio_core.engine.rows import new_learning
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.scripted_llm import ScriptedLlm
from tests.engine.learning.conversations import configure, fact, facts, learn, lesson, lessons, say, windows

GOOD = fact("Likes tea", "T1", "I like tea")
GOOD_LESSON = lesson("Before serving", "Ask for the drink", "T2", "Here is your coffee")
SECRET = "sk-proj-abcdefghijklmnop1234567890"


def learned_from(*turns: Any, profiles: list[Any], playbooks: list[Any] | None = None, **fields: Any) -> Engine:
    """An engine that has heard the turns and whose model answered with these candidates."""
    llm = ScriptedLlm(extract={"profiles": profiles, "playbooks": playbooks or []})
    engine = make_engine(llm=llm)
    say(engine, "r1", *turns, **fields)
    learn(engine)
    return engine


TURNS = ("I like tea", ("assistant", "Here is your coffee"), "No, tea please. My key is hidden.")


def dropped(engine: Engine) -> int:
    return sum(window.dropped for kind in ("profile", "playbook") for window in windows(engine, kind))


BAD_FACTS = {
    "unknown turn": fact("Likes milk", "T9", "I like tea"),
    "no such label": fact("Likes milk", "turn 1", "I like tea"),
    "words that nobody said": fact("Likes milk", "T1", "I like milk"),
    "words of another turn": fact("Likes milk", "T1", "tea please"),
    "no words at all": fact("Likes milk", "T1", "  "),
    "only an agent's words": fact("Drinks coffee", "T2", "Here is your coffee"),
    "one good and one bad quote": {
        "content": "Likes milk",
        "evidence": [{"turn": "T1", "quote": "I like tea"}, {"turn": "T3", "quote": "milk please"}],
    },
    "a secret in the content": fact(f"The key is {SECRET}", "T1", "I like tea"),
    "blank content": fact("   ", "T1", "I like tea"),
    "a transcript for content": fact("tea " * MOST_CHARACTERS, "T1", "I like tea"),
    "the same again": fact("likes  TEA", "T3", "tea please"),
}


@pytest.mark.parametrize("bad", BAD_FACTS)
def test_a_fact_without_sound_evidence_is_dropped_alone_and_counted(bad: str) -> None:
    engine = learned_from(*TURNS, profiles=[GOOD, BAD_FACTS[bad]], playbooks=[GOOD_LESSON])
    assert facts(engine) == ["Likes tea"]
    assert lessons(engine) == ["Ask for the drink"]
    assert dropped(engine) == 1


BAD_LESSONS = {
    "words that nobody said": lesson("Always", "Serve milk", "T2", "Here is your milk"),
    "a secret in the trigger": lesson(f"When {SECRET}", "Serve milk", "T1", "I like tea"),
    "a secret in the content": lesson("Always", f"Use {SECRET}", "T1", "I like tea"),
    "a secret in the rationale": lesson("Always", "Serve milk", "T1", "I like tea", rationale=f"{SECRET} works"),
    "a secret in the pitfall": lesson("Always", "Serve milk", "T1", "I like tea", pitfall=f"{SECRET} fails"),
    "a blank trigger": lesson(" ", "Serve milk", "T1", "I like tea"),
}


@pytest.mark.parametrize("bad", BAD_LESSONS)
def test_a_lesson_without_sound_evidence_is_dropped_alone_and_counted(bad: str) -> None:
    engine = learned_from(*TURNS, profiles=[GOOD], playbooks=[BAD_LESSONS[bad], GOOD_LESSON])
    assert (facts(engine), lessons(engine), dropped(engine)) == (["Likes tea"], ["Ask for the drink"], 1)


def test_a_quote_that_carries_a_secret_is_not_stored() -> None:
    engine = learned_from(f"I like tea, my key is {SECRET}", profiles=[fact("Has a key", "T1", f"my key is {SECRET}")])
    assert (facts(engine), dropped(engine)) == ([], 1)


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("Wait — we never deploy", "wait - we NEVER deploy"),
        ("It’s the “blue” one", 'It\'s the "blue" one'),
        ("tea\n  and   milk", "tea and milk"),
        ("ＡＢＣ茶", "ABC茶"),
        ("cafe\u0301 solo", "café solo"),
    ],
)
def test_a_quote_may_differ_in_case_spacing_and_typography(said: str, quoted: str) -> None:
    engine = learned_from(said, profiles=[fact("A fact", "T1", quoted)])
    assert facts(engine) == ["A fact"]


def test_an_expert_and_an_action_can_be_quoted() -> None:
    turn = {
        "role": "user",
        "content": "ok",
        "expert_content": "Check the seal first.",
        "user_action": "click",
        "user_action_description": "pressed undo",
    }
    engine = learned_from(
        turn,
        profiles=[fact("Undoes things", "T1", "pressed undo")],
        playbooks=[lesson("Before opening", "Check the seal", "T1", "Check the seal first")],
    )
    assert (facts(engine), lessons(engine)) == (["Undoes things"], ["Check the seal"])


def overlapping(candidate: dict[str, Any]) -> Engine:
    """A second window of two turns whose first is overlap; its model answers with the candidate."""
    llm = ScriptedLlm(extract=[{"profiles": []}, {"profiles": [candidate]}])
    engine = make_engine(llm=llm)
    configure(engine, window_size=2, stride_size=1, user_playbook_extractor_config=None)
    say(engine, "r1", "I like tea", "I like cake", session_finished=False)
    learn(engine)
    say(engine, "r2", "I like jam", session_finished=False)
    learn(engine)
    assert [[turn.new for turn in asked.turns] for asked in llm.asked] == [[True, True], [False, True]]
    return engine


def test_overlap_turns_are_context_and_no_evidence_alone() -> None:
    assert facts(overlapping(fact("Likes cake", "T1", "I like cake"))) == []
    assert facts(overlapping(fact("Likes jam", "T2", "I like jam"))) == ["Likes jam"]


def test_a_new_turn_that_is_only_named_does_not_carry_an_overlap_quote() -> None:
    engine = overlapping(
        {"content": "Likes cake", "evidence": [{"turn": "T1", "quote": "I like cake"}, {"turn": "T2"}]}
    )
    assert facts(engine) == []


def test_overlap_and_new_turns_together_are_evidence() -> None:
    both = [{"turn": "T1", "quote": "I like cake"}, {"turn": "T2", "quote": "I like jam"}]
    assert facts(overlapping({"content": "Likes sweets", "evidence": both})) == ["Likes sweets"]


def recalled(*evidence: tuple[str, str], text: str) -> Engine:
    """The agent quotes what the service had told it; the model learns a lesson and a fact from that again."""
    cited = [{"turn": turn, "quote": quote} for turn, quote in evidence]
    llm = ScriptedLlm(
        extract=[
            {"profiles": [fact("Production runs in us-west-2", "T1", "we run in us-west-2")]},
            {
                "profiles": [{"content": "Runs production in the west", "evidence": cited}],
                "playbooks": [{"trigger": "Deploying", "content": "Use the west", "evidence": cited}],
            },
        ]
    )
    engine = make_engine(llm=llm)
    say(engine, "r1", "we run in us-west-2")
    learn(engine)
    say(engine, "r2", ("assistant", text), "thanks")
    learn(engine)
    return engine


RECALL = "From memory: production runs in US-WEST-2. I will deploy there."


@pytest.mark.parametrize(
    "quote",
    ["production runs in us-west-2", "runs in us-west-2", RECALL, "From memory: production runs in us-west-2"],
)
def test_what_the_service_had_told_the_agent_is_no_evidence(quote: str) -> None:
    engine = recalled(("T2", quote), text=RECALL)
    assert (facts(engine), lessons(engine)) == (["Production runs in us-west-2"], [])


def test_what_the_agent_says_beside_a_recalled_text_is_evidence() -> None:
    assert lessons(recalled(("T2", "I will deploy there"), text=RECALL)) == ["Use the west"]


def test_a_recalled_text_is_shown_to_the_model_as_quoted() -> None:
    engine = recalled(("T2", RECALL), text=RECALL)
    assert isinstance(engine.llm, ScriptedLlm)
    assert engine.llm.asked[1].turns[1].quoted == ("Production runs in us-west-2",)


def test_a_shared_lesson_that_the_agent_quotes_is_no_evidence() -> None:
    llm = ScriptedLlm(extract={"playbooks": [lesson("Deploying", "Ask first", "T1", "Confirm the target region")]})
    engine = make_engine(llm=llm)
    shared = AgentPlaybookRecord(
        agent_playbook_id=7,
        agent_version="agent-v0",
        content="Confirm the target region",
        created_at=1,
        playbook_status=PlaybookStatus.APPROVED,
    )
    engine.store.commit(new_learning(engine.keys(TENANT), shared, 1.0))
    say(engine, "r1", ("assistant", "My notes say: confirm the target region."), "fine")
    learn(engine)
    assert lessons(engine) == []


def test_a_window_brings_a_bounded_number_of_each_kind() -> None:
    many = [fact(f"Fact {n}", "T1", "I like tea") for n in range(MOST_PER_KIND + 5)]
    engine = learned_from(*TURNS, profiles=many)
    assert (len(facts(engine)), dropped(engine)) == (MOST_PER_KIND, 5)


def test_the_fullest_window_fits_one_commit() -> None:
    """Every candidate kept, ten rows replaced or forgotten: nothing grows beyond what the store takes at once."""
    old = [fact(f"Old thing {n} is red", "T1", "go") for n in range(9)]
    new = [fact(f"Old thing {n} is blue", "T2", "go") for n in range(MOST_PER_KIND - 1)]
    forget = fact("Old thing", "T2", "go", forget=True)
    rules = [lesson(f"Case {n}", f"Do step {n}", "T2", "go") for n in range(MOST_PER_KIND)]

    def decide(inputs: Any) -> dict[str, Any]:
        rows = [item.label for item in inputs.old]
        return {"decisions": [{"new": i.label, "action": "remove", "old": rows} for i in inputs.new if i.forget]}

    engine = make_engine(
        llm=ScriptedLlm(
            extract=[{"profiles": old}, {"profiles": [forget, *new], "playbooks": rules}],
            consolidate=decide,
        )
    )
    say(engine, "r1", "go")
    learn(engine)
    say(engine, "r2", "go")
    learn(engine)
    assert len(facts(engine)) == MOST_PER_KIND - 1
    assert not [text for text in facts(engine) if "red" in text]
    assert len(lessons(engine)) == MOST_PER_KIND


def test_lessons_of_one_moment_all_get_ids_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Integer ids hold the time and a few bits more: when these bits collide the id is derived anew."""

    def crowded(tenant: str, user: str, window: str, ordinal: int, at: float, salt: int = 0) -> int:
        return 1_000 + (ordinal + salt) // 4

    monkeypatch.setattr("reflexio_core.engine.learn.commit.playbook_id", crowded)
    rules = [lesson(f"Case {n}", f"Do step {n}", "T1", "I like tea") for n in range(6)]
    engine = learned_from(*TURNS, profiles=[], playbooks=rules)
    assert len(lessons(engine)) == 6
