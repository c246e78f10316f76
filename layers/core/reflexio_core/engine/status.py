"""What has become of a publication: covered, waiting or at work, and what it cost."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from reflexio_core.domain.records import (
    KINDS,
    CompletedWindow,
    Cursor,
    RequestPointer,
    RequestRecord,
    StreamHead,
)
from reflexio_core.engine.context import Engine
from reflexio_core.engine.projection import project
from reflexio_core.engine.requests import pages
from reflexio_core.engine.stream import next_selection
from reflexio_core.engine.work import is_leased
from reflexio_core.errors import LlmUsage, NotFound
from reflexio_core.ports.store import Key
from reflexio_core.tasks.transcript import LearningKind

_FIRST_POLL_SECONDS = 0.004
_LONGEST_POLL_SECONDS = 0.25
_PAGE = 50

_MEANING = {
    "extracting": "processing",
    "retrying": "pending",
    "queued": "pending",
    "waiting_for_window": "pending",
}
"""The first of these reasons that any kind gives is the publication's."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What the windows that took in a publication came to."""

    profiles: int = 0
    playbooks: int = 0
    usage: LlmUsage = field(default_factory=LlmUsage)
    model: str = ""


def learning_status(engine: Engine, tenant: str, request_id: str) -> dict[str, Any]:
    """Status and reason, with calls and tokens spent and the model. Raises ``NotFound``."""
    record = _find(engine, tenant, request_id)
    status, reason, error = _status(engine, tenant, record)
    learned = _learned(engine, tenant, record)
    answer: dict[str, Any] = {"status": status, "reason": reason}
    if error:
        answer["error"] = error
    if learned.model:
        answer["model"] = learned.model
        answer["usage"] = learned.usage.as_dict()
    return answer


def wait_for_learning(engine: Engine, tenant: str, answer: dict[str, Any]) -> dict[str, Any]:
    """A publication's answer with its outcome, once learning has covered it and search finds it.

    Answers early, as deferred, when only more turns, a completion hint or time can bring it on; and after
    ``wait_seconds`` of the settings with reason ``wait_timeout``.
    """
    if not answer["success"]:
        return answer
    request_id = answer["request_id"]
    deadline = engine.clock.now() + engine.settings.wait_seconds
    pause = _FIRST_POLL_SECONDS
    while True:
        try:
            record = _find(engine, tenant, request_id)
            status, reason, _ = _status(engine, tenant, record)
        except NotFound:
            return {**answer, "learning_status": "done", "learning_reason": "inputs_erased"}
        if status == "done":
            learned = _learned(engine, tenant, record)
            project(engine, _learned_keys(engine, tenant, record))
            return {
                **answer,
                "learning_status": "done",
                "learning_reason": reason,
                "profiles_added": learned.profiles,
                "playbooks_added": learned.playbooks,
            }
        if reason == "waiting_for_window":
            return {**answer, "learning_status": "deferred", "learning_reason": reason}
        if engine.clock.now() >= deadline:
            return {**answer, "learning_status": "deferred", "learning_reason": "wait_timeout"}
        engine.clock.sleep(pause)
        pause = min(pause * 1.5, _LONGEST_POLL_SECONDS)


def _find(engine: Engine, tenant: str, request_id: str) -> RequestRecord:
    keys = engine.keys(tenant)
    pointer_item = engine.store.get(keys.request_pointer(request_id))
    if pointer_item is not None:
        pointer = RequestPointer.of(pointer_item)
        item = engine.store.get(keys.request(pointer.user_id, pointer.first_seq))
        if item is not None:
            return RequestRecord.of(item)
    raise NotFound(f"no request {request_id!r}")


def _status(engine: Engine, tenant: str, record: RequestRecord) -> tuple[str, str, str]:
    """Status, reason, and the code of the last failure of what is waited for; empty if nothing has failed."""
    eligible = [kind for kind in KINDS if record.policy.of_kind(kind).eligible]
    if not eligible:
        return "done", "not_applicable", ""
    seqs = record.seqs()
    if not seqs:
        return "done", "inputs_erased", ""
    keys = engine.keys(tenant)
    cursor_keys: dict[LearningKind, Key] = {kind: keys.cursor(record.user_id, kind) for kind in eligible}
    found = engine.store.batch_get([keys.head(record.user_id), *cursor_keys.values()])
    head_item = found.get(keys.head(record.user_id))
    if head_item is None:
        raise NotFound(f"no request {record.request_id!r}")
    head = StreamHead.of(head_item)
    reasons: dict[str, str] = {}
    for kind, key in cursor_keys.items():
        cursor = Cursor.of(found[key]) if key in found else Cursor()
        if cursor.completed_seq < seqs[-1]:
            reason = _reason(engine, head, kind, cursor)
            reasons[reason] = reasons.get(reason) or cursor.last_error
    for reason, status in _MEANING.items():
        if reason in reasons:
            return status, reason, reasons[reason]
    return "done", "covered", ""


def _reason(engine: Engine, head: StreamHead, kind: LearningKind, cursor: Cursor) -> str:
    """Why a kind has not covered its turns yet."""
    now = engine.clock.now()
    if cursor.attempts and cursor.retry_at > now:
        return "retrying"
    if cursor.window is not None and cursor.window.generation == head.generation:
        return "extracting" if is_leased(engine, head, now) else "queued"
    if next_selection(engine, head, kind, cursor).manifest:
        return "queued"
    return "waiting_for_window"


def _learned(engine: Engine, tenant: str, record: RequestRecord) -> Learned:
    profiles = playbooks = 0
    usage, model = LlmUsage(), ""
    for kind in KINDS:
        for window in _windows_of(engine, tenant, record, kind):
            count = len(window.learned)
            profiles += count if kind == "profile" else 0
            playbooks += count if kind == "playbook" else 0
            usage += LlmUsage(window.calls, window.prompt_tokens, window.completion_tokens)
            model = window.model or model
    return Learned(profiles, playbooks, usage, model)


def _learned_keys(engine: Engine, tenant: str, record: RequestRecord) -> list[Key]:
    """Where the learnings of a publication lie. The learner projects what it commits; a caller that waits may look
    in the moment between those two."""
    keys = engine.keys(tenant)
    user = record.user_id
    profiles = [name for window in _windows_of(engine, tenant, record, "profile") for name in window.learned]
    playbooks = [name for window in _windows_of(engine, tenant, record, "playbook") for name in window.learned]
    return [
        *(keys.profile(user, name) for name in profiles),
        *(keys.user_playbook(user, int(name)) for name in playbooks),
    ]


def _windows_of(engine: Engine, tenant: str, record: RequestRecord, kind: LearningKind) -> Iterator[CompletedWindow]:
    """Completed windows of a kind that took in turns of the request as new."""
    query = engine.keys(tenant).windows(record.user_id, kind, _PAGE, from_seq=record.first_seq)
    for item in pages(engine, query):
        completed = CompletedWindow.of(item)
        if completed.window.new_from > record.last_seq:
            return
        yield completed
