"""How a candidate fits to what is stored."""

import pytest

from reflexio_core.errors import LlmInvalidOutput, LlmUsage
from reflexio_core.ports.llm import LlmSettings, Task
from reflexio_core.tasks import CONSOLIDATE, GATE
from reflexio_core.tasks.consolidate import ConsolidateInputs, ConsolidationItem, Decision
from reflexio_core.tasks.gate import GateInputs
from reflexio_core.tasks.transcript import TaskModel
from tests.offline.memory import LLM, SETTINGS
from tests.offline.talk import turns

EARLIER, LATER = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"


def decide(new: str, *old: str, kind: str = "profile", forget: bool = False, said: str = LATER) -> Decision:
    rows = tuple(
        ConsolidationItem(label=f"OLD-{n}", kind=kind, content=text, said=EARLIER)
        for n, text in enumerate(old, start=1)
    )
    candidate = ConsolidationItem(label="NEW-1", kind=kind, content=new, said=said, forget=forget)
    (decision,) = LLM.run(CONSOLIDATE, ConsolidateInputs(new=(candidate,), old=rows), SETTINGS).output.decisions
    return decision


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Loves Chinese food", "Hates Chinese food now"),
        ("Has 5 years of experience with Rust", "Has 6 years of experience with Rust"),
        ("Lives in Rotterdam", "Moved to Antwerp"),
        ("Works at Initech", "No longer works at Initech"),
        ("Is vegan", "Is not vegan any more"),
        ("Uses Jenkins for CI", "Uses Buildkite for CI"),
        ("Budget is $4,000 a month", "Budget is $6,500 a month"),
        ("Production region is us-east-1", "Production region is us-west-2 (never us-east-1)"),
        ("CRM is HubSpot", "CRM is Pipedrive now"),
        ("Vive en Zaragoza", "Se mudó a Gijón"),
        ("Le encanta el sushi", "Ya no le gusta el sushi"),
        ("Prefers answers in bullet points", "Prefers to have short paragraphs"),
        ("Prefers short paragraphs", "Prefers bullet points"),
        ("Prefers tabs", "Always use spaces"),
        ("Preferred database is Postgres 14", "Preferred database is Postgres 16"),
        ("Prefiere respuestas cortas", "Prefiere respuestas detalladas"),
        ("喜欢简短的回答", "希望回答详细一点"),
        ("住在北京", "已经从北京搬到深圳了"),
        ("住在成都", "搬到深圳了"),
        ("喜欢喝咖啡", "现在不喜欢喝咖啡了"),
        ("有5年前端经验", "有6年前端经验"),
    ],
)
def test_a_changed_fact_replaces_the_old_one_and_only_it(old: str, new: str) -> None:
    decision = decide(new, "Birthday is 14 May", old, "Drives a Volvo")
    assert (decision.action, decision.old, decision.content) == ("unify", ("OLD-2",), new)


@pytest.mark.parametrize("text", ["Lives in Oslo", "Vive en Lugo", "对花生过敏", "Prefers aisle seats"])
def test_the_same_fact_again_is_refused(text: str) -> None:
    assert (decide(text, text).action, decide(text, text).old) == ("reject_new", ("OLD-1",))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Loves Chinese food", "Loves trains"),
        ("Lives in Oslo", "Works at Initech"),
        ("Daughter is allergic to nuts", "Is allergic to penicillin"),
        ("Daughter is 5 years old", "Daughter is allergic to nuts"),
        ("Uses Stripe for payments", "Uses Neovim"),
        ("Has 3 cats", "Has 2 daughters"),
        ("喜欢吃辣", "喜欢爬山"),
        ("Prefers short emails", "Prefers detailed reports"),
        ("Prefers short answers", "Prefers answers in bullet points"),
    ],
)
def test_unrelated_facts_stay_side_by_side(old: str, new: str) -> None:
    assert decide(new, old).action == "independent"


def test_a_count_inside_a_longer_fact_is_updated_in_place() -> None:
    assert (
        decide("Has 30 seats", "Is on the Starter plan with 12 seats").content == "Is on the Starter plan with 30 seats"
    )


