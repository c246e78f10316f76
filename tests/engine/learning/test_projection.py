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
from reflexio_core.errors import InferenceUnavailable
from reflexio_core.ports.index import DocKind
from reflexio_core.ports.inference import Purpose, Vector
from tests.doubles.echo_llm import EchoLlm
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.ports import START, FixedClock, HashInference
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


class TimedInference(HashInference):
    """Remembers how long each caller is ready to wait for documents, and may never answer."""

    def __init__(self, *, hangs: bool = False) -> None:
        super().__init__()
        self.hangs = hangs
        self.patience: list[float] = []

    def embed(self, texts: Sequence[str], purpose: Purpose, timeout_seconds: float) -> list[Vector]:
        """See ``Inference.embed``."""
        self.patience.append(timeout_seconds)
        if self.hangs:
            raise InferenceUnavailable("no answer in time")
        return super().embed(texts, purpose, timeout_seconds)


def test_turns_are_found_by_words_before_they_are_embedded() -> None:
    inference = TimedInference()
    engine = make_engine(llm=EchoLlm(), inference=inference)
    say(engine, "r1", "one")
    follow(engine)
    assert inference.patience == []
    assert engine.index.count(TENANT, DocKind.INTERACTION) == 1
    assert embed_waiting(engine, 10) == 1
    assert engine.index.missing_vectors(10) == []


def test_what_was_learned_is_written_with_its_vectors_at_once() -> None:
    engine = make_engine(llm=EchoLlm(), inference=TimedInference())
    say(engine, "r1", "one")
    learn(engine)
    assert engine.index.count(TENANT, DocKind.PROFILE) == 1
    assert engine.index.missing_vectors(10) == []


def test_what_was_learned_waits_for_a_silent_embedder_only_briefly() -> None:
    inference = TimedInference(hangs=True)
    engine = make_engine(llm=EchoLlm(), inference=inference)
    say(engine, "r1", "one")
    learn(engine)
    assert min(inference.patience) <= 2.0
    assert engine.index.count(TENANT, DocKind.PROFILE) == 1
    inference.hangs = False
    catch_up(engine)
    assert engine.index.missing_vectors(10) == []
