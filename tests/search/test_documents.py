"""What of a record is searched, embedded, filtered and returned."""

from reflexio.models.base import NEVER_EXPIRES
from reflexio.models.enums import Status, UserActionType
from reflexio.models.interactions import InteractionData
from reflexio_core.domain.records import (
    AgentPlaybookRecord,
    ProfileRecord,
    RequestRecord,
    StoredTurn,
    UserPlaybookRecord,
)
from reflexio_core.domain.views import profile_view
from reflexio_core.engine.search.documents import (
    SOURCES,
    agent_playbook_doc,
    embed_text,
    interaction_docs,
    profile_doc,
    user_playbook_doc,
)
from reflexio_core.keys import TenantKeys, doc_parent, doc_ref

KEYS = TenantKeys("org/project")


def test_a_fact_is_searched_by_its_content_and_the_words_of_its_features() -> None:
    record = ProfileRecord(
        profile_id="p/1",
        user_id="a#b",
        content="Lives in Lisbon",
        created_at=1,
        last_modified_timestamp=2,
        expiration_timestamp=3,
        generated_from_request_id="r1",
        custom_features={"diet": {"kind": "Vegan"}, "pets": ["cat", None]},
        tags=["home"],
    )
    key = KEYS.profile("a#b", "p/1")
    doc = profile_doc(key, 9, record)
    assert doc.text == embed_text(doc) == "Lives in Lisbon\ndiet kind Vegan pets cat"
    assert (doc.ref, doc.parent, doc.version, doc.time, doc.expires_at) == (doc_ref(key), doc_parent(key), 9, 2, 3)
    assert doc.fields["user_id"] == KEYS.indexed_user("a#b")
    assert doc.fields["status"] == "current"
    assert doc.fields["custom_features"] == '{"diet": {"kind": "vegan"}, "pets": ["cat", null]}'
    assert doc.payload == profile_view(record)
    assert doc.vector is None


def test_absent_features_leave_no_word() -> None:
    doc = profile_doc(KEYS.profile("u", "p"), 1, plain_fact("Lives in Lisbon"))
    assert doc.text == "Lives in Lisbon"
    assert doc.fields["custom_features"] == ""


def test_a_playbook_is_embedded_by_its_trigger_and_searched_by_all_it_says() -> None:
    record = UserPlaybookRecord(
        user_playbook_id=5,
        user_id="u",
        agent_version="v1",
        request_id="r",
        created_at=7,
        trigger="before a deployment",
        content="confirm the region",
        rationale="it was wrong once",
        pitfall="assuming the default",
        status=Status.MERGED,
    )
    doc = user_playbook_doc(KEYS.user_playbook("u", 5), 1, record)
    assert embed_text(doc) == "before a deployment"
    assert doc.text.splitlines() == [
        "before a deployment",
        "confirm the region",
        "it was wrong once",
        "assuming the default",
    ]
    assert (doc.fields["status"], doc.time, doc.expires_at) == ("merged", 7, NEVER_EXPIRES)
    without = record.model_copy(update={"trigger": None})
    assert embed_text(user_playbook_doc(KEYS.user_playbook("u", 5), 1, without)) == "confirm the region"


def test_an_agent_playbook_belongs_to_no_user_and_names_its_sources_in_private() -> None:
    record = AgentPlaybookRecord(
        agent_playbook_id=5, agent_version="v1", content="do", created_at=7, source_user_playbook_ids=(1, 2)
    )
    doc = agent_playbook_doc(KEYS.agent_playbook(5), 1, record)
    assert doc.fields.get("user_id", "") == ""
    assert doc.fields["approval"] == "pending"
    assert doc.payload[SOURCES] == [1, 2]


def test_a_turn_is_searched_by_what_was_said_and_done() -> None:
    data = InteractionData(
        content="hello", created_at=4, user_action=UserActionType.CLICK, user_action_description="opened the menu"
    )
    request = RequestRecord(
        request_id="r1",
        user_id="u",
        session_id="s",
        created_at=1,
        admitted_at=1.0,
        first_seq=3,
        last_seq=4,
        first_interaction_id=30,
        source="bot",
        agent_version="v1",
        turns=(StoredTurn(interaction_id=31, seq=4, data=data),),
        gone=(3,),
    )
    key = KEYS.request("u", 3)
    [doc] = interaction_docs(key, 2, request)
    assert doc.text == embed_text(doc) == "hello\nopened the menu"
    assert doc.ref == doc_ref(key, 1), "a turn keeps its place when one before it is gone"
    assert (doc.parent, doc.time, doc.payload["interaction_id"]) == (doc_parent(key), 4, 31)
    assert (doc.fields["request_id"], doc.fields["source"], doc.fields["agent_version"]) == ("r1", "bot", "v1")


def plain_fact(content: str) -> ProfileRecord:
    return ProfileRecord(profile_id="p", user_id="u", content=content, created_at=1, last_modified_timestamp=2)
