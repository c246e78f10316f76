"""Who a tenant is here, and how much is stored for it."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from reflexio.models.enums import Status
from reflexio_core.domain.records import ProfileRecord, UserPlaybookRecord
from reflexio_core.engine.configuration import llm_settings, load_config
from reflexio_core.engine.context import Engine
from reflexio_core.engine.requests import pages
from reflexio_core.engine.rows import status_at
from reflexio_core.ports.index import DocKind
from reflexio_core.ports.store import Item

JsonAnswer = dict[str, Any]

STORED = (None, Status.PENDING, Status.ARCHIVED)
"""Statuses that count as stored; what was merged, replaced or expired is history."""

SOON_SECONDS = 7 * 86_400

MOST_COUNTED = 200_000
"""Facts that one call counts: some seconds of reading. The message says when there are more."""

_PAGE_ITEMS = 500


def whoami(engine: Engine, tenant: str) -> JsonAnswer:
    """The tenant, where its data lives, and which learner works for it: a model, or ``offline-rules``."""
    config, _ = load_config(engine, tenant)
    return {
        "success": True,
        "org_id": tenant,
        "storage_type": engine.settings.storage_type,
        "storage_label": engine.settings.storage_label,
        "storage_configured": True,
        "learner": engine.llm.model_for("generation", llm_settings(config)),
        "message": "",
    }


def storage_stats(engine: Engine, tenant: str, user_id: str) -> JsonAnswer:
    """One user's facts and playbooks, current, pending and archived; dates of the oldest and newest fact in UTC."""
    now = engine.clock.now()
    keys = engine.keys(tenant)
    facts = (ProfileRecord.of(item) for item in pages(engine, keys.profiles(user_id, _PAGE_ITEMS)))
    modified = [fact.last_modified_timestamp for fact in facts if status_at(fact, now) in STORED]
    lessons = (UserPlaybookRecord.of(item) for item in pages(engine, keys.user_playbooks(user_id, _PAGE_ITEMS)))
    playbooks = sum(1 for lesson in lessons if lesson.status in STORED)
    answer: JsonAnswer = {
        "success": True,
        "profile_count": len(modified),
        "playbook_count": playbooks,
        "msg": f"Found {len(modified)} profile(s) and {playbooks} playbook(s)",
    }
    if modified:
        answer["oldest_profile_modified"] = _iso(min(modified))
        answer["newest_profile_modified"] = _iso(max(modified))
    return answer


def profile_statistics(engine: Engine, tenant: str) -> JsonAnswer:
    """The tenant's facts by status, and how many current ones expire within seven days."""
    now = engine.clock.now()
    counts: Counter[Status | None] = Counter()
    expiring = 0
    facts = _facts(engine, tenant)
    for item in islice(facts, MOST_COUNTED):
        fact = ProfileRecord.of(item)
        status = status_at(fact, now)
        counts[status] += 1
        expiring += status is None and fact.expiration_timestamp <= now + SOON_SECONDS
    answer: JsonAnswer = {
        "success": True,
        "current_count": counts[None],
        "pending_count": counts[Status.PENDING],
        "archived_count": counts[Status.ARCHIVED],
        "expiring_soon_count": expiring,
    }
    if next(facts, None) is not None:
        answer["msg"] = f"Counted the {MOST_COUNTED} latest changed profiles; there are more"
    return answer


def _facts(engine: Engine, tenant: str) -> Iterator[Item]:
    query = engine.keys(tenant).listing(DocKind.PROFILE, _PAGE_ITEMS)
    while True:
        page = engine.store.query_index(query)
        yield from page.items
        if page.token is None:
            return
        query = engine.keys(tenant).listing(DocKind.PROFILE, _PAGE_ITEMS, token=page.token)


def _iso(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
