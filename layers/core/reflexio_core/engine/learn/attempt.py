"""Learn from prepared windows: those that show the same turns share one model call and one commit."""

import logging
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from reflexio_core.domain.records import ProfileRecord, StreamHead
from reflexio_core.engine.configuration import config_at, llm_settings, load_config
from reflexio_core.engine.context import Engine
from reflexio_core.engine.learn.commit import Outcome, commit_outcome
from reflexio_core.engine.learn.consolidation import Plan, consolidate, forgets_everything, is_forget
from reflexio_core.engine.learn.extraction import Extraction, extract
from reflexio_core.engine.learn.failure import record_failure, spent_on
from reflexio_core.engine.learn.known import (
    known_rows,
    latest_profiles,
    neighbours,
    predecessors,
    repeated,
    served_texts,
    stored_profiles,
)
from reflexio_core.engine.learn.prepare import Ready
from reflexio_core.engine.learn.transcript import transcript
from reflexio_core.engine.projection import project
from reflexio_core.engine.stream import window_requests
from reflexio_core.engine.work import Lease, LeaseLost
from reflexio_core.errors import ConditionFailed, Conflict, LlmError, LlmUsage, ReflexioError
from reflexio_core.ports.llm import LlmSettings
from reflexio_core.ports.store import Delete, Item

_LOG = logging.getLogger(__name__)
_DELETES_PER_COMMIT = 90
_PLANS_PER_WINDOW = 3  # a person may edit a neighbour while the model thinks


@dataclass(slots=True)
class _Bill:
    """What an attempt has cost so far, whether or not it succeeds."""

    usage: LlmUsage = field(default_factory=LlmUsage)

    def add(self, usage: LlmUsage) -> None:
        """Count calls."""
        self.usage += usage


def learn_windows(engine: Engine, lease: Lease, head: StreamHead, ready: Sequence[Ready]) -> None:
    """Learn from each window; a failure of one is recorded and does not stop another. Raises ``LeaseLost``."""
    for group in _sharing(ready):
        bill = _Bill()
        try:
            _learn(engine, lease, head, group, bill)
        except LeaseLost:
            raise
        except ReflexioError as error:
            if isinstance(error, LlmError):
                bill.add(error.usage)
            _LOG.warning("learning failed and will be retried: %s", error.code)
            record_failure(engine, lease, group, error.code, bill.usage)
        except Exception as error:  # noqa: BLE001 - reported, and kept from being repeated without a pause
            _LOG.error("learning failed unexpectedly and will be retried: %s", _place(error))
            record_failure(engine, lease, group, ReflexioError.code, bill.usage)


def _place(error: Exception) -> str:
    """What was raised and where. Its message is left out: it may quote a conversation."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {frame.filename}:{frame.lineno}"


def _sharing(ready: Sequence[Ready]) -> list[tuple[Ready, ...]]:
    def shows(entry: Ready) -> tuple[tuple[int, ...], int, bool]:
        return (entry.window.manifest, entry.window.new_from, entry.window.forced)

    return [tuple(group) for _, group in groupby(sorted(ready, key=shows), key=shows)]


def _learn(engine: Engine, lease: Lease, head: StreamHead, group: tuple[Ready, ...], bill: _Bill) -> None:
    window = group[0].window
    requests = window_requests(engine, head, window)
    rows = known_rows(engine, lease.tenant, lease.user_id)
    turns = transcript(window, requests, served_texts(engine, lease.tenant, rows))
    if turns is None:
        raise LeaseLost  # a turn was erased since the window was prepared: select again from what is left
    # As for the window's size, the first turn that waits decides. Models and keys are those of now: a wrong one can be
    # mended for what was published under it.
    policy = next(turn.request.policy for turn in turns if turn.shown.new)
    config = config_at(engine, lease.tenant, policy.config_version)
    settings = llm_settings(load_config(engine, lease.tenant)[0])
    judge = not window.forced and not policy.of_kind(window.kind).skip_gate
    found = extract(engine, settings, config, [entry.window for entry in group], turns, latest_profiles(rows), judge)
    bill.add(found.usage)
    for _ in range(_PLANS_PER_WINDOW):
        plan = _plan(engine, lease, settings, found)
        bill.add(plan.usage)
        changed = commit_outcome(engine, lease, Outcome(group, found, plan, _total(bill.usage, group)))
        if changed is not None:
            project(engine, changed)
            return
    raise Conflict("what is known of the user kept changing while it was being learned from")


def _plan(engine: Engine, lease: Lease, settings: LlmSettings, found: Extraction) -> Plan:
    if not found.candidates:
        return Plan()
    tenant, user = lease.tenant, lease.user_id
    candidates = [cited for cited in found.candidates if not forgets_everything(cited)]
    if len(candidates) < len(found.candidates):
        _forget_items(engine, lease, stored_profiles(engine, tenant, user))
    rows = known_rows(engine, tenant, user)
    known = [(None if is_forget(cited) else repeated(cited, rows), cited) for cited in candidates]
    fresh = [cited for row, cited in known if row is None]
    plan = consolidate(engine, settings, fresh, neighbours(engine, tenant, user, fresh, rows))
    if plan.forgotten:
        # What they had replaced is no longer current, so it may go before they do.
        _forget_items(engine, lease, predecessors(engine, tenant, user, plan.forgotten))
    again = tuple((row, cited) for row, cited in known if row is not None)
    return replace(plan, confirmed=(*plan.confirmed, *again))


def _forget_items(engine: Engine, lease: Lease, items: Sequence[Item]) -> None:
    """Delete profiles for good, however many: a repeated attempt finds fewer. Raises ``LeaseLost``."""
    keys = engine.keys(lease.tenant)
    pointers = [keys.profile_pointer(ProfileRecord.of(item).profile_id) for item in items]
    gone = [item.key for item in items]
    deletes = [Delete(key) for key in (*gone, *pointers)]
    for start in range(0, len(deletes), _DELETES_PER_COMMIT):
        try:
            engine.store.commit([lease.fence(keys), *deletes[start : start + _DELETES_PER_COMMIT]])
        except ConditionFailed:
            raise LeaseLost from None
    project(engine, gone)


def _total(spent: LlmUsage, group: Sequence[Ready]) -> LlmUsage:
    """What the windows cost in all, with their failed attempts."""
    return sum((spent_on(entry.state.cursor) for entry in group), spent)