def test_what_was_said_earlier_does_not_replace_what_was_said_later() -> None:
    assert decide("Lives in Oslo", "Lives in Bergen", said="2025-01-01T00:00:00Z").action == "reject_new"


@pytest.mark.parametrize(
    ("topic", "gone"),
    [
        ("my phone number", ("OLD-1",)),
        ("what I said about shellfish", ("OLD-2",)),
        ("我的电话", ("OLD-1",)),
    ],
)
def test_a_request_to_forget_removes_what_matches_and_nothing_else(topic: str, gone: tuple[str, ...]) -> None:
    decision = decide(
        topic, "Phone number is 0151 496 0222", "Is allergic to shellfish", "Lives in Bristol", forget=True
    )
    assert (decision.action, decision.old) == ("remove", gone)


@pytest.mark.parametrize(
    ("topic", "fact"),
    [
        ("the allergy", "Is allergic to shellfish"),
        ("la alergia", "Es alérgica a los frutos secos"),
        ("my diabetes", "Is diabetic"),
    ],
)
def test_what_to_forget_may_be_named_by_another_form_of_the_word(topic: str, fact: str) -> None:
    assert decide(topic, fact, "Likes all of the arts", "Lives in Alert Bay", forget=True).old == ("OLD-1",)


def test_everything_can_be_forgotten() -> None:
    assert decide("everything", "Lives in Bristol", "Drives a Volvo", forget=True).old == ("OLD-1", "OLD-2")


def test_each_candidate_gets_one_decision_and_a_stored_row_goes_once() -> None:
    new = tuple(
        ConsolidationItem(label=f"NEW-{n}", kind="profile", content=text, said=LATER)
        for n, text in enumerate(("Lives in Oslo", "Moved to Bergen"), start=1)
    )
    old = (ConsolidationItem(label="OLD-1", kind="profile", content="Lives in Rome", said=EARLIER),)
    decisions = LLM.run(CONSOLIDATE, ConsolidateInputs(new=new, old=old), SETTINGS).output.decisions
    assert [decision.new for decision in decisions] == ["NEW-1", "NEW-2"]
    assert [decision.old for decision in decisions] == [("OLD-1",), ()]


def test_a_repeated_lesson_is_refused_and_another_kind_is_not_compared() -> None:
    text = "Confirm the region before deploying"
    assert decide(text, text, kind="playbook").action == "reject_new"
    lesson = ConsolidationItem(label="OLD-1", kind="playbook", content="Lives in Oslo", said=EARLIER)
    fact = ConsolidationItem(label="NEW-1", kind="profile", content="Lives in Oslo", said=LATER)
    (decision,) = LLM.run(CONSOLIDATE, ConsolidateInputs(new=(fact,), old=(lesson,)), SETTINGS).output.decisions
    assert decision.action == "independent"


def test_the_gate_says_yes_only_where_something_would_be_learned() -> None:
    def useful(*lines: str) -> tuple[bool, bool]:
        inputs = GateInputs(kinds=("profile", "playbook"), turns=turns(*lines))
        output = LLM.run(GATE, inputs, SETTINGS).output
        return output.profile_useful, output.playbook_useful

    assert useful("u: Hello!") == (False, False)
    assert useful("u: I live in Oslo.") == (True, False)
    assert useful("a: Dropped the table.", "u: Don't drop tables without a backup.") == (False, True)


def test_answers_cost_nothing_and_name_the_rules() -> None:
    answer = LLM.run(GATE, GateInputs(kinds=("profile",), turns=turns("u: I live in Oslo.")), SETTINGS)
    assert (answer.usage, answer.model) == (LlmUsage(), "offline-rules")
    assert LLM.model_for("generation", LlmSettings(generation_model="x")) == "offline-rules"


def test_a_task_without_rules_is_refused_by_name() -> None:
    class Nothing(TaskModel):
        pass

    task = Task(name="poetry", role="generation", prompt_version="1", inputs=Nothing, output=Nothing)
    with pytest.raises(LlmInvalidOutput, match="poetry"):
        LLM.run(task, Nothing(), SETTINGS)
