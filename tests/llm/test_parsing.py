"""A model's answer is untrusted: its form is forgiven, its substance is not, and a bad entry stands alone."""

import json
from typing import Any

import pytest

from reflexio_core.adapters.litellm.parsing import UnfitAnswer, parse
from reflexio_core.tasks.consolidate import ConsolidateOutput
from reflexio_core.tasks.extract import ExtractOutput
from reflexio_core.tasks.gate import GateOutput

PROFILE: dict[str, Any] = {
    "content": "Lives in Porto.",
    "time_to_live": "infinity",
    "forget": False,
    "evidence": [{"turn": "T1", "quote": "I live in Porto"}],
}
PLAYBOOK: dict[str, Any] = {
    "trigger": "Before sending a mail",
    "content": "Show the draft first.",
    "rationale": "",
    "pitfall": None,
    "evidence_kind": "correction",
    "evidence": [{"turn": "T3", "quote": "show me first"}],
}
ANSWER = {"profile_useful": True, "playbook_useful": True, "profiles": [PROFILE], "playbooks": [PLAYBOOK]}
TEXT = json.dumps(ANSWER)
INDENTED = json.dumps(ANSWER, indent=2)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(TEXT, id="bare"),
        pytest.param(f"```json\n{INDENTED}\n```", id="fenced"),
        pytest.param(f"```\n{TEXT}\n```", id="fenced without language"),
        pytest.param(f"Here is what I found [1]:\n\n{INDENTED}", id="prose before"),
        pytest.param(f"Sure! {{so to say}}\n```json\n{TEXT}\n```", id="prose and fences"),
        pytest.param(f"{TEXT}\n\nLet me know if {{you}} need [more].", id="prose after"),
        pytest.param(f'{TEXT}\nNothing else: [] or {{}} or {{"a": 1}}', id="other JSON after"),
        pytest.param(f'Draft: {{"profiles": []}}\nFinal: {TEXT}', id="a draft before"),
        pytest.param(f'<think>\n{{"profiles": []}} no, wait\n</think>\n{TEXT}', id="reasoning before"),
        pytest.param(f"\ufeff  \n{TEXT}\n", id="byte order mark"),
        pytest.param(json.dumps({"result": ANSWER}), id="wrapped"),
        pytest.param(json.dumps({**ANSWER, "confidence": 0.9, "notes": [{"a": 1}]}), id="unknown keys"),
        pytest.param(TEXT.replace("false", "null"), id="null for a default"),
    ],
)
def test_the_form_around_the_answer_is_forgiven(text: str) -> None:
    parsed = parse(text, ExtractOutput)
    assert parsed.output == ExtractOutput.model_validate(ANSWER)
    assert parsed.dropped == 0


@pytest.mark.parametrize(
    "content",
    ["Runs ```json\n{}\n``` in his notes", 'Says "{\\"profiles\\": []}"', "}{][", "C:\\new\\{x}", "🙂 שלום 中文"],
)
def test_fences_and_braces_inside_a_string_stay(content: str) -> None:
    text = f"```json\n{json.dumps({'profiles': [{**PROFILE, 'content': content}]}, ensure_ascii=False)}\n```"
    assert parse(text, ExtractOutput).output.profiles[0].content == content


def test_raw_line_breaks_inside_a_string_are_read() -> None:
    text = TEXT.replace("Lives in Porto.", "Lives\nin Porto.")
    assert parse(text, ExtractOutput).output.profiles[0].content == "Lives\nin Porto."


def test_what_cannot_be_stored_is_cleaned() -> None:
    text = TEXT.replace("Lives in Porto.", "Lives \\u0000in \\ud83dPorto \\ud83d\\ude00.")
    assert parse(text, ExtractOutput).output.profiles[0].content == "Lives in \ufffdPorto 😀."


@pytest.mark.parametrize(
    "text", ["[]", "```json\n[]\n```", "Nothing to learn: []", "{}", '{"profiles": [], "playbooks": []}']
)
def test_nothing_is_a_valid_answer(text: str) -> None:
    parsed = parse(text, ExtractOutput)
    assert (parsed.output.profiles, parsed.output.playbooks, parsed.dropped) == ((), (), 0)


def test_an_empty_list_decides_nothing() -> None:
    assert parse("[]", ConsolidateOutput).output.decisions == ()


def test_a_bare_list_is_read_where_the_output_has_one_list() -> None:
    entries = [{"new": "NEW-1", "action": "independent"}]
    assert parse(json.dumps(entries), ConsolidateOutput).output.decisions[0].new == "NEW-1"
    with pytest.raises(UnfitAnswer):
        parse(json.dumps([PROFILE]), ExtractOutput)


