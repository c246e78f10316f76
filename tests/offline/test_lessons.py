"""Which corrections become lessons, and that lessons name no value."""

import pytest

from reflexio_core.adapters.offline.languages import LANGUAGES
from reflexio_core.adapters.offline.playbooks import names_value
from reflexio_core.adapters.offline.values import abstracted, values_in
from tests.offline.talk import facts, learned, lessons

DEPLOY = (
    "u: Ship the billing worker.",
    "a: Starting deployment to eu-west-3...",
    "u: Wait, we never deploy staging to eu-west-3. Always use eu-north-1.",
)


def test_a_corrected_value_is_a_fact_and_the_lesson_is_to_confirm_its_category() -> None:
    assert facts(*DEPLOY) == ["Staging region is eu-north-1 (never eu-west-3)"]
    (lesson,) = learned(*DEPLOY).playbooks
    assert lesson.trigger == "Before starting a staging deployment"
    assert lesson.content.startswith("Confirm the target region with the user's constraints before")


@pytest.mark.parametrize(
    ("conversation", "category"),
    [
        (("a: I'm preparing the invoice in USD.", "u: No, we never bill in USD. Always use NOK."), "currency"),
        (("a: I'm merging into master.", "u: Stop, we always merge into develop."), "branch"),
        (("a: Running `npm install`.", "u: don't use npm, use pnpm instead"), "package manager"),
        (
            ("a: I've written the report to /tmp/out.csv.", "u: No, always write to /srv/reports/out.csv"),
            "path",
        ),
        (("a: Generando el informe en USD.", "u: No, nunca usamos USD. Usa siempre EUR."), "moneda"),
        (("a: 正在 cn-north-1 创建存储桶。", "u: 不对，我们从来不用 cn-north-1，以后都用 cn-east-2。"), "区域"),
        (("a: The answer is yes.", "u: 请用中文回答，不要用英文。"), "语言"),
    ],
)
def test_lessons_name_the_category_and_no_value(conversation: tuple[str, ...], category: str) -> None:
    output = learned(*conversation)
    assert any(category in lesson.content for lesson in output.playbooks)
    assert not any(names_value(lesson) for lesson in output.playbooks)


@pytest.mark.parametrize(
    ("conversation", "words"),
    [
        (("a: It is a long story...", "u: Please keep your answers short."), "short"),
        (("a: Hi! :)", "u: Stop using emojis."), "emojis"),
        (("a: I dropped the table.", "u: Never drop a table without a backup."), "backup"),
        (("a: Committed.", "u: Run the linter before every commit, please."), "linter"),
        (
            ("a: Skipped the test.", "u: That's wrong. Don't skip failing tests. Find the root cause first."),
            "root cause",
        ),
        (("a: ¡Hola, colega!", "u: No uses signos de exclamación."), "exclamación"),
        (("a: 已删除。", "u: 不要删除备份。"), "备份"),
    ],
)
def test_an_instruction_becomes_do_this_or_avoid_that(conversation: tuple[str, ...], words: str) -> None:
    assert any(words in lesson for lesson in lessons(*conversation))


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Never deploy on Fridays.", "on Fridays"),
        ("Always send the digest on Monday Mornings.", "on Monday Mornings"),
        ("Always send the report every Mon and Wed.", "every Mon and Wed"),
        ("Never schedule releases in December.", "in December"),
        ("Never deploy between Christmas Eve and New Year's Day.", "between Christmas Eve and New Year's Day"),
        ("Never deploy in Q4.", "in Q4"),
        ("Nunca despliegues los viernes.", "los viernes"),
        ("Nunca despliegues en Navidad y Semana Santa.", "en Navidad y Semana Santa"),
        ("永远不要在周五部署。", "在周五部署"),
        ("不要在12月发布。", "在12月发布"),
    ],
)
def test_a_lesson_keeps_the_public_calendar(said: str, kept: str) -> None:
    (lesson,) = lessons("a: Done.", f"u: {said}")
    assert kept in lesson.partition(": ")[2]


@pytest.mark.parametrize(
    "said",
    [
        "Never email Friday Labs on Fridays.",
        "Always send invoices by March 5.",
        "Never merge before the 24th of December 2026.",
        "Never deploy before April 2026.",
        "Envía siempre la factura el 5 de marzo.",
        "Always cc Jan.",
        "Keep summaries under 80 words and close with Cheers, Liv.",
        "You must run terraform fmt and show me the diff before any commit.",
        "Always filter on is_demo = false.",
        "总结一律不超过80字。",
    ],
)
def test_what_says_nothing_without_its_values_is_a_preference_and_no_lesson(said: str) -> None:
    output = learned("a: Done.", f"u: {said}")
    assert output.playbooks == ()
    assert output.profiles


