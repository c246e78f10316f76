"""A request to forget removes what it names, and is itself never stored."""

from typing import Any

from reflexio_core.adapters.offline import OfflineLlm
from reflexio_core.engine.context import Engine
from tests.doubles.engine import make_engine
from tests.doubles.memory_store import MemoryStore
from tests.doubles.scripted_llm import ScriptedLlm
from tests.engine.learning.conversations import fact, facts, learn, profiles, say, windows

BERLIN = fact("Lives in Berlin", "T1", "in Berlin")
FORGET = fact("Where the user lives: Lives in", "T2", "forget where", forget=True)


def removing(inputs: Any) -> dict[str, Any]:
    """Every request to forget takes all rows shown; other candidates replace them."""
    rows = [item.label for item in inputs.old]
    return {
        "decisions": [
            {"new": item.label, "action": "remove" if item.forget else "unify", "old": rows} for item in inputs.new
        ]
    }


def told(*rounds: tuple[str, list[dict[str, Any]]], decisions: Any = removing) -> Engine:
    llm = ScriptedLlm(extract=[{"profiles": candidates} for _, candidates in rounds], consolidate=decisions)
    engine = make_engine(llm=llm)
    for number, (text, _) in enumerate(rounds):
        say(engine, f"r{number}", text)
        learn(engine)
        engine.clock.sleep(60)
    return engine


def stored_learnings(engine: Engine) -> str:
    """Everything stored but the conversations themselves."""
    assert isinstance(engine.store, MemoryStore)
    return str([item.body for key, item in engine.store.all_items().items() if not key.sk.startswith("REQ")])


def test_forgetting_removes_the_row_its_pointer_and_its_document() -> None:
    engine = told(("I live in Berlin", [BERLIN]), ("forget where I live", [FORGET]))
    assert profiles(engine, history=True) == []
    assert "Berlin" not in stored_learnings(engine)
    assert not [key for key in engine.store.all_items() if key.pk.startswith("P#") and "#PRO#" in key.pk]
    assert not [doc for doc in engine.index.docs.values() if doc.text == "Lives in Berlin"]


def test_the_request_itself_is_never_stored_as_a_fact() -> None:
    engine = told(("forget where I live", [fact("Where the user lives", "T1", "forget where", forget=True)]))
    assert profiles(engine, history=True) == []
    assert engine.llm.tasks == ["extract"]


def test_what_the_forgotten_fact_had_replaced_goes_with_it() -> None:
    moves = [fact(f"Lives in City{n}", f"T{n + 1}", f"in City{n}") for n in range(4)]
    rounds = [(f"I live in City{n}", [moves[n]]) for n in range(4)]
    forget = fact("Lives in", "T5", "forget where", forget=True)
    engine = told(*rounds, ("forget where I live", [forget]))
    assert profiles(engine, history=True) == []
    assert "City" not in stored_learnings(engine)


def test_a_request_to_forget_touches_nothing_else() -> None:
    def only_first(inputs: Any) -> dict[str, Any]:
        return {
            "decisions": [
                {"new": "NEW-1", "action": "remove", "old": [i.label for i in inputs.old if "Berlin" in i.content]}
            ]
        }

    both = [BERLIN, fact("Lives in a flat", "T1", "in Berlin")]
    engine = told(("I live in Berlin", both), ("forget where I live", [FORGET]), decisions=only_first)
    assert facts(engine) == ["Lives in a flat"]


def test_a_request_to_forget_that_the_model_skips_is_counted() -> None:
    engine = told(("I live in Berlin", [BERLIN]), ("forget where I live", [FORGET]), decisions={"decisions": []})
    assert facts(engine) == ["Lives in Berlin"]
    assert [window.dropped for window in windows(engine)] == [0, 1]


def test_the_rules_forget_too() -> None:
    engine = make_engine(llm=OfflineLlm())
    say(engine, "r1", "My favourite colour is green.")
    learn(engine)
    assert facts(engine)
    engine.clock.sleep(60)
    say(engine, "r2", "Please forget my favourite colour.")
    learn(engine)
    assert profiles(engine, history=True) == []


def test_everything_means_every_fact_however_many_and_what_they_had_replaced() -> None:
    many = [fact(f"Owns item number {n}", "T1", "own things") for n in range(30)]
    rounds = [(f"I own things {n}", many[n * 10 : n * 10 + 10]) for n in range(3)]
    moved = [("I live in Berlin", [BERLIN]), ("I live in Bonn", [fact("Lives in Bonn", "T5", "in Bonn")])]
    wipe = [fact("Everything", "T6", "forget all", forget=True), fact("Drives a Volvo", "T6", "I drive")]

    def decide(inputs: Any) -> dict[str, Any]:
        stays = [item for item in inputs.new if "Bonn" not in item.content]
        moves = [item for item in inputs.new if "Bonn" in item.content]
        old = [item.label for item in inputs.old if "Berlin" in item.content]
        return {
            "decisions": [{"new": item.label, "action": "independent", "old": []} for item in stays]
            + [{"new": item.label, "action": "unify", "old": old} for item in moves]
        }

    engine = told(*rounds, *moved, ("forget all; I drive a Volvo", wipe), decisions=decide)
    assert facts(engine) == ["Drives a Volvo"]
    assert len(profiles(engine, history=True)) == 1
    assert "Berlin" not in stored_learnings(engine)


def test_the_rules_forget_everything_in_every_language() -> None:
    for request in ("Forget everything you know about me.", "Olvida todo lo que sabes de mí.", "忘掉关于我的一切。"):
        engine = make_engine(llm=OfflineLlm())
        said = "I live in Oslo. I love trains. My budget is 300 euros. I drive a Volvo. I work at Initech."
        say(engine, "r1", f"{said} My dog is called Rex. I am vegan. I have 2 sons. My timezone is CET. I hate rain.")
        learn(engine)
        engine.clock.sleep(60)
        say(engine, "r2", "I prefer tea. I speak Dutch. My birthday is 3 May. We use Go.")
        learn(engine)
        assert len(facts(engine)) > 10
        engine.clock.sleep(60)
        say(engine, "r3", request)
        learn(engine)
        assert profiles(engine, history=True) == [], request
