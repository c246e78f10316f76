"""Learn from prepared windows: those that show the same turns share one model call and one commit."""

import logging
from collections.abc import Sequence
from itertools import groupby

from reflexio_core.domain.records import StreamHead
from reflexio_core.engine.configuration import config_at, llm_settings
from reflexio_core.engine.context import Engine
from reflexio_core.engine.learn.commit import Outcome, commit_outcome
from reflexio_core.engine.learn.consolidation import Plan, consolidate
from reflexio_core.engine.learn.extraction import Extraction, extract
from reflexio_core.engine.learn.failure import record_failure
from reflexio_core.engine.learn.known import known_rows, latest_profiles, neighbours
from reflexio_core.engine.learn.prepare import Ready
from reflexio_core.engine.learn.transcript import CitedTurn, transcript
from reflexio_core.engine.projection import project
from reflexio_core.engine.stream import window_requests
from reflexio_core.engine.work import Lease, LeaseLost
from reflexio_core.errors import LlmError, LlmUsage, ReflexioError
from reflexio_core.ports.llm import LlmSettings

_LOG = logging.getLogger(__name__)
_PLANS_PER_WINDOW = 3  # a person may edit a neighbour while the model thinks


def learn_windows(engine: Engine, lease: Lease, head: StreamHead, ready: Sequence[Ready]) -> None:
    """Learn from each window; a failure of one is recorded and does not stop another. Raises ``LeaseLost``."""
    for group in _sharing(ready):
        try:
            _learn(engine, lease, head, group)
        except LeaseLost:
            raise
        except ReflexioError as error:
            _LOG.warning("learning failed and will be retried: %s", error.code)
            record_failure(engine, lease, group, error)


def _sharing(ready: Sequence[Ready]) -> list[tuple[Ready, ...]]:
    def shows(entry: Ready) -> tuple[tuple[int, ...], int, bool]:
        return (entry.window.manifest, entry.window.new_from, entry.window.forced)

    return [tuple(group) for _, group in groupby(sorted(ready, key=shows), key=shows)]


def _learn(engine: Engine, lease: Lease, head: StreamHead, group: tuple[Ready, ...]) -> None:
    window = group[0].window
    requests = window_requests(engine, head, window)
    rows = known_rows(engine, lease.tenant, lease.user_id)
    served = [row.record.content for row in rows]
    turns = transcript(window, requests, served)
    if turns is None:
        raise LeaseLost  # a turn was erased since the window was prepared: select again from what is left
    policy = turns[-1].request.policy
    config = config_at(engine, lease.tenant, policy.config_version)
    settings = llm_settings(config)
    judge = not window.forced and not policy.of_kind(window.kind).skip_gate
    found = extract(engine, settings, config, [entry.window for entry in group], turns, latest_profiles(rows), judge)
    spent = found.usage
    for _ in range(_PLANS_PER_WINDOW):
        try:
            plan = _plan(engine, lease, settings, found, turns)
        except LlmError as error:
            error.usage += spent
            raise
        spent += plan.usage
        changed = commit_outcome(engine, lease, Outcome(group, turns, found, plan, _usage(spent, group)))
        if changed is not None:
            project(engine, changed)
            return
    raise LeaseLost


def _plan(engine: Engine, lease: Lease, settings: LlmSettings, found: Extraction, turns: tuple[CitedTurn, ...]) -> Plan:
    if not found.candidates:
        return Plan()
    rows = known_rows(engine, lease.tenant, lease.user_id)
    version = turns[-1].request.agent_version
    near = neighbours(engine, lease.tenant, lease.user_id, version, found.candidates, rows)
    return consolidate(engine, settings, found.candidates, near)


def _usage(spent: LlmUsage, group: Sequence[Ready]) -> LlmUsage:
    """What the window cost in all, with its failed attempts."""
    failed = group[0].state.cursor.spent
    return spent + LlmUsage(failed.get("calls", 0), failed.get("prompt_tokens", 0), failed.get("completion_tokens", 0))
