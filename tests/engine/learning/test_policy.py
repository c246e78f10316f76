"""What a publication was admitted under decides what is learned from it, whatever is configured afterwards."""

from typing import Any

from reflexio.models.interactions import FinalizeSessionRequest
from reflexio_core.engine.context import Engine
from reflexio_core.engine.sessions import finalize_session
from reflexio_core.errors import LlmUnavailable
from tests.doubles.echo_llm import EchoLlm
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.ports import START
from tests.doubles.scripted_llm import ScriptedLlm
from tests.engine.learning.conversations import (
    USER,
    configure,
    cursor,
    fact,
    facts,
    learn,
    learn_what_is_due,
    lesson,
    lessons,
    say,
    status,
    windows,
)


def engine_with(**config: Any) -> Engine:
    engine = make_engine(llm=EchoLlm())
    if config:
        configure(engine, **config)
    return engine


def hear(engine: Engine, request_id: str, *texts: str, **fields: Any) -> None:
    """An open session: nothing but its turns can fill a window."""
    say(engine, request_id, *texts, **{"session_finished": False, **fields})


def test_window_and_stride_are_those_of_the_first_turn_that_waits() -> None:
    engine = engine_with(window_size=3, stride_size=2)
    hear(engine, "r1", "one", "two")
    configure(engine, window_size=10, stride_size=10)
    hear(engine, "r2", "three")
    assert learn_what_is_due(engine) == 1
    assert [window.window.end_seq for window in windows(engine)] == [3]


def test_a_smaller_window_later_does_not_hurry_what_waits() -> None:
    engine = engine_with(window_size=4, stride_size=4)
    hear(engine, "r1", "one")
    configure(engine, window_size=1, stride_size=1)
    hear(engine, "r2", "two", "three")
    learn_what_is_due(engine)
    assert windows(engine) == []
    hear(engine, "r3", "four")
    assert learn_what_is_due(engine) == 1
    assert [window.window.end_seq for window in windows(engine)] == [4]


def test_a_rest_of_turns_keeps_its_stride_after_a_change() -> None:
    engine = engine_with(window_size=4, stride_size=2)
    hear(engine, "r1", "one", "two", "three", "four", "five")
    learn_what_is_due(engine)
    configure(engine, window_size=20, stride_size=20)
    hear(engine, "r2", "six")
    assert learn_what_is_due(engine) == 1
    assert [window.window.end_seq for window in windows(engine)] == [4, 6]


def test_definitions_are_those_of_the_publication() -> None:
    llm = ScriptedLlm()
    engine = make_engine(llm=llm)
    configure(engine, profile_extractor_config={"extraction_definition_prompt": "Cars only."})
    say(engine, "r1", "one")
    configure(engine, profile_extractor_config={"extraction_definition_prompt": "Boats only."})
    learn(engine)
    assert llm.asked[0].profile_definition == "Cars only."


def test_models_and_keys_are_those_of_now() -> None:
    """So that a wrong key can be mended for what was published under it."""
    llm = ScriptedLlm()
    engine = make_engine(llm=llm)
    configure(engine, llm_config={"generation_model_name": "openai/wrong"})
    say(engine, "r1", "one")
    configure(engine, llm_config={"generation_model_name": "openai/right"})
    learn(engine)
    assert [settings.generation_model for settings in llm.settings] == ["openai/right"]


def test_an_extractor_learns_from_its_sources_only() -> None:
    engine = engine_with(
        profile_extractor_config={"extraction_definition_prompt": "facts", "request_sources_enabled": ["chat"]}
    )
    say(engine, "r1", "by mail", source="mail")
    say(engine, "r2", "by chat", source="chat")
    learn(engine)
    assert facts(engine) == ["fact: by chat"]
    assert lessons(engine) == ["lesson: by chat", "lesson: by mail"]
    assert status(engine, "r1") == ("done", "covered")


def test_a_manual_extractor_waits_for_a_person() -> None:
    engine = engine_with(profile_extractor_config={"extraction_definition_prompt": "facts", "manual_trigger": True})
    say(engine, "r1", "one")
    learn(engine)
    assert (facts(engine), lessons(engine)) == ([], ["lesson: one"])


def test_an_extractor_that_is_off_learns_nothing() -> None:
    engine = engine_with(profile_extractor_config=None, user_playbook_extractor_config=None)
    answer = say(engine, "r1", "one")
    assert (answer["learning_status"], answer["learning_reason"]) == ("done", "not_applicable")
    learn(engine)
    assert (facts(engine), lessons(engine), engine.llm.asked) == ([], [], [])
    assert status(engine, "r1") == ("done", "not_applicable")


def test_an_evaluation_is_never_learned_from_not_even_as_context() -> None:
    engine = engine_with()
    answer = say(engine, "r1", "for the judge", evaluation_only=True)
    assert (answer["learning_status"], answer["learning_reason"]) == ("done", "not_applicable")
    say(engine, "r2", "for real")
    learn(engine)
    assert facts(engine) == ["fact: for real"]
    assert [turn.text for turn in engine.llm.asked[0].turns] == ["for real"]
    assert status(engine, "r1") == ("done", "not_applicable")


