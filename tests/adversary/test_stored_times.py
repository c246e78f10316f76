"""Times are fixed when something is stored, whoever gave them."""

from reflexio.models.base import epoch_now
from reflexio.models.interactions import InteractionData
from reflexio_core.domain.records import StoredTurn


def test_a_turn_keeps_its_time_also_when_that_is_the_moment_of_writing() -> None:
    # Rows that move in time between two pages of a listing are lost from it.
    now = epoch_now()
    turn = StoredTurn(interaction_id=1, seq=1, data=InteractionData(content="hello", created_at=now))
    body = turn.body()
    assert body["data"] == {"content": "hello", "created_at": now}
    assert StoredTurn.model_validate(body) == turn


def test_a_turn_that_says_no_time_gets_one_that_stays() -> None:
    turn = StoredTurn(interaction_id=1, seq=1, data=InteractionData(content="hello"))
    assert turn.body()["data"]["created_at"] == turn.data.created_at
