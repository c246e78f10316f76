"""Every learning says where it comes from: turns, window, model, prompt, and what it replaced."""

from reflexio_core.domain.records import ProfileRecord, UserPlaybookRecord
from reflexio_core.domain.views import profile_view, user_playbook_view
from reflexio_core.engine.context import Engine
from reflexio_core.tasks import EXTRACT
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.scripted_llm import MODEL, ScriptedLlm
from tests.engine.learning.conversations import (
    configure,
    fact,
    learn,
    lesson,
    playbooks,
    profiles,
    say,
    stored_request,
    windows,
)

RULE = lesson(
    "Before deploying", "Ask for the region", "T3", "never east", evidence_kind="correction", rationale="It hurt"
)


def heard() -> Engine:
    """One window over two publications of different sources and agent versions."""
    llm = ScriptedLlm(extract={"profiles": [fact("Lives in Rome", "T1", "I live in Rome")], "playbooks": [RULE]})
    engine = make_engine(llm=llm)
    say(engine, "r1", "I live in Rome", "hello", source="chat", agent_version="v1", session_finished=False)
    say(engine, "r2", "never east", source="mail", agent_version="v2")
    learn(engine)
    return engine


def test_every_learning_carries_its_provenance() -> None:
    engine = heard()
    [profile], [playbook] = profiles(engine), playbooks(engine)
    for record, kind, request, place in ((profile, "profile", "r1", 1), (playbook, "playbook", "r2", 3)):
        [window] = windows(engine, kind)
        held = stored_request(engine, request)
        assert record.provenance.interaction_ids == (held.interaction_id(place),)
        assert record.provenance.window_id == window.window.window_id
        assert (record.provenance.model, record.provenance.prompt_version) == (MODEL, EXTRACT.prompt_version)
        assert record.provenance.replaced == ()
        assert record.provenance.said_at == held.turns[0].data.created_at
        assert record.source_span == ("I live in Rome" if kind == "profile" else "never east")
    assert (playbook.rationale, playbook.reader_angle) == ("It hurt", "correction")


def test_a_learning_is_of_the_publication_that_says_it() -> None:
    """Not of the one that happened to close the window: source and agent version are what search filters by."""
    engine = heard()
    [profile], [playbook] = profiles(engine), playbooks(engine)
    assert (profile.generated_from_request_id, profile.source) == ("r1", "chat")
    assert (playbook.request_id, playbook.source, playbook.agent_version) == ("r2", "mail", "v2")


def test_the_wire_shows_the_cited_turns_only() -> None:
    engine = heard()
    [profile], [playbook] = profiles(engine), playbooks(engine)
    assert profile_view(profile)["source_interaction_ids"] == [stored_request(engine, "r1").first_interaction_id]
    assert user_playbook_view(playbook)["source_interaction_ids"] == [stored_request(engine, "r2").first_interaction_id]


def test_a_row_that_replaces_another_remembers_its_turns_and_its_id() -> None:
    unify = {"decisions": [{"new": "NEW-1", "action": "unify", "old": ["OLD-1"], "content": "Lives in Oslo"}]}
    llm = ScriptedLlm(
        extract=[
            {"profiles": [fact("Lives in Rome", "T1", "Rome")]},
            {"profiles": [fact("Lives in Oslo", "T2", "Oslo")]},
        ],
        consolidate=unify,
    )
    engine = make_engine(llm=llm)
    say(engine, "r1", "I live in Rome")
    learn(engine)
    [old] = profiles(engine)
    say(engine, "r2", "I live in Oslo now")
    learn(engine)
    [new] = profiles(engine)
    assert new.provenance.interaction_ids == (stored_request(engine, "r2").first_interaction_id,)
    assert new.provenance.inherited == (stored_request(engine, "r1").first_interaction_id,)
    assert new.provenance.replaced == (old.profile_id,)


def test_ids_derive_from_the_window_so_that_a_second_run_writes_the_same() -> None:
    def ids(engine: Engine) -> list[str | int]:
        rows: list[ProfileRecord | UserPlaybookRecord] = [*profiles(engine), *playbooks(engine)]
        return [row.profile_id if isinstance(row, ProfileRecord) else row.user_playbook_id for row in rows]

    assert ids(heard()) == ids(heard())


def test_a_shared_call_is_counted_once() -> None:
    engine = heard()
    [profile_window], [playbook_window] = windows(engine, "profile"), windows(engine, "playbook")
    assert profile_window.shared_call
    assert playbook_window.shared_call
    assert (profile_window.calls + playbook_window.calls, len(engine.llm.asked)) == (1, 1)


def test_a_learning_has_the_expiry_of_its_time_to_live() -> None:
    llm = ScriptedLlm(extract={"profiles": [fact("Is ill", "T1", "ill", time_to_live="one_week")]})
    engine = make_engine(llm=llm)
    configure(engine, user_playbook_extractor_config=None)
    say(engine, "r1", "I am ill")
    learn(engine)
    [profile] = profiles(engine)
    assert profile.expiration_timestamp - profile.created_at == 7 * 86_400
    assert engine.keys(TENANT).profile(profile.user_id, profile.profile_id)