def test_a_finished_evaluation_completes_what_was_said_before_in_its_session() -> None:
    engine = engine_with()
    hear(engine, "r1", "for real")
    say(engine, "r2", "for the judge", evaluation_only=True)
    learn(engine)
    assert facts(engine) == ["fact: for real"]


def judged(**config: Any) -> tuple[Engine, ScriptedLlm]:
    """A model that finds nothing useful and lists candidates all the same."""
    answer = {
        "profile_useful": False,
        "playbook_useful": False,
        "profiles": [fact("A fact", "T1", "one")],
        "playbooks": [lesson("Always", "Do it", "T1", "one")],
    }
    llm = ScriptedLlm(extract=answer)
    engine = make_engine(llm=llm)
    if config:
        configure(engine, **config)
    return engine, llm


def test_a_negative_verdict_covers_the_window_and_learns_nothing() -> None:
    engine, llm = judged()
    say(engine, "r1", "one")
    learn(engine)
    assert (facts(engine), lessons(engine)) == ([], [])
    assert llm.asked[0].judge
    assert status(engine, "r1") == ("done", "covered")
    assert [window.useful for window in windows(engine)] == [False]
    learn(engine)
    assert len(llm.asked) == 1


def test_a_verdict_counts_for_its_own_kind() -> None:
    llm = ScriptedLlm(
        extract={
            "profile_useful": True,
            "playbook_useful": False,
            "profiles": [fact("A fact", "T1", "one")],
            "playbooks": [lesson("Always", "Do it", "T1", "one")],
        }
    )
    engine = make_engine(llm=llm)
    say(engine, "r1", "one")
    learn(engine)
    assert (facts(engine), lessons(engine)) == (["A fact"], [])


def test_force_learns_without_a_verdict() -> None:
    engine, llm = judged()
    hear(engine, "r1", "one", force_extraction=True)
    learn(engine)
    assert (facts(engine), lessons(engine)) == (["A fact"], ["Do it"])
    assert not llm.asked[0].judge


def test_skipping_the_check_learns_without_a_verdict() -> None:
    engine, llm = judged(skip_should_run_check=True)
    say(engine, "r1", "one")
    configure(engine, skip_should_run_check=False)
    learn(engine)
    assert (facts(engine), llm.asked[0].judge) == (["A fact"], False)


def test_slash_commands_are_covered_without_a_model() -> None:
    engine, llm = judged()
    say(engine, "r1", "/compact", ("assistant", "Done."), " /clear ")
    learn(engine)
    assert (llm.asked, status(engine, "r1")) == ([], ("done", "covered"))


def test_a_command_with_words_is_judged() -> None:
    engine, llm = judged()
    say(engine, "r1", "/remember I like tea")
    learn(engine)
    assert len(llm.asked) == 1


def test_forced_slash_commands_are_learned_from() -> None:
    engine, llm = judged()
    hear(engine, "r1", "/one", force_extraction=True)
    learn(engine)
    assert len(llm.asked) == 1


GATE_ON = {"should_run_model_name": "openai/small", "generation_model_name": "openai/large"}


def gated(profile: bool, playbook: bool, **config: Any) -> tuple[Engine, ScriptedLlm]:
    candidates = {"profiles": [fact("A fact", "T1", "one")], "playbooks": [lesson("Always", "Do it", "T1", "one")]}
    llm = ScriptedLlm(gate={"profile_useful": profile, "playbook_useful": playbook}, extract=candidates)
    engine = make_engine(llm=llm)
    configure(engine, llm_config=GATE_ON, **config)
    return engine, llm


def test_the_gate_is_asked_only_where_a_model_is_named_for_it() -> None:
    engine, llm = judged()
    say(engine, "r1", "one")
    learn(engine)
    assert llm.tasks == ["extract"]
    engine, llm = gated(profile=True, playbook=True)
    say(engine, "r1", "one")
    learn(engine)
    assert llm.tasks == ["gate", "extract"]
    assert not llm.of("extract")[0].judge
    assert (facts(engine), lessons(engine)) == (["A fact"], ["Do it"])


def test_a_closed_gate_covers_the_window_with_one_small_call() -> None:
    engine, llm = gated(profile=False, playbook=False)
    say(engine, "r1", "one")
    learn(engine)
    assert (llm.tasks, facts(engine), status(engine, "r1")) == (["gate"], [], ("done", "covered"))


def test_the_gate_lets_one_kind_through() -> None:
    engine, llm = gated(profile=False, playbook=True)
    say(engine, "r1", "one")
    learn(engine)
    assert llm.of("extract")[0].kinds == ("playbook",)
    assert (facts(engine), lessons(engine)) == ([], ["Do it"])
    assert [windows(engine, kind)[0].useful for kind in ("profile", "playbook")] == [False, True]


