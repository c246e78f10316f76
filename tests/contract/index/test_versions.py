"""Versions decide what is true, in whatever order writes and deletes arrive."""

import pytest

from reflexio_core.ports.index import DocKind, Index
from tests.contract.index.conftest import OpenIndex
from tests.contract.index.docs import EAST, TENANT, by_vector, by_words, doc, newest, ref


def test_a_newer_version_replaces_text_payload_fields_and_vector(index: Index) -> None:
    index.upsert([doc("a", "old words", EAST, version=1)])
    index.upsert([doc("a", "new words", (0.0, 0.0, 1.0), version=2)])
    assert by_words(index, "old") == []
    assert by_words(index, "new") == ["a"]
    assert by_vector(index, EAST) == []
    assert index.count(TENANT, DocKind.PROFILE) == 1


def test_an_older_version_never_replaces_a_newer_one(index: Index) -> None:
    index.upsert([doc("a", "new", version=2)])
    index.upsert([doc("a", "old", version=1)])
    assert by_words(index, "new") == ["a"]
    assert by_words(index, "old") == []


def test_the_same_version_may_bring_the_vector_later(index: Index) -> None:
    index.upsert([doc("a", "text", None, version=3)])
    assert by_vector(index, EAST) == []
    index.upsert([doc("a", "text", EAST, version=3)])
    assert by_vector(index, EAST) == ["a"]


def test_the_same_version_without_a_vector_leaves_the_vector_that_is_there(index: Index) -> None:
    index.upsert([doc("a", "text", EAST, version=3)])
    index.upsert([doc("a", "text", None, version=3)])
    assert by_vector(index, EAST) == ["a"]
    assert index.missing_vectors(10) == []


def test_a_newer_version_without_a_vector_drops_the_vector_of_the_former_text(index: Index) -> None:
    index.upsert([doc("a", "text", EAST, version=3)])
    index.upsert([doc("a", "other text", None, version=4)])
    assert by_vector(index, EAST) == []
    assert [waiting.ref.id for waiting in index.missing_vectors(10)] == ["a"]


@pytest.mark.parametrize("version", [4, 5])
def test_a_write_up_to_the_version_of_a_delete_is_late(index: Index, version: int) -> None:
    index.upsert([doc("a", "text", EAST, version=2)])
    index.delete([(ref("a"), 5)])
    index.upsert([doc("a", "text", EAST, version=version)])
    assert by_words(index, "text") == by_vector(index, EAST) == newest(index) == []
    assert index.count(TENANT, DocKind.PROFILE) == 0


def test_a_delete_that_arrives_before_the_first_write_still_holds(index: Index) -> None:
    index.delete([(ref("a"), 5)])
    index.upsert([doc("a", "text", version=5), doc("b", "text", version=5)])
    assert by_words(index, "text") == ["b"]


def test_a_delete_older_than_the_document_changes_nothing(index: Index) -> None:
    index.upsert([doc("a", "text", EAST, version=6)])
    index.delete([(ref("a"), 5)])
    assert by_words(index, "text") == by_vector(index, EAST) == ["a"]


def test_a_document_written_after_its_delete_is_there_again(index: Index) -> None:
    index.upsert([doc("a", "text", EAST, version=1)])
    index.delete([(ref("a"), 2)])
    index.upsert([doc("a", "text", EAST, version=3)])
    assert by_words(index, "text") == by_vector(index, EAST) == newest(index) == ["a"]


def test_deleting_a_parent_takes_its_documents_and_fences_those_still_under_way(index: Index) -> None:
    turns = [doc(f"r1-{n}", "turn", EAST, parent="r1", kind=DocKind.INTERACTION) for n in range(3)]
    index.upsert([*turns[:2], doc("r2-0", "turn", EAST, parent="r2", kind=DocKind.INTERACTION)])
    index.upsert([doc("p", "turn", EAST, parent="r1")])
    index.delete_parent(TENANT, DocKind.INTERACTION, "r1", 5)
    index.upsert(turns)
    assert index.count(TENANT, DocKind.INTERACTION) == 1
    assert index.count(TENANT, DocKind.PROFILE) == 1, "a parent of another kind is another parent"
    index.upsert([doc("r1-0", "turn", parent="r1", kind=DocKind.INTERACTION, version=6)])
    assert index.count(TENANT, DocKind.INTERACTION) == 2


def test_deleting_a_user_takes_every_kind_and_fences_what_is_under_way(index: Index) -> None:
    late = doc("late", "text", EAST, version=5)
    index.upsert([doc("a", "text", EAST), doc("turn", "text", kind=DocKind.INTERACTION)])
    index.upsert([doc("other", "text", EAST, user="u10"), doc("same", "text", tenant="umbrella")])
    index.delete_user(TENANT, "u1", 5)
    index.upsert([late])
    assert by_words(index, "text") == by_vector(index, EAST) == []
    assert index.count(TENANT, DocKind.INTERACTION) == 0
    assert index.count(TENANT, DocKind.PROFILE) == 1
    assert index.count("umbrella", DocKind.PROFILE) == 1
    index.upsert([doc("again", "text", version=6)])
    assert by_words(index, "text") == ["again"]


def test_deleting_a_user_spares_what_is_newer(index: Index) -> None:
    index.upsert([doc("old", "text", version=5), doc("new", "text", version=6)])
    index.delete_user(TENANT, "u1", 5)
    assert by_words(index, "text") == ["new"]


def test_versions_name_what_is_there_and_what_was_deleted(index: Index) -> None:
    index.upsert([doc("a", version=3), doc("b", version=4)])
    index.delete([(ref("b"), 7), (ref("never-there"), 8)])
    refs = [ref("a"), ref("b"), ref("never-there"), ref("unknown"), ref("a", DocKind.USER_PLAYBOOK)]
    assert index.versions(refs) == {ref("a"): 3, ref("b"): 7, ref("never-there"): 8}


def test_many_documents_fit_one_call(index: Index) -> None:
    index.upsert([doc(f"d{n}", "text") for n in range(1_500)])
    assert len(index.versions([ref(f"d{n}") for n in range(1_500)])) == 1_500


def test_documents_without_vectors_wait_longest_first(index: Index) -> None:
    first = doc("first", "words", tags=["t"], parent="group", time=7, source="bot")
    index.upsert([first])
    index.upsert([doc("embedded", "words", EAST), doc("second", "words"), doc("gone", "words")])
    index.delete([(ref("gone"), 9)])
    waiting = index.missing_vectors(10)
    assert [found.ref.id for found in waiting] == ["first", "second"]
    found = waiting[0]
    assert (found.text, found.version, found.parent, found.tags, found.time, found.expires_at) == (
        ("words", 1, "group", ("t",), 7, first.expires_at)
    )
    assert {name: value for name, value in found.fields.items() if value} == dict(first.fields)
    assert dict(found.payload) == dict(first.payload)
    assert len(index.missing_vectors(1)) == 1


def test_the_position_is_kept_for_the_next_process(open_index: OpenIndex) -> None:
    first = open_index()
    assert first.position() is None
    first.set_position("17")
    first.set_position("18")
    first.close()
    assert open_index().position() == "18"