@pytest.mark.parametrize("length", range(1, len(TEXT)))
def test_cut_off_json_is_never_an_answer(length: int) -> None:
    with pytest.raises(UnfitAnswer):
        parse(TEXT[:length], ExtractOutput)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"profiles": [], "playbooks": [{"trigger": "x"', id="an empty list inside"),
        pytest.param(
            '```json\n{"decisions": [{"new": "NEW-1", "action": "independent"}], "x', id="a whole list inside"
        ),
        pytest.param("", id="empty"),
        pytest.param("I found nothing worth keeping.", id="prose"),
        pytest.param("null", id="null"),
        pytest.param("true", id="true"),
        pytest.param('"profiles"', id="a string"),
        pytest.param('{"error": "overloaded"}', id="other object"),
        pytest.param('{"type": "object", "properties": {}}', id="the schema itself"),
        pytest.param("{'decisions': []}", id="single quotes"),
        pytest.param('{"decisions": "none"}', id="text for a list"),
        pytest.param('{"profiles": "none"}', id="text for another list"),
        pytest.param("[" * 50_000, id="deep"),
        pytest.param('{"a":' * 50_000, id="deep objects"),
        pytest.param("{ [ " * 50_000, id="many brackets"),
    ],
)
def test_what_is_no_answer_is_said_to_be_none(text: str) -> None:
    for output in (ExtractOutput, ConsolidateOutput, GateOutput):
        with pytest.raises(UnfitAnswer):
            parse(text, output)


@pytest.mark.parametrize(
    "text", ["[]", "{}", '{"profile_useful": true}', '{"profile_useful": null, "playbook_useful": true}']
)
def test_a_gate_that_is_silent_has_not_answered(text: str) -> None:
    with pytest.raises(UnfitAnswer):
        parse(text, GateOutput)


@pytest.mark.parametrize(
    "bad",
    [
        {**PROFILE, "content": ""},
        {**PROFILE, "content": "   "},
        {**PROFILE, "content": None},
        {**PROFILE, "content": 7},
        {**PROFILE, "evidence": []},
        {**PROFILE, "evidence": [{"quote": "no label"}]},
        {**PROFILE, "time_to_live": "for ever and a day"},
        {key: value for key, value in PROFILE.items() if key != "evidence"},
        "Lives in Porto.",
        None,
        [],
        3,
    ],
)
def test_a_bad_entry_is_dropped_and_counted_without_its_siblings(bad: Any) -> None:
    other = {**PROFILE, "content": "Speaks Portuguese."}
    parsed = parse(json.dumps({**ANSWER, "profiles": [PROFILE, bad, other]}), ExtractOutput)
    assert [entry.content for entry in parsed.output.profiles] == ["Lives in Porto.", "Speaks Portuguese."]
    assert len(parsed.output.playbooks) == 1
    assert parsed.dropped == 1


def test_a_bad_piece_of_evidence_does_not_take_the_good_one() -> None:
    evidence = [{"turn": 4}, {"turn": "T1", "quote": "I live in Porto"}, None]
    parsed = parse(json.dumps({"profiles": [{**PROFILE, "evidence": evidence}]}), ExtractOutput)
    assert [piece.turn for piece in parsed.output.profiles[0].evidence] == ["T1"]


def test_an_answer_of_which_nothing_fits_is_none() -> None:
    with pytest.raises(UnfitAnswer, match="profiles: content: missing"):
        parse(json.dumps({"profiles": [{"evidence": [{"turn": "T1"}]}], "playbooks": []}), ExtractOutput)


def test_other_names_of_keys_are_understood() -> None:
    playbook = {
        "when": "Before sending a mail",
        "instruction": "Show the draft first.",
        "reason": "Mistakes are public.",
        "evidence_refs": ["T3"],
        "evidence_kind": "Rejected_Approach",
    }
    profile = {"fact": "Lives in Porto.", "ttl": "One Year", "evidence": {"turn": "T1", "source_span": "Porto"}}
    output = parse(json.dumps({"profiles": [profile], "playbooks": [playbook]}), ExtractOutput).output
    (lesson,), (fact,) = output.playbooks, output.profiles
    assert (lesson.trigger, lesson.content) == ("Before sending a mail", "Show the draft first.")
    assert lesson.rationale == "Mistakes are public."
    assert (lesson.evidence[0].turn, lesson.evidence_kind) == ("T3", "rejected-approach")
    assert (fact.content, fact.time_to_live, fact.evidence[0].quote) == ("Lives in Porto.", "one_year", "Porto")


def test_an_ambiguous_name_is_not_guessed() -> None:
    entry = {"instruction": "Show the draft first.", "text": "Send it.", "trigger": "x", "evidence": ["T1"]}
    with pytest.raises(UnfitAnswer):
        parse(json.dumps({"playbooks": [entry]}), ExtractOutput)


def test_the_right_name_wins_over_another() -> None:
    entry = {**PLAYBOOK, "instruction": "Send it."}
    assert parse(json.dumps({"playbooks": [entry]}), ExtractOutput).output.playbooks[0].content == PLAYBOOK["content"]


def test_a_single_label_stands_for_a_list() -> None:
    decision = {"new": "NEW-1", "action": "Reject-New", "old": "OLD-2"}
    assert parse(json.dumps({"decisions": [decision]}), ConsolidateOutput).output.decisions[0].old == ("OLD-2",)
    assert parse(json.dumps({"decisions": [decision]}), ConsolidateOutput).output.decisions[0].action == "reject_new"


def test_a_reason_names_fields_and_never_content() -> None:
    with pytest.raises(UnfitAnswer) as caught:
        parse('{"profiles": [{"content": "hunter2", "evidence": "hunter3", "time_to_live": "hunter4"}]}', ExtractOutput)
    assert "hunter" not in str(caught.value)
    assert "time_to_live" in str(caught.value)