def test_force_and_skipping_pass_the_gate_by() -> None:
    engine, llm = gated(profile=False, playbook=False)
    hear(engine, "r1", "one", force_extraction=True)
    learn(engine)
    assert llm.tasks == ["extract"]
    engine, llm = gated(profile=False, playbook=False, skip_should_run_check=True)
    say(engine, "r1", "one")
    learn(engine)
    assert llm.tasks == ["extract"]


def test_the_gate_is_paid_for_also_when_the_extraction_fails() -> None:
    engine, _ = gated(profile=True, playbook=True)
    engine.llm._script["extract"] = [LlmUnavailable("down")]
    say(engine, "r1", "one")
    learn(engine)
    assert cursor(engine).spent["calls"] == 1


def test_the_kinds_have_windows_of_their_own() -> None:
    engine = engine_with(
        profile_extractor_config={
            "extraction_definition_prompt": "facts",
            "window_size_override": 2,
            "stride_size_override": 2,
        },
        window_size=3,
        stride_size=3,
    )
    hear(engine, "r1", "one", "two")
    learn_what_is_due(engine)
    assert (facts(engine), lessons(engine)) == (["fact: one", "fact: two"], [])
    assert status(engine, "r1") == ("pending", "waiting_for_window")
    hear(engine, "r2", "three")
    learn_what_is_due(engine)
    assert lessons(engine) == ["lesson: one", "lesson: three", "lesson: two"]
    assert status(engine, "r1") == ("done", "covered")
    assert [inputs.kinds for inputs in engine.llm.asked if hasattr(inputs, "kinds")] == [("profile",), ("playbook",)]


def test_a_kind_that_fails_does_not_hold_the_other_up() -> None:
    def only_lessons(inputs: Any) -> dict[str, Any]:
        if "profile" in inputs.kinds:
            raise LlmUnavailable("down")
        return {"playbooks": [lesson("Always", "Do it", "T1", "one")]}

    engine = make_engine(llm=ScriptedLlm(extract=only_lessons))
    configure(
        engine,
        profile_extractor_config={
            "extraction_definition_prompt": "facts",
            "window_size_override": 2,
            "stride_size_override": 2,
        },
    )
    say(engine, "r1", "one", "two", "three")
    learn(engine)
    assert lessons(engine) == ["Do it"]
    assert (cursor(engine, "playbook").completed_seq, cursor(engine, "profile").completed_seq) == (3, 0)
    assert status(engine, "r1") == ("pending", "retrying")


def test_skipping_aggregation_is_remembered_with_the_lesson() -> None:
    engine = engine_with()
    say(engine, "r1", "one", skip_aggregation=True)
    learn(engine)
    assert [window.window.skip_aggregation for window in windows(engine, "playbook")] == [True]


def test_a_completion_hint_reaches_a_publication_that_the_session_index_does_not_show_yet() -> None:
    engine = engine_with()
    hear(engine, "r1", "one")
    engine.store.query_index = lambda query: type(engine.store).query_index(engine.store, query).__class__((), None)
    answer = finalize_session(engine, TENANT, FinalizeSessionRequest(user_id=USER, session_id="s"))
    assert answer["accepted"]
    learn(engine)
    assert facts(engine) == ["fact: one"]


def test_a_completion_hint_finds_an_old_session_by_the_index() -> None:
    engine = engine_with(window_size=50, stride_size=50)
    hear(engine, "old", "one", session_id="old")
    for number in range(15):
        hear(engine, f"r{number}", "more", session_id="other")
    assert finalize_session(engine, TENANT, FinalizeSessionRequest(user_id=USER, session_id="old"))["accepted"]
    learn(engine)
    assert facts(engine) == ["fact: one"]


def test_a_completion_hint_for_nothing_is_not_accepted() -> None:
    engine = engine_with()
    hear(engine, "r1", "one", user="bob")
    answer = finalize_session(engine, TENANT, FinalizeSessionRequest(user_id=USER, session_id="s"))
    assert (answer["success"], answer["accepted"]) == (True, False)


def test_an_idle_session_is_learned_from_after_six_hours_without_another_publish() -> None:
    engine = engine_with()
    hear(engine, "r1", "one")
    engine.clock.at = START + 21_599
    assert learn_what_is_due(engine) == 0
    engine.clock.at = START + 21_600
    assert learn_what_is_due(engine) == 1
    assert facts(engine) == ["fact: one"]
    assert learn_what_is_due(engine) == 0


def test_the_idle_time_is_the_one_of_the_publication_and_zero_means_never() -> None:
    engine = engine_with(extraction_idle_timeout_seconds=60)
    hear(engine, "r1", "one", session_id="short")
    configure(engine, extraction_idle_timeout_seconds=0)
    hear(engine, "r2", "two", session_id="never")
    engine.clock.sleep(61)
    learn_what_is_due(engine)
    assert facts(engine) == ["fact: one"]
    engine.clock.sleep(10_000_000)
    learn_what_is_due(engine)
    assert facts(engine) == ["fact: one"]
