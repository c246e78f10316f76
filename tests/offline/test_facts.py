"""Which clauses are facts about the user, and how they are written down."""

import pytest

from tests.offline.talk import facts, learned


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I live in Łódź.", "Lives in Łódź"),
        ("By the way, I'm allergic to penicillin.", "Is allergic to penicillin"),
        ("My time zone is Asia/Tokyo.", "Time zone is Asia/Tokyo"),
        ("We use Terraform for infrastructure.", "Uses Terraform for infrastructure"),
        ("Please call me Zoë.", "Wants to be called Zoë"),
        ("I don't eat meat.", "Does not eat meat"),
        ("Me mudé a Gijón.", "Se mudó a Gijón"),
        ("I'd rather get a text message.", "Prefers to get a text message"),
        ("I no longer work at Initech.", "No longer works at Initech"),
        ("My daughter is allergic to nuts.", "Daughter is allergic to nuts"),
        ("For flights, I prefer aisle seats.", "Prefers aisle seats (for flights)"),
        ("Vivo en Sevilla.", "Vive en Sevilla"),
        ("Me llamo Íñigo Núñez.", "Se llama Íñigo Núñez"),
        ("Odio el ruido.", "Odia el ruido"),
        ("Mi cumpleaños es el 3 de mayo.", "Cumpleaños es el 3 de mayo"),
        ("我住在苏州。", "住在苏州"),
        ("我对花生过敏。", "对花生过敏"),
        ("我的时区是东八区。", "时区是东八区"),
    ],
)
def test_a_stated_fact_is_kept_in_the_users_language_with_names_verbatim(said: str, fact: str) -> None:
    assert facts(f"u: {said}") == [fact]


@pytest.mark.parametrize(
    "said",
    [
        "Hello, how are you?",
        "I'm fine, thanks. A bit tired.",
        "I love that!",
        "I have a question.",
        "Do I live in Oslo?",
        "If I lived in Oslo, would I pay less?",
        "Suppose I work for a bank.",
        "Imagine we always use Java.",
        "My colleague prefers Kafka and always uses Java.",
        "He lives in Gdansk.",
        "My build is failing.",
        "¡Hola! ¿Qué tal? Estoy bien.",
        "Me encanta eso.",
        "Si viviera en Lugo, pagaría menos.",
        "Mi jefe prefiere Excel y siempre usa macros.",
        "你好，今天有点累。",
        "我喜欢这个回答。",
        "如果我住在北京，要带什么？",
        "我同事喜欢用 Eclipse。",
    ],
)
def test_talk_questions_suppositions_and_other_people_teach_nothing(said: str) -> None:
    output = learned("a: Fine.", f"u: {said}")
    assert (output.profiles, output.playbooks) == ((), ())
    assert not output.profile_useful


def test_what_the_assistant_says_is_no_fact() -> None:
    assert facts("a: I live in Paris and you prefer decaf.", "u: ok") == []


def test_a_statement_before_a_question_in_one_sentence_counts() -> None:
    assert facts("u: I drive a Volvo, where can I park it?") == ["Drives a Volvo"]


def test_a_turn_seen_before_gives_context_and_no_learning() -> None:
    assert facts("u: I live in Oslo.", new=False) == []


def test_relative_dates_are_resolved_in_the_time_zone_of_the_turn() -> None:
    output = learned("u: My flight is tomorrow at 18:20.")
    assert [fact.content for fact in output.profiles] == ["Flight is 2026-03-05 at 18:20"]
    assert output.profiles[0].time_to_live == "one_day"


@pytest.mark.parametrize(
    ("said", "duration"),
    [
        ("I live in Oslo this week.", "one_week"),
        ("I live in Oslo.", "infinity"),
        ("Trabajo en Lugo este mes.", "one_month"),
        ("我今年住在广州。", "one_year"),
    ],
)
def test_how_long_a_fact_holds_follows_from_its_own_words(said: str, duration: str) -> None:
    assert [fact.time_to_live for fact in learned(f"u: {said}").profiles] == [duration]


def test_a_later_value_in_the_same_window_replaces_the_earlier_one() -> None:
    assert facts("u: I live in Oslo.", "a: Nice.", "u: I moved to Bergen.") == ["Moved to Bergen"]


def test_a_value_and_the_denial_of_the_former_one_are_one_fact() -> None:
    said = ("u: I no longer work at Initech.", "a: Oh?", "u: I work at Initrode now.")
    assert facts(*said) == ["Works at Initrode now (no longer works at Initech)"]


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("Please forget my phone number.", "phone number"),
        ("Don't remember that I like jazz.", "I like jazz"),
        ("Olvida mi dirección, por favor.", "dirección"),
        ("请忘记我的电话。", "电话"),
    ],
)
def test_a_request_to_forget_names_what(said: str, topic: str) -> None:
    assert [(fact.content, fact.forget) for fact in learned(f"u: {said}").profiles] == [(topic, True)]


