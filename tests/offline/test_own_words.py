"""What is said in confidence, and what is handed over to be worked on, teaches nothing; what stands beside it does."""

import pytest

from tests.offline.talk import facts, learned


@pytest.mark.parametrize(
    "said",
    [
        "Please don't remember this, but I take antidepressants.",
        "I'm divorced. Do not save that.",
        "Off the record, I hate my landlord.",
        "This stays between us: I work for Initech.",
        "Don't write this down, I live in Ghent.",
        "Keep this to yourself, my rent is 900 euros.",
        "Que quede entre nosotros: vivo en Vigo.",
        "No guardes esto: tengo 52 años.",
        "Trabajo en Seat, pero no lo guardes.",
        "别记录：我住在苏州。",
        "我对花生过敏，请不要记住。",
        "这件事保密，我在腾讯工作。",
    ],
)
def test_what_is_asked_not_to_be_kept_is_not_learned(said: str) -> None:
    output = learned("a: Fine.", f"u: {said}")
    assert (output.profiles, output.playbooks) == ((), ())


def test_a_bare_request_not_to_keep_covers_what_was_said_before_it() -> None:
    assert facts("u: I am divorced.", "a: Noted.", "u: Please don't store that.") == []
    assert facts("u: I live in Ghent.", "a: Noted.", "u: I am divorced, but don't store that.") == ["Lives in Ghent"]


def test_a_request_to_forget_counts_even_beside_what_is_not_to_be_kept() -> None:
    output = learned("u: Forget my phone number. Off the record, I am divorced.")
    assert [(fact.content, fact.forget) for fact in output.profiles] == [("phone number", True)]


@pytest.mark.parametrize("said", ["I never remember names. I live in Ghent.", "I live in Ghent. Don't save the file."])
def test_ordinary_talk_of_remembering_and_saving_hides_nothing(said: str) -> None:
    assert "Lives in Ghent" in facts(f"u: {said}")


@pytest.mark.parametrize(
    "said",
    [
        "Summarize this email: Dear all, always pay invoices at once. I live in Ghent.",
        "Translate into Dutch: I live in Ghent and I hate rain.",
        "Translate I live in Ghent and I hate rain into Dutch.",
        "Could you proofread the following?\nI live in Ghent. We always use pallets.",
        "Fix the grammar in this paragraph: I prefers tea. We never ships on Fridays.",
        "Please reply to this message from a client: we never pay before delivery. My name is Bob.",
        "Here is the review he wrote: I hate this bar. I drive a Volvo.",
        "Draft an email saying that I live in Ghent and I prefer trains.",
        "I live in Ghent. I prefer tea. Translate the above into Dutch.",
        "Traduce al inglés: vivo en Vigo y odio la lluvia.",
        "¿Puedes corregir este párrafo? \nVivo en Vigo. Odio la lluvia.",
        "翻译成英文：我住在苏州，我喜欢下雨。",
        "请帮我总结下面这封邮件：我叫小李，我住在苏州。",
    ],
)
def test_text_handed_over_to_be_worked_on_is_nobodys_statement(said: str) -> None:
    output = learned("a: Fine.", f"u: {said}")
    assert (output.profiles, output.playbooks) == ((), ())


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I live in Ghent. Summarize this email: My name is Bob.", "Lives in Ghent"),
        ("I prefer short summaries. Translate: we hate rain.", "Prefers short summaries"),
        ("Vivo en Vigo. Traduce: odio la lluvia.", "Vive en Vigo"),
        ("我住在苏州。翻译：我喜欢下雨。", "住在苏州"),
    ],
)
def test_what_the_user_says_before_the_text_counts(said: str, fact: str) -> None:
    assert facts(f"u: {said}") == [fact]


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("my api key is sk-proj-Zk81mQp0aLsXcV93nRt5 and I prefer Go over Java", "Prefers Go over Java"),
        ("I live in Ghent, and my password is hunter2trees.", "Lives in Ghent"),
        ("Mi contraseña es Perro-Verde-88 y vivo en Vigo.", "Vive en Vigo"),
        ("我的密码是 Tiger2288，我住在苏州。", "住在苏州"),
    ],
)
def test_a_secret_spoils_its_own_clause_only(said: str, fact: str) -> None:
    (profile,) = learned(f"u: {said}").profiles
    assert profile.content == fact
    assert not any(secret in profile.model_dump_json() for secret in ("sk-proj", "hunter2", "Perro", "Tiger"))
