"""Search shows what the store holds: a document goes with its row, whatever the clocks say."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from reflexio.models.interactions import DeleteRequestRequest, FinalizeSessionRequest
from reflexio.models.profiles import DeleteUserProfileRequest, UpdateUserProfileRequest
from reflexio_core.engine.erase import delete_profile, delete_request
from reflexio_core.engine.projection import catch_up, embed_waiting, follow
from reflexio_core.engine.sessions import finalize_session
from reflexio_core.engine.writes import update_user_profile
from reflexio_core.ports.index import DocKind
from reflexio_core.ports.inference import Purpose, Vector
from tests.doubles.echo_llm import EchoLlm
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.ports import START, FixedClock, HashInference, RecordingIndex
from tests.engine.learning.conversations import USER, learn, profiles, say


@pytest.mark.parametrize("behind", [0.0, 5.0])
def test_a_row_deleted_by_a_clock_that_is_behind_is_not_found(behind: float) -> None:
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", "one")
    learn(engine)
    [row] = profiles(engine)
    for text in ("two", "three"):
        edit = UpdateUserProfileRequest(user_id=USER, profile_id=row.profile_id, content=text)
        update_user_profile(engine, TENANT, edit)
    other = replace(engine, clock=FixedClock(START - behind))
    delete_profile(other, TENANT, DeleteUserProfileRequest(user_id=USER, profile_id=row.profile_id))
    catch_up(engine)
    assert engine.index.count(TENANT, DocKind.PROFILE) == 0


@pytest.mark.parametrize("behind", [0.0, 5.0])
def test_turns_deleted_by_a_clock_that_is_behind_are_not_found(behind: float) -> None:
    engine = make_engine(llm=EchoLlm())
    say(engine, "r1", "one", "two")
    for _ in range(3):
        finalize_session(engine, TENANT, FinalizeSessionRequest(user_id=USER, session_id="s"))
    catch_up(engine)
    assert engine.index.count(TENANT, DocKind.INTERACTION) == 2
    other = replace(engine, clock=FixedClock(START - behind))
    delete_request(other, TENANT, DeleteRequestRequest(request_id="r1"))
    catch_up(engine)
    assert engine.index.count(TENANT, DocKind.INTERACTION) == 0


class LateInference(HashInference):
    """Looks, while it is asked to embed, at what can be found already."""

    def __init__(self, index: RecordingIndex) -> None:
        super().__init__()
        self._index = index
        self.found_meanwhile: list[set[DocKind]] = []

    def embed(self, texts: Sequence[str], purpose: Purpose, timeout_seconds: float) -> list[Vector]:
        """See ``Inference.embed``."""
        if purpose == "document":
            self.found_meanwhile.append({ref.kind for ref in self._index.docs})
        return super().embed(texts, purpose, timeout_seconds)


def test_words_are_found_while_the_embedder_has_not_answered() -> None:
    index = RecordingIndex()
    inference = LateInference(index)
    engine = make_engine(llm=EchoLlm(), index=index, inference=inference)
    say(engine, "r1", "one")
    follow(engine)
    assert inference.found_meanwhile == [], "turns wait for their vectors"
    assert {ref.kind for ref in index.docs} == {DocKind.INTERACTION}
    learn(engine)
    assert {DocKind.PROFILE, DocKind.USER_PLAYBOOK} <= inference.found_meanwhile[-1]
    assert embed_waiting(engine, 10) == 1
    assert all(doc.vector is not None for doc in index.docs.values())
