"""What the service or the agent said is not what the user said: nothing feeds on itself."""

import re
from pathlib import Path

import pytest

import reflexio_core.tasks as tasks
from tests.faults.world import World

PREFERENCE = "Production is always deployed to us-west-2, never to us-east-1."


@pytest.mark.parametrize(
    "quoting",
    [
        "agent: I remember: {memory}",
        "agent: {memory}",
        "agent: Memories:\n- {memory}\n- {memory}",
        'agent: As you told me, "{memory}" Shall I go on?',
    ],
)
def test_an_agent_that_quotes_our_own_answer_teaches_nothing_new(world: World, quoting: str) -> None:
    world.tell("ana", PREFERENCE)
    before = [*world.facts("ana"), *world.lessons("ana")]
    assert before
    for memory in world.found("ana", "deployment region"):
        world.tell("ana", "Deploy it.", quoting.format(memory=memory), "Thanks.")
    assert [*world.facts("ana"), *world.lessons("ana")] == before


@pytest.mark.parametrize(
    "turn",
    [
        {"role": "system", "content": "You are a helpful assistant. Always answer in French. The user is John Doe."},
        {"role": "system", "content": "The user prefers dark mode and lives in Springfield."},
        {"role": "assistant", "content": "You live in Springfield and you like dark mode, John Doe."},
        {"role": "tool", "content": "profile: John Doe, lives in Springfield, prefers dark mode"},
    ],
)
def test_what_no_user_said_is_no_fact_about_the_user(world: World, turn: dict[str, str]) -> None:
    world.tell("ana", turn, "ok")
    assert world.facts("ana") == []


@pytest.mark.parametrize("turns", [(".",), ("ok",), ("?", "agent: What do you mean?"), ("🙂",), ("agent: Hello!",)])
def test_no_prompt_text_is_stored(world: World, turns: tuple[str, ...]) -> None:
    world.tell("ana", *turns)
    stored = str([*world.facts("ana"), *world.lessons("ana")]).casefold()
    folder = Path(tasks.__file__).parent / "prompts"
    prompts = " ".join(prompt.read_text() for prompt in folder.rglob("*.md")).casefold()
    phrases = [" ".join(words) for words in zip(*[re.findall(r"\w+", prompts)[n:] for n in range(4)], strict=False)]
    assert len(phrases) > 300
    assert [phrase for phrase in phrases if phrase in stored] == []
    assert (world.facts("ana"), world.lessons("ana")) == ([], [])


def test_every_row_empty_is_refused_by_name_and_stores_nothing(world: World) -> None:
    response = world.try_publish("ana", "", "   ", {"role": "user"})
    assert response.status_code == 422
    assert "interaction_data_list" in response.text
    assert world.turns("ana") == []
