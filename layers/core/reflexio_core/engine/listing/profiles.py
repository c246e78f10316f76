"""Facts about users, last modified first."""

from typing import Any, Literal

from reflexio.models.enums import Status
from reflexio.models.profiles import GetUserProfilesRequest
from reflexio_core.domain.records import ProfileRecord, UserPointer
from reflexio_core.domain.views import profile_view
from reflexio_core.engine.context import Engine
from reflexio_core.engine.listing.conditions import (
    ALWAYS,
    CURRENT,
    Between,
    equals,
    mentions,
    shares_tag,
    wanted_statuses,
)
from reflexio_core.engine.listing.learnings import PAGE_ITEMS, Selection, list_learnings
from reflexio_core.engine.paging import View, listing_answer
from reflexio_core.engine.rows import status_at
from reflexio_core.errors import InvalidInput
from reflexio_core.ports.index import DocKind
from reflexio_core.ports.store import Key

DateField = Literal["last_modified_timestamp", "created_at"]

_STATUS_WORDS = {"pending": frozenset({Status.PENDING}), "archived": frozenset({Status.ARCHIVED})}


def get_profiles(engine: Engine, tenant: str, request: GetUserProfilesRequest) -> View:
    """One user's facts. Raises ``InvalidInput`` for a foreign ``next_token``."""
    now = engine.clock.now()
    statuses = wanted_statuses(request.status_filter)
    between = Between.of(request)

    def admits(record: ProfileRecord) -> bool:
        return (
            record.user_id == request.user_id
            and equals(request.profile_id, record.profile_id)
            and status_at(record, now) in statuses
            and equals(request.source, record.source)
            and equals(request.profile_time_to_live, record.profile_time_to_live.value)
            and between.holds(record.last_modified_timestamp)
            and shares_tag(request.tags, record.tags)
            and mentions(request.query, (record.content,))
        )

    keys = engine.keys(tenant)
    selection = Selection(
        listing="get_profiles",
        conditions=request.model_dump(mode="json", exclude={"next_token", "top_k"}),
        kind=DocKind.PROFILE,
        record=ProfileRecord,
        admits=admits,
        view=lambda record: _view_at(record, now),
        keys=[keys.profile(request.user_id, request.profile_id)] if request.profile_id else None,
        partition=keys.profiles(request.user_id, PAGE_ITEMS),
    )
    views, token = list_learnings(engine, tenant, selection, request.top_k, request.next_token)
    return listing_answer("user_profiles", views, "profile", token)


def get_all_profiles(
    engine: Engine,
    tenant: str,
    *,
    limit: int = 100,
    status_filter: str | None = None,
    profile_id: str | None = None,
    user_id: str | None = None,
    query: str | None = None,
    source: str | None = None,
    profile_time_to_live: str | None = None,
    start_time: int | None = None,
    end_time: int | None = None,
    date_field: DateField = "last_modified_timestamp",
    include_tombstones: bool = False,
    next_token: str | None = None,
) -> View:
    """Facts of every user of the tenant.

    ``status_filter`` is ``pending`` or ``archived``; anything else means current. ``date_field`` is the date that
    ``start_time`` and ``end_time`` (epoch seconds) bound. ``include_tombstones`` lists whatever became of the one
    fact that ``profile_id`` names.

    Raises:
        InvalidInput: For ``limit``, ``end_time``, ``include_tombstones`` or ``next_token``.
    """
    _check(limit, start_time, end_time, include_tombstones, profile_id)
    now = engine.clock.now()
    statuses: frozenset[Status | None] = _STATUS_WORDS.get(status_filter or "", CURRENT)
    between = Between(start_time, end_time)

    def admits(record: ProfileRecord) -> bool:
        return (
            equals(profile_id, record.profile_id)
            and equals(user_id, record.user_id)
            and (include_tombstones or status_at(record, now) in statuses)
            and equals(source, record.source)
            and equals(profile_time_to_live, record.profile_time_to_live.value)
            and between.holds(getattr(record, date_field))
            and mentions(query, (record.content,))
        )

    conditions: dict[str, Any] = {
        "status_filter": status_filter,
        "profile_id": profile_id,
        "user_id": user_id,
        "query": query,
        "source": source,
        "profile_time_to_live": profile_time_to_live,
        "start_time": start_time,
        "end_time": end_time,
        "date_field": date_field,
        "include_tombstones": include_tombstones,
    }
    selection = Selection(
        listing="get_all_profiles",
        conditions=conditions,
        kind=DocKind.PROFILE,
        record=ProfileRecord,
        admits=admits,
        view=lambda record: _view_at(record, now),
        keys=_keys_of(engine, tenant, profile_id) if profile_id is not None else None,
        partition=engine.keys(tenant).profiles(user_id, PAGE_ITEMS) if user_id is not None else None,
        between=between if date_field == "last_modified_timestamp" else ALWAYS,
    )
    views, token = list_learnings(engine, tenant, selection, limit, next_token)
    return listing_answer("user_profiles", views, "profile", token)


def _check(
    limit: int, start_time: int | None, end_time: int | None, include_tombstones: bool, profile_id: str | None
) -> None:
    if limit < 1:
        raise InvalidInput("limit", f"a page holds at least one row, not {limit}")
    if start_time is not None and end_time is not None and end_time <= start_time:
        raise InvalidInput("end_time", "end_time must be after start_time")
    if include_tombstones and profile_id is None:
        raise InvalidInput("include_tombstones", "needs the profile_id whose history is asked for")


def _keys_of(engine: Engine, tenant: str, profile_id: str) -> list[Key]:
    keys = engine.keys(tenant)
    pointer = engine.store.get(keys.profile_pointer(profile_id))
    return [] if pointer is None else [keys.profile(UserPointer.of(pointer).user_id, profile_id)]


def _view_at(record: ProfileRecord, now: float) -> View:
    return profile_view(record.model_copy(update={"status": status_at(record, now)}))