@pytest.mark.parametrize(
    "said", ["Never mind, forget it.", "Don't forget to call.", "Delete my branch please.", "别忘了打电话。"]
)
def test_idioms_and_tasks_are_no_request_to_forget(said: str) -> None:
    assert not any(fact.forget for fact in learned(f"u: {said}").profiles)


def test_what_is_forgotten_in_the_same_window_is_not_learned() -> None:
    output = learned("u: My phone number is 0151 496 0222.", "a: ok", "u: Forget my phone number.")
    assert [fact.forget for fact in output.profiles] == [True]


def test_a_known_fact_is_not_learned_again() -> None:
    from reflexio_core.tasks.extract import KnownProfile
    from tests.offline.memory import extract
    from tests.offline.talk import turns

    window = turns("u: I live in Oslo.")
    assert extract(window, known_profiles=(KnownProfile(content="Lives in Oslo"),)).profiles == ()
    assert extract(window, known_profiles=(KnownProfile(content="Lives in Bergen"),)).profiles


@pytest.mark.parametrize(
    "said",
    [
        "Forget everything.",
        "Please forget everything you know about me.",
        "Forget everything I told you about me!",
        "Delete my data, forget all you have about me.",
        "Olvida todo lo que sabes de mí.",
        "Olvida todo, por favor.",
        "忘掉关于我的一切。",
        "请删除我的所有信息。",
    ],
)
def test_a_request_to_forget_everything_is_worded_the_same_in_every_language(said: str) -> None:
    assert [(fact.content, fact.forget) for fact in learned(f"u: {said}").profiles][-1] == ("everything", True)


@pytest.mark.parametrize(
    "said",
    ["Forget everything I said about my diet.", "Olvida todo lo que te dije de mi dieta.", "忘记所有关于我工作的事。"],
)
def test_everything_about_one_thing_is_not_everything(said: str) -> None:
    (fact,) = learned(f"u: {said}").profiles
    assert fact.forget
    assert fact.content != "everything"


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I hate it when you apologise.", None),
        ("I hate when you apologise.", "Hates when the agent apologises"),
        ("I prefer that you don't guess.", "Prefers that the agent does not guess"),
        ("Call me by my last name, Okafor.", "Wants to be called by their last name, Okafor"),
        ("I avoid meetings when I'm tired.", "Avoids meetings when they are tired"),
        ("Prefiero que me hables de usted.", "Prefiere que el agente le hable de usted"),
        ("Prefiero mi propio editor.", "Prefiere su propio editor"),
        ("我希望你用中文。", "希望助手用中文"),
    ],
)
def test_no_first_or_second_person_is_left_in_a_fact(said: str, fact: str | None) -> None:
    assert facts(f"u: {said}") == ([fact] if fact else [])


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I told you I am vegetarian!", "Is vegetarian"),
        ("My manager is Ada Byron.", "Manager is Ada Byron"),
        ("I report to Grace.", "Reports to Grace"),
        ("We only publish majors in spring.", "Only publishes majors in spring"),
        ("I don't do calls before noon.", "Does not do calls before noon"),
        ("Mi jefa es Nuria Gil.", "Jefa es Nuria Gil"),
        ("Te dije que soy vegana.", "Es vegana"),
        ("喜欢喝普洱茶。", "喜欢喝普洱茶"),
        ("我已经从上海搬到杭州了。", "已经从上海搬到杭州了"),
        ("我说过我对花生过敏。", "对花生过敏"),
        ("Put fixtures in tests/data, please.", "Put fixtures in tests/data"),
        ("Always use Postgres 14.", "Preferred database is Postgres 14"),
    ],
)
def test_facts_are_found_however_they_are_introduced(said: str, fact: str) -> None:
    assert facts(f"u: {said}") == [fact]


@pytest.mark.parametrize(
    ("conversation", "fact"),
    [
        (("a: PR opened against main.", "u: PRs go to develop, not main!"), "PRs go to develop, not main"),
        (
            ("a: Here is report.docx", "u: No, I wanted the report in PDF, not Word."),
            "Wants the report in PDF, not Word",
        ),
        (("a: Using MySQL 5.", "u: Don't use MySQL 5. We standardised on MySQL 8."), "Standardised on MySQL 8"),
    ],
)
def test_what_is_put_right_in_passing_is_a_fact(conversation: tuple[str, ...], fact: str) -> None:
    assert facts(*conversation) == [fact]


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I no longer work at Initech, now I'm at Initrode.", "Works at Initrode"),
        ("Ya no trabajo en Mercadona, ahora estoy en Lidl.", "Trabaja en Lidl"),
        ("Ya no vivo en Lugo, ahora estoy en Vigo.", "Vive en Vigo"),
    ],
)
def test_where_somebody_is_now_takes_its_meaning_from_what_is_denied(said: str, fact: str) -> None:
    (found,) = facts(f"u: {said}")
    assert found.startswith(fact)