def test_an_answer_to_the_agents_question_is_no_lesson() -> None:
    assert lessons("a: Shall I add a chart?", "u: Don't add a chart.") == []


def test_a_mere_fact_is_no_lesson() -> None:
    assert lessons("a: Hello.", "u: I live in Oslo and I prefer tea.") == []


def test_a_misread_request_teaches_to_ask_for_the_detail() -> None:
    found = lessons("u: Book a table.", "a: I've booked a table on the terrace.", "u: I meant inside, not the terrace.")
    assert found == ["Before booking a table: Confirm the details with the user's constraints before booking a table"]


def test_an_experts_answer_teaches_what_the_agent_left_out() -> None:
    output = learned(
        "u: How do I rename a column?", "a: Run the rename.", expert_text="Add a new column and backfill it in batches."
    )
    assert [lesson.evidence_kind for lesson in output.playbooks] == ["expert-gap"]
    assert "backfill" in output.playbooks[0].content


def test_an_expert_who_adds_nothing_teaches_nothing() -> None:
    assert lessons("u: What now?", "a: Restart the worker.", expert_text="Restart the worker.") == []


def test_every_category_has_a_noun_in_every_language() -> None:
    keys = {key for language in LANGUAGES for key in language.categories}
    for language in LANGUAGES:
        assert keys == set(language.categories)
        assert set(language.nouns.values()) | set(language.category_tasks) <= keys


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("deploy to us-gov-west-1", "region"),
        ("open https://a.example/x", "url"),
        ("write to billing@acme.example", "email"),
        ("save it in /var/lib/app", "path"),
        ("edit settings.toml", "file"),
        ("use version 1.2.3", "version"),
        ("at 10:30", "time"),
        ("on 2026-03-01", "date"),
        ("pay $1,200.50", "amount"),
        ("drop user_events", "identifier"),
        ("install with pnpm", "package manager"),
        ("push to main", "branch"),
    ],
)
def test_values_are_recognised_by_their_form(text: str, category: str) -> None:
    english = LANGUAGES[0]
    (value,) = values_in(text, english)
    assert value.category == category
    assert value.text not in abstracted(text, english)


@pytest.mark.parametrize(
    "conversation",
    [
        ("a: Booked a room on floor 3.", "u: I don't take rooms on floor 3, please move it."),
        ("a: Ran git clean -fdx.", "u: You should have used -n!"),
        ("a: Sent.", "u: No, undo that now."),
        ("a: Releasing 3.0.0.", "u: no, that should be a minor release, 2.8.0."),
        ("a: Creado.", "u: No, muévelo."),
        ("a: 已创建。", "u: 不对，删除这个。"),
    ],
)
def test_a_fragment_or_an_object_that_only_this_talk_knows_is_no_lesson(conversation: tuple[str, ...]) -> None:
    output = learned(*conversation)
    assert output.playbooks == ()
    assert not any("that should" in fact.content.casefold() for fact in output.profiles)


@pytest.mark.parametrize(
    ("conversation", "because"),
    [
        (("u: Always use Postgres 14.",), "lasting preference"),
        (("u: Never drop a table without a backup.",), "lasting preference"),
        (("a: Dropped it.", "u: Never drop a table without a backup."), "corrected"),
        (("a: Using MySQL.", "u: No, always use Postgres."), "corrected"),
        (("a: Hola.", "u: Usa siempre respuestas cortas."), "preferencia"),
    ],
)
def test_a_lesson_says_that_it_corrects_only_where_something_was_corrected(
    conversation: tuple[str, ...], because: str
) -> None:
    (lesson,) = learned(*conversation).playbooks
    assert because in lesson.rationale


@pytest.mark.parametrize(
    ("conversation", "words"),
    [
        (
            ("a: Changed the signature.", "u: Never change a signature without asking me first."),
            "without asking the user",
        ),
        (("a: Ignored the warning.", "u: Do not silence warnings, fix the cause."), "silencing warnings"),
        (("u: No uses emojis.",), "usar emojis"),
        (("a: ¡Claro! 🎉", "u: Te dije que sin emojis."), "emojis"),
        (("a: Great! 🎉", "u: No emojis please."), "emojis"),
        (("a: def fooBar(): pass", "u: Always use snake_case."), "snake_case"),
    ],
)
def test_a_prohibition_is_understood_however_it_is_worded(conversation: tuple[str, ...], words: str) -> None:
    assert any(words in lesson for lesson in lessons(*conversation))
