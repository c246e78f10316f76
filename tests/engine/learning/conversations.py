"""Conversations published to an engine, and what was learned from them."""

from typing import Any

from reflexio.models.config import Config
from reflexio.models.interactions import PublishUserInteractionRequest
from reflexio_core.domain.records import (
    CompletedWindow,
    Cursor,
    ProfileRecord,
    RequestPointer,
    RequestRecord,
    UserPlaybookRecord,
)
from reflexio_core.engine.configuration import load_config
from reflexio_core.engine.configuration.stored import store_config
from reflexio_core.engine.context import Engine
from reflexio_core.engine.learn import run_user
from reflexio_core.engine.publish import publish
from reflexio_core.engine.requests import pages
from reflexio_core.engine.status import learning_status
from reflexio_core.engine.sweep import sweep
from tests.doubles.engine import TENANT

USER = "ana"
TurnText = str | tuple[str, str] | dict[str, Any]


def say(
    engine: Engine, request_id: str, *turns: TurnText, user: str = USER, tenant: str = TENANT, **fields: Any
) -> dict[str, Any]:
    """Publish turns, the user's where no role is named, as a finished session unless ``fields`` say otherwise."""
    body = {
        "request_id": request_id,
        "user_id": user,
        "session_id": "s",
        "session_finished": True,
        "interaction_data_list": [_turn(turn) for turn in turns],
        **fields,
    }
    answer = publish(engine, tenant, PublishUserInteractionRequest.model_validate(body), [])
    assert answer["success"], answer
    return answer


def _turn(turn: TurnText) -> dict[str, Any]:
    if isinstance(turn, dict):
        return turn
    role, content = ("user", turn) if isinstance(turn, str) else turn
    return {"role": role, "content": content}


def configure(engine: Engine, **changes: Any) -> None:
    """Change the tenant's configuration."""
    config, version = load_config(engine, TENANT)
    store_config(engine, TENANT, Config.model_validate({**config.model_dump(), **changes}), version)


def learn(engine: Engine, user: str = USER, tenant: str = TENANT) -> None:
    """Do the user's due work."""
    run_user(engine, tenant, user)


def learn_what_is_due(engine: Engine) -> int:
    """Do what the sweep finds by the store alone; hints sent otherwise are lost. Returns for how many users."""
    engine.queue.sent.clear()
    found = sweep(engine)
    for hint, _ in list(engine.queue.sent):
        run_user(engine, hint.tenant, hint.user_id)
    engine.queue.sent.clear()
    return found


def profiles(engine: Engine, user: str = USER, *, history: bool = False) -> list[ProfileRecord]:
    """Current facts, oldest first; with ``history`` all that are stored."""
    stored = [ProfileRecord.of(item) for item in pages(engine, engine.keys(TENANT).profiles(user, 100))]
    return sorted((p for p in stored if history or p.status is None), key=lambda p: (p.created_at, p.content))


def playbooks(engine: Engine, user: str = USER, *, history: bool = False) -> list[UserPlaybookRecord]:
    """Current lessons, newest first; with ``history`` all that are stored."""
    stored = [UserPlaybookRecord.of(item) for item in pages(engine, engine.keys(TENANT).user_playbooks(user, 100))]
    return [playbook for playbook in stored if history or playbook.status is None]


def facts(engine: Engine, user: str = USER) -> list[str]:
    """What the current facts say."""
    return [profile.content for profile in profiles(engine, user)]


def lessons(engine: Engine, user: str = USER) -> list[str]:
    """What the current lessons say."""
    return sorted(playbook.content for playbook in playbooks(engine, user))


def windows(engine: Engine, kind: str = "profile", user: str = USER) -> list[CompletedWindow]:
    """Completed windows of a kind."""
    return [CompletedWindow.of(item) for item in pages(engine, engine.keys(TENANT).windows(user, kind, 100))]


def cursor(engine: Engine, kind: str = "profile", user: str = USER) -> Cursor:
    """The cursor of a kind."""
    item = engine.store.get(engine.keys(TENANT).cursor(user, kind))
    return Cursor.of(item) if item else Cursor()


def stored_request(engine: Engine, request_id: str) -> RequestRecord:
    """A publication as stored."""
    keys = engine.keys(TENANT)
    pointer = RequestPointer.of(engine.store.get(keys.request_pointer(request_id)))
    return RequestRecord.of(engine.store.get(keys.request(pointer.user_id, pointer.first_seq)))


def status(engine: Engine, request_id: str) -> tuple[str, str]:
    """Status and reason of a publication."""
    answer = learning_status(engine, TENANT, request_id)
    return answer["status"], answer["reason"]


def fact(content: str, turn: str = "T1", quote: str = "", **fields: Any) -> dict[str, Any]:
    """A profile as a model answers it."""
    return {"content": content, "evidence": [{"turn": turn, "quote": quote}], **fields}


def lesson(trigger: str, content: str, turn: str = "T1", quote: str = "", **fields: Any) -> dict[str, Any]:
    """A playbook as a model answers it."""
    return {"trigger": trigger, "content": content, "evidence": [{"turn": turn, "quote": quote}], **fields}
