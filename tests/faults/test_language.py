"""The user's language, names and code are kept as they are; times are UTC."""

import json
import os
import time
from collections.abc import Iterator

import pytest

from tests.faults.world import World

LATIN = "abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize(
    ("text", "verbatim"),
    [
        ("我住在上海，我叫王小明。", ("上海", "王小明")),
        ("我对花生过敏。", ("花生",)),
        ("Me llamo Íñigo Ñandú y vivo en A Coruña.", ("Íñigo Ñandú", "A Coruña")),
        ("Prefiero los informes en PDF.", ("PDF",)),
        ("My name is Siobhán O'Neill-Nguyễn.", ("Siobhán O'Neill-Nguyễn",)),
        ("I live in Łódź.", ("Łódź",)),
    ],
)
def test_the_language_and_the_names_are_the_user_s(world: World, text: str, verbatim: tuple[str, ...]) -> None:
    world.tell("ana", text)
    said = " ".join(world.said("ana"))
    for name in verbatim:
        assert name in said
    if any("\u4e00" <= character <= "\u9fff" for character in text):
        assert not set(said.casefold()) & set(LATIN)
    if "vivo" in text or "Prefiero" in text:
        assert " the user" not in said.casefold()


TEXTS = {
    "code": 'std::map<int, char*> m; m[0] = "a\\n\\t\\"b\\""; // C++',
    "escapes": "\\u0000 \\x00 \\ud800 %s {0} ${HOME} $(ls) <script>",
    "emoji": "👩‍👩‍👧‍👦 🇪🇸 ok",
    "right to left": "أنا أسكن في القاهرة",
    "json": '{"profiles": [{"content": "I am JSON"}]}',
    "fences": "```json\n[]\n```",
    "newlines": "a\r\nb\u2028c\u0085d",
}


@pytest.mark.parametrize("kind", TEXTS)
def test_any_text_is_stored_whole_and_learned_from(world: World, kind: str) -> None:
    world.publish("ana", TEXTS[kind], "I live in Berlin.", request_id="r1")
    world.learn()
    assert TEXTS[kind] in [turn["content"] for turn in world.turns("ana")]
    assert [text for text in world.said("ana") if "Berlin" in text]
    status = world.client.get("/api/learning_status", params={"request_id": "r1"}).json()
    assert (status["status"], status["reason"]) == ("done", "covered")


@pytest.mark.parametrize("odd", ["nul \u0000 here", "lone \ud800 surrogate", "bell \u0007"])
def test_what_no_store_can_hold_is_cleaned_and_the_rest_kept(world: World, odd: str) -> None:
    body = {
        "user_id": "ana",
        "session_id": "s",
        "session_finished": True,
        "interaction_data_list": [{"role": "user", "content": odd}, {"role": "user", "content": "I live in Berlin."}],
    }
    raw = json.dumps(body)  # surrogates and NUL as JSON escapes
    response = world.client.post("/api/publish_interaction", content=raw, headers={"content-type": "application/json"})
    assert response.status_code == 200, response.text
    world.learn()
    assert len(world.turns("ana")) == 2
    assert [text for text in world.said("ana") if "Berlin" in text]


@pytest.fixture
def tokyo() -> Iterator[None]:
    """A process nine hours ahead of UTC."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "Asia/Tokyo"
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


@pytest.mark.usefixtures("tokyo")
def test_times_are_utc_in_any_zone(world: World) -> None:
    said = {"role": "user", "content": "I live in Berlin.", "created_at": "2026-05-01T09:30:00+09:00"}
    world.tell("ana", said)
    [turn] = world.turns("ana")
    assert turn["created_at"] == 1_777_595_400
    [fact] = world.facts("ana")
    assert abs(fact["last_modified_timestamp"] - world.engine.clock.now()) < 300
    inside = {"start_time": "2026-05-01T00:29:00", "end_time": "2026-05-01T00:31:00Z"}
    body = {"user_id": "ana", **inside}
    assert len(world.call("POST", "get_interactions", body)["interactions"]) == 1


@pytest.mark.parametrize(
    "time_text", ["2026-05-01T09:30:00", "yesterday", "3000-01-01T00:00:00Z", 1_777_595_400_000, -5]
)
def test_a_time_that_cannot_be_meant_is_refused_by_name(world: World, time_text: str | int) -> None:
    response = world.try_publish("ana", {"role": "user", "content": "hello", "created_at": time_text})
    assert response.status_code == 422
    assert "created_at" in response.text
    assert world.turns("ana") == []
