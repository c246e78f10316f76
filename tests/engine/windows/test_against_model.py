"""A thousand random lives of a stream select exactly the windows that the plain model selects."""

import random

import pytest

from reflexio.models.config import Config
from reflexio.models.interactions import (
    DeleteRequestRequest,
    DeleteSessionRequest,
    DeleteUserInteractionRequest,
    FinalizeSessionRequest,
    PublishUserInteractionRequest,
)
from reflexio_core.domain.records import KINDS, CompletedWindow, RequestPointer, RequestRecord
from reflexio_core.engine.configuration import set_config
from reflexio_core.engine.context import Engine
from reflexio_core.engine.erase import delete_interaction, delete_request, delete_session
from reflexio_core.engine.learn import run_user
from reflexio_core.engine.publish import publish
from reflexio_core.engine.requests import pages
from reflexio_core.engine.sessions import finalize_session
from reflexio_core.engine.sweep import sweep
from tests.doubles.engine import TENANT, make_engine
from tests.doubles.ports import FixedClock, ListQueue
from tests.doubles.silent_llm import SilentLlm
from tests.engine.windows.reference_model import Model, Publication

USER = "ana"
SEQUENCES = 1_000
BATCHES = 20
SESSIONS = ("s1", "s2", "s3")


class Life:
    """The engine and the model living the same life."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.clock = FixedClock()
        self.queue = ListQueue()
        self.engine: Engine = make_engine(llm=SilentLlm(), clock=self.clock, queue=self.queue)
        self.models = {kind: Model() for kind in KINDS}
        self.requests: dict[str, list[Publication]] = {}  # one publication a kind
        self.policy = dict.fromkeys(KINDS, (10, 8))
        self.idle = 21_600
        self.published = 0

    def step(self) -> None:
        moves = [self.publish] * 6 + [self.work] * 4 + [self.wait] * 2
        moves += [self.finish, self.delete_request, self.delete_turn, self.delete_session, self.configure]
        self.random.choice(moves)()

    def configure(self) -> None:
        for kind in KINDS:
            window = self.random.randint(1, 7)
            self.policy[kind] = (window, self.random.randint(1, window))
        self.idle = self.random.choice([0, 60, 3_600])
        body = Config().model_dump(mode="json")
        body["extraction_idle_timeout_seconds"] = self.idle
        for kind, name in (("profile", "profile_extractor_config"), ("playbook", "user_playbook_extractor_config")):
            body[name]["window_size_override"], body[name]["stride_size_override"] = self.policy[kind]
        set_config(self.engine, TENANT, body)

    def publish(self) -> None:
        session = self.random.choice(SESSIONS)
        turns = self.random.randint(1, 6)
        finished = self.random.random() < 0.15
        evaluation_only = self.random.random() < 0.1
        force = not evaluation_only and self.random.random() < 0.12
        name = f"r{self.published}"
        request = PublishUserInteractionRequest.model_validate(
            {
                "request_id": name,
                "user_id": USER,
                "session_id": session,
                "interaction_data_list": [{"content": f"turn {n}"} for n in range(turns)],
                "session_finished": finished,
                "force_extraction": force,
                "evaluation_only": evaluation_only,
            }
        )
        assert publish(self.engine, TENANT, request, [])["success"]
        seqs = range(self.published + 1, self.published + turns + 1)
        self.published += turns
        self.requests[name] = []
        for kind in KINDS:
            window, stride = self.policy[kind]
            publication = Publication(
                session, list(seqs), window, stride, self.idle, self.clock.now(), seqs[-1],
                force, finished, not evaluation_only,
            )  # fmt: skip
            self.models[kind].publications.append(publication)
            self.requests[name].append(publication)

    def wait(self) -> None:
        self.clock.advance(self.random.choice([1, 59, 60, 3_600, 21_600]))

    def work(self) -> None:
        """Whatever is due by the store alone: hints are thrown away."""
        self.queue.sent.clear()
        for _ in range(100):
            if not sweep(self.engine):
                break
            self.queue.sent.clear()
            run_user(self.engine, TENANT, USER)
        else:
            pytest.fail("the stream never comes to rest")
        for model in self.models.values():
            model.work(self.clock.now())

    def finish(self) -> None:
        session = self.random.choice(SESSIONS)
        finalize_session(self.engine, TENANT, FinalizeSessionRequest(user_id=USER, session_id=session))
        for model in self.models.values():
            for publication in [p for p in model.publications if p.session == session][-1:]:
                publication.finished = True

    def delete_request(self) -> None:
        if not self.requests:
            return
        name = self.random.choice(list(self.requests))
        delete_request(self.engine, TENANT, DeleteRequestRequest(request_id=name))
        doomed = self.requests[name]
        self.forget(lambda publication: any(publication is gone for gone in doomed))

    def delete_session(self) -> None:
        if self.random.random() < 0.7:
            return
        session = self.random.choice(SESSIONS)
        delete_session(self.engine, TENANT, DeleteSessionRequest(session_id=session))
        self.forget(lambda p: p.session == session)

    def forget(self, doomed) -> None:
        for model in self.models.values():
            model.publications = [p for p in model.publications if not doomed(p)]
        self.requests = {name: pair for name, pair in self.requests.items() if not doomed(pair[0])}

    def delete_turn(self) -> None:
        if not self.requests:
            return
        name = self.random.choice(list(self.requests))
        pair = self.requests[name]
        if not pair[0].seqs:
            return
        keys = self.engine.keys(TENANT)
        pointer = RequestPointer.of(self.engine.store.get(keys.request_pointer(name)))
        record = RequestRecord.of(self.engine.store.get(keys.request(USER, pointer.first_seq)))
        seq = self.random.choice(pair[0].seqs)
        request = DeleteUserInteractionRequest(user_id=USER, interaction_id=record.interaction_id(seq))
        delete_interaction(self.engine, TENANT, request)
        for publication in pair:
            publication.seqs.remove(seq)

    def windows(self, kind):
        stored = pages(self.engine, self.engine.keys(TENANT).windows(USER, kind, 100))
        found = [CompletedWindow.of(item).window for item in stored]
        return [(window.manifest, window.end_seq, window.forced) for window in found]


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_lives_select_the_windows_of_the_model(batch: int) -> None:
    for seed in range(batch * SEQUENCES // BATCHES, (batch + 1) * SEQUENCES // BATCHES):
        life = Life(seed)
        for _ in range(life.random.randint(5, 25)):
            life.step()
        life.work()
        for kind in KINDS:
            assert life.windows(kind) == life.models[kind].windows, f"seed {seed}, {kind}"
