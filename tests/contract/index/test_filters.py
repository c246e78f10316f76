"""Filters hold inside the arms: what they leave out never takes a place."""

import pytest

from reflexio_core.ports.index import DocKind, Index, IndexFilter
from tests.contract.index.docs import EAST, NORTH_EAST, by_vector, by_words, doc, newest, where

CASES = {
    "equals": (where(equals={"source": "bot"}), {"source": "bot"}, {"source": "shop"}),
    "equals on a missing field": (where(equals={"source": ""}), {}, {"source": "shop"}),
    "any of": (where(any_of={"status": ("pending", "current")}), {"status": "pending"}, {"status": "archived"}),
    "any of none": (where(any_of={"status": ()}), None, {"status": "current"}),
    "any of with the missing one": (where(any_of={"approval": ("", "x")}), {}, {"approval": "rejected"}),
    "contains": (where(contains={"custom_features": "vegan"}), {"custom_features": "is vegan now"}, {}),
    "contains, taken literally": (where(contains={"custom_features": '"a%'}), {"custom_features": '{"a%": 1}'}, {}),
    "tags": (where(tags=("x", "y")), {"tags": ["y", "z"]}, {"tags": ["z"]}),
    "start is inclusive": (where(start=10), {"time": 10}, {"time": 9}),
    "end is exclusive": (where(end=10), {"time": 9}, {"time": 10}),
    "expiry": (where(now=100), {"expires_at": 101}, {"expires_at": 100}),
    "user": (where("u1"), {"user": "u1"}, {"user": "u10"}),
    "user with separators": (where("a#b"), {"user": "a#b"}, {"user": "a"}),
    "several at once": (
        where(equals={"source": "bot", "agent_version": "v1"}, tags=("x",), start=5),
        {"source": "bot", "agent_version": "v1", "tags": ["x"], "time": 5},
        {"source": "bot", "agent_version": "v2", "tags": ["x"], "time": 5},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("condition", "inside", "outside"), CASES.values(), ids=CASES.keys())
def test_each_condition_holds_in_every_arm_and_a_crowd_outside_never_starves_it(
    index: Index, condition: IndexFilter, inside: dict[str, object] | None, outside: dict[str, object]
) -> None:
    # The crowd matches better in every way: by words, by vector and by time.
    crowd = [doc(f"out{n}", "deploy deploy", EAST, **{"time": 0, **outside}) for n in range(60)]  # type: ignore[arg-type]
    index.upsert(crowd)
    expected = []
    if inside is not None:
        index.upsert([doc("in", "we deploy on certain other days", NORTH_EAST, **inside)])  # type: ignore[arg-type]
        expected = ["in"]
    assert by_words(index, "deploy", condition, limit=3) == expected
    assert by_vector(index, EAST, condition, limit=3) == expected
    assert newest(index, condition, limit=3) == expected


def test_excluded_ids_make_room_for_the_next(index: Index) -> None:
    index.upsert([doc(f"d{n}", "deploy", (1.0 - n / 100, n / 100, 0.0), time=-n) for n in range(10)])
    condition = where(exclude_ids=tuple(f"d{n}" for n in range(8)))
    assert sorted(by_words(index, "deploy", condition, limit=5)) == ["d8", "d9"]
    assert by_vector(index, EAST, condition, limit=5) == ["d8", "d9"]
    assert newest(index, condition, limit=5) == ["d8", "d9"]


def test_tenants_and_kinds_never_meet(index: Index) -> None:
    index.upsert(
        [
            doc("mine", "secret plan", EAST),
            doc("mine", "secret plan", EAST, tenant="acme2"),
            doc("mine", "secret plan", EAST, kind=DocKind.USER_PLAYBOOK),
        ]
    )
    for user in ("u1", None):
        elsewhere = where(user, tenant="acm")
        assert by_words(index, "secret plan", elsewhere) == by_vector(index, EAST, elsewhere) == []
        assert newest(index, elsewhere) == []
        assert by_words(index, "secret plan", where(user)) == by_vector(index, EAST, where(user)) == ["mine"]
        assert newest(index, where(user)) == ["mine"]


def test_no_user_means_any_user_of_the_tenant(index: Index) -> None:
    users = [f"user{n}" for n in range(50)]
    index.upsert([doc(f"of-{user}", "deploy", EAST, user=user) for user in users])
    index.upsert([doc("of-none", "deploy", EAST, user="")])
    expected = {"of-none", *(f"of-{user}" for user in users)}
    assert set(by_words(index, "deploy", where(None), limit=100)) == expected
    assert set(by_vector(index, EAST, where(None), limit=100)) == expected
    assert set(newest(index, where(None), limit=100)) == expected
    assert by_words(index, "deploy", where("")) == ["of-none"]


def test_an_unknown_field_is_a_mistake_and_not_an_empty_answer(index: Index) -> None:
    for condition in (where(equals={"colour": "red"}), where(any_of={"colour": ("red",)})):
        with pytest.raises(ValueError, match="colour"):
            by_words(index, "deploy", condition)
    with pytest.raises(ValueError, match="colour"):
        index.upsert([doc("a", colour="red")])


def test_a_row_expires_between_two_searches(index: Index) -> None:
    index.upsert([doc("short", "deploy", EAST, expires_at=20), doc("long", "deploy", EAST)])
    assert set(by_words(index, "deploy", where(now=19))) == {"short", "long"}
    assert by_words(index, "deploy", where(now=20)) == ["long"]
    assert by_vector(index, EAST, where(now=20)) == ["long"]
    assert newest(index, where(now=20)) == ["long"]
