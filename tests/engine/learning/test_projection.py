"""Search shows what the store holds: a document goes with its row, whatever the clocks say."""

from dataclasses import replace

import pytest

from reflexio.models.interactions import DeleteRequestRequest, FinalizeSessionRequest
from reflexio.models.profiles import DeleteUserProfileRequest, UpdateUserProfileRequest
from reflexio_core.engine.erase import delete_profile, delete_request
from reflexio_core.engine.projection import catch_up
from reflexio_core.engine.sessions import finalize_session
from reflexio_core.engine.writes import update_user_profile
from reflexio_core.ports.index import DocKind
from tests.doubles.echo_llm import EchoLlm
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.ports import START, FixedClock
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
