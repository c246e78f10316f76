"""The full-text arm: any text is a legal query, and only words that say something find anything."""

import string

import pytest

from reflexio_core.ports.index import Index
from tests.contract.index.docs import by_words, doc, where

HOSTILE = [
    *string.punctuation,
    '"', '""', "'", "a\"b", "NEAR(a b)", "a AND", "OR", "NOT", "AND OR NOT", "words:x", "words : (x)", "col:",
    "*", "a*", "^a", "-a", "(", ")", "((((", "{a}", "[a]", "a\\", "a;DROP TABLE index_docs", "%", "_", "\x00", "a\x00b",
    "\ud800", "a\udfff b", "🦊", "🦊🏽‍🚀 deploy", "שלום עולם", "مرحبا بالعالم", "\u202edeploy\u202c", "\n\t ", "",
    "x" * 10_000, "deploy " * 2_000, " ".join(f"w{n}" for n in range(3_000)), "'" * 10_000, '"' * 9_999, "é" * 10_000,
    "猫" * 10_000, "a-" * 5_000, "(" * 10_000, "\u0301" * 50,
]  # fmt: skip


def test_no_text_breaks_a_search(index: Index) -> None:
    index.upsert([doc("a", "we deploy on Thursdays")])
    for text in HOSTILE:
        assert by_words(index, text) in ([], ["a"]), repr(text[:40])
        assert by_words(index, f"deploy {text}"[:10_000]) == ["a"], repr(text[:40])


def test_no_text_breaks_a_document(index: Index) -> None:
    for number, text in enumerate(HOSTILE):
        name, label = f"d{number}", text[:50]
        index.upsert([doc(name, f"deploy {text}", user=name, source=label, tags=[label])])
        assert by_words(index, "deploy", where(name)) == [name], repr(label)
        assert by_words(index, "deploy", where(name, tags=(label,), equals={"source": label})) == [name], repr(label)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Deploying the services", "deployed service"),
        ("Ships on THURSDAYS", "thursday"),
        ("Before a production deployment", "deploy the billing service"),
        ("Deploys on Thursdays", "deployment day"),
        ("employees of the month", "employment"),
        ("El niño está en Málaga", "nino malaga"),
        ("La configuración regional", "configuracion"),
        ("Straße nach Zürich", "STRASSE zurich"),
        ("ｆｕｌｌｗｉｄｔｈ text", "fullwidth"),
        ("region is us-west-2 for prod", "us-west-2"),
        ("see e-mail settings", "e-mail"),
        ("file src/app/main.py broke", "main.py"),
        ("用户喜欢喝绿茶", "绿茶"),
        ("用户喜欢喝绿茶", "喜欢什么茶"),
        ("我养了一只猫", "猫"),
        ("我用Python写代码", "python"),
        ("東京に住んでいます", "東京"),
        ("カタカナのテスト", "カタカナ"),
        ("ภาษาไทยง่ายมาก", "ภาษาไทย"),
        ("서울에 살아요", "서울"),
        ("मुझे हिन्दी पसंद है", "हिन्दी"),
        ("Привет из Москвы", "москвы"),
        ("مُحَمَّد يحب القهوة", "محمد"),
        ("meeting about deployments", "deplo"),
    ],
)
def test_a_text_is_found_by_its_words_in_any_script(index: Index, text: str, query: str) -> None:
    index.upsert([doc("a", text), doc("b", "something else entirely 其他 другое")])
    assert by_words(index, query) == ["a"]


@pytest.mark.parametrize(
    "query",
    [
        "what is the best way for you to do this?",
        "¿qué es lo que tú me dices de esto?",
        "where is the capital of Mongolia",
        "us-east-1",
        "你怎么看？",
        "a",
        "deplorable",
    ],
)
def test_a_query_without_a_relevant_row_finds_nothing(index: Index, query: str) -> None:
    texts = (
        "the user wants you to deploy to us-west-2",
        "qué es lo que quiere la usuaria",
        "这个用户是医生",
        "it is what it is",
    )
    index.upsert([doc(str(n), text) for n, text in enumerate(texts)])
    assert by_words(index, query) == []


def test_words_that_say_nothing_count_side_by_side_when_there_are_no_others(index: Index) -> None:
    index.upsert([doc("band", "tickets for The Who"), doc("other", "who knows the way?"), doc("zh", "这是什么")])
    assert by_words(index, "the who") == ["band"]
    assert by_words(index, "who") == ["band", "other"]
    assert by_words(index, "what does the user like?") == []
    assert by_words(index, "什么") == ["zh"]


def test_a_word_joined_by_punctuation_is_looked_for_as_a_whole(index: Index) -> None:
    index.upsert([doc("west", "production in us-west-2"), doc("noise", "2 of us went home")])
    assert by_words(index, "us-west-2") == ["west"]


def test_a_query_that_ends_in_punctuation_is_not_cut_within_a_word(index: Index) -> None:
    index.upsert([doc("a", "cargo ships")])
    assert by_words(index, "car") == ["a"]
    assert by_words(index, "car?") == []


def test_rarer_and_more_words_rank_higher(index: Index) -> None:
    index.upsert([doc(f"filler{n}", "deploy the service today") for n in range(20)])
    index.upsert([doc("best", "deploy to frankfurt")])
    assert by_words(index, "deploy frankfurt")[0] == "best"


def test_scores_grow_with_relevance_and_equal_rows_come_newest_first(index: Index) -> None:
    index.upsert([doc(f"d{n}", "deploy now", time=n) for n in range(5)])
    assert by_words(index, "deploy") == ["d4", "d3", "d2", "d1", "d0"]


def test_the_words_of_others_do_not_change_a_users_ranking(index: Index) -> None:
    mine = [doc("a", "alpha alpha beta"), doc("b", "beta beta alpha"), doc("c", "gamma"), doc("d", "delta")]
    index.upsert(mine)
    before = by_words(index, "alpha beta")
    index.upsert([doc(f"x{n}", "alpha alpha alpha", user="u2") for n in range(300)])
    assert by_words(index, "alpha beta") == before


def test_limits_beyond_what_there_is_are_legal(index: Index) -> None:
    index.upsert([doc(f"d{n}", "deploy") for n in range(30)])
    assert len(by_words(index, "deploy", limit=1_000_000)) == 30
