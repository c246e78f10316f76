"""Any text is a legal query; what is there is found, what is not there is not, and nothing is cut off in silence."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal

from reflexio_core.errors import InferenceUnavailable, ModelMismatch
from tests.doubles.ports import START
from tests.faults.words import WordInference
from tests.faults.world import Row, World

OPERATORS = [*'+-=&|><!(){}[]^"~*?:\\/', "&&", "||", "AND", "OR", "NOT", "NEAR", "mcp"]


def by_hand(number: int, text: str) -> Row:
    """A fact to add."""
    return {
        "profile_id": f"p{number}",
        "user_id": "ana",
        "content": text,
        "last_modified_timestamp": int(START) + number,
        "generated_from_request_id": "by-hand",
    }


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, portal: BlockingPortal) -> Iterator[World]:
    """One user's facts, added by hand."""
    world = World(tmp_path_factory.mktemp("library"), portal)
    texts = [
        "Deploys the region service with the mcp-server tool",
        "Writes C++ and uses a/b|c\\d paths",
        "Drinks green tea in the morning",
        "Su ciudad es Málaga",
        "Yes",
        "ok",
        "住在上海",
    ]
    rows = [by_hand(n, text) for n, text in enumerate(texts)]
    assert world.call("POST", "add_user_profile", {"user_profiles": rows})["success"]
    world.learn()
    yield world
    world.close()


@pytest.mark.parametrize("mode", ["fts", "vector", "hybrid"])
@pytest.mark.parametrize(
    "shape", ["{0}", "{0} deploys", "deploys {0}", "deploys{0}region", '"{0}', "{0}{0}{0} deploys"]
)
def test_any_operator_is_a_legal_query(library: World, mode: str, shape: str) -> None:
    for operator in OPERATORS:
        answer = library.search("ana", shape.format(operator), search_mode=mode)
        assert answer["degraded"] is False, operator


@pytest.mark.parametrize("operator", OPERATORS)
def test_an_operator_beside_a_word_does_not_hide_the_row(library: World, operator: str) -> None:
    found = library.found("ana", f"deploys {operator} region", search_mode="fts")
    assert "Deploys the region service with the mcp-server tool" in found


@pytest.mark.parametrize("query", ["mcp", "mcp-server", "C++", "a/b|c\\d", "Málaga", "上海", "green-tea"])
def test_words_with_punctuation_find_their_row(library: World, query: str) -> None:
    assert library.found("ana", query, search_mode="fts")


@pytest.mark.parametrize(
    "query", ["🙂🙂", "مرحبا بالعالم", "שלום", "x" * 4_000, "'; DROP TABLE items; --", "\u202eabc", "%_%", "\\\\\\"]
)
def test_any_script_and_length_is_a_legal_query(library: World, query: str) -> None:
    assert library.search("ana", query)["success"] is True


@pytest.mark.parametrize(
    "query",
    [
        "quantum chromodynamics",
        "zebra",
        "x",
        "What is the weather like?",
        "Where did I put my keys?",
        "How do I bake a cake for the party?",
        "¿Cuál es la capital de Francia?",
    ],
)
@pytest.mark.parametrize("mode", ["fts", "vector", "hybrid"])
def test_a_query_about_nothing_known_finds_nothing(library: World, query: str, mode: str) -> None:
    assert library.found("ana", query, search_mode=mode) == []


@pytest.mark.parametrize("query", ["", "   "])
def test_a_blank_query_is_refused_by_name(library: World, query: str) -> None:
    response = library.client.post("/api/search", json={"user_id": "ana", "query": query})
    assert response.status_code == 422
    assert "query" in response.text


def test_every_row_is_reached_page_by_page(world: World) -> None:
    rows = [by_hand(n, f"fact {n}") for n in range(250)]
    for start in range(0, 250, 50):
        assert world.call("POST", "add_user_profile", {"user_profiles": rows[start : start + 50]})["success"]
    seen: list[str] = []
    token: str | None = None
    for _ in range(10):
        page = world.call("POST", "get_profiles", {"user_id": "ana", "top_k": 100, "next_token": token})
        seen += [row["content"] for row in page["user_profiles"]]
        token = page.get("next_token")
        if token is None:
            break
    assert sorted(seen) == sorted(f"fact {n}" for n in range(250))
    first = world.call("POST", "get_profiles", {"user_id": "ana"})
    assert (len(first["user_profiles"]), bool(first["next_token"])) == (30, True)


def test_another_embedding_model_is_named_and_never_silently_searched(tmp_path: Path, portal: BlockingPortal) -> None:
    world = World(tmp_path, portal)
    world.tell("ana", "I love Chinese food.")
    world.close()
    with pytest.raises(ModelMismatch) as mismatch:
        World(tmp_path, portal, inference=WordInference(dimension=512, name="other"))
    assert "384" in str(mismatch.value)
    assert "512" in str(mismatch.value)


def test_words_meaning_and_dates_narrow_a_search(world: World) -> None:
    world.tell("ana", {"role": "user", "content": "The red boat left", "created_at": int(START) - 1_000_000})
    world.tell("ana", {"role": "user", "content": "The red boat came back", "created_at": int(START)})
    since = datetime.fromtimestamp(START - 10, tz=UTC).isoformat()
    body = {"user_id": "ana", "query": "red boat", "start_time": since}
    for mode in ("fts", "vector", "hybrid"):
        found = world.call("POST", "search_interactions", {**body, "search_mode": mode})["interactions"]
        assert [row["content"] for row in found] == ["The red boat came back"], mode
        earlier = {**body, "start_time": None, "end_time": since, "search_mode": mode}
        found = world.call("POST", "search_interactions", earlier)["interactions"]
        assert [row["content"] for row in found] == ["The red boat left"], mode


def test_a_failing_embedder_leaves_words_and_says_so(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise InferenceUnavailable("away")

    monkeypatch.setattr(WordInference, "embed", fail)
    world.tell("ana", "I love Chinese food.")
    answer = world.search("ana", "Chinese food")
    assert [row["content"] for row in answer["profiles"]] == world.said("ana")
    assert answer["degraded"] is True
    assert answer["degraded_parts"]
    assert answer["search_mode_effective"] == "fts"
