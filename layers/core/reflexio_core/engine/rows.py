"""Learnings as items: where each lies, where it is listed, how its version grows. Shared by all who write them."""

from reflexio.models.base import NEVER_EXPIRES
from reflexio.models.enums import ProfileTimeToLive, Status
from reflexio_core.domain.records import AgentPlaybookRecord, ProfileRecord, UserPlaybookRecord, UserPointer
from reflexio_core.keys import TenantKeys
from reflexio_core.ports.index import DocKind
from reflexio_core.ports.store import Absent, Item, Key, Put, SparseIndex, VersionIs

Learning = ProfileRecord | UserPlaybookRecord | AgentPlaybookRecord

_DAY = 86_400
_LIFETIME_DAYS = {
    ProfileTimeToLive.ONE_DAY: 1,
    ProfileTimeToLive.ONE_WEEK: 7,
    ProfileTimeToLive.ONE_MONTH: 30,
    ProfileTimeToLive.ONE_QUARTER: 90,
    ProfileTimeToLive.ONE_YEAR: 365,
}


def next_version(previous: int | None, now: float) -> int:
    """The version of a write at ``now`` (epoch seconds) over an item of version ``previous``, None if there is none.

    Microseconds, so that a row written again after its deletion still has a larger version than before.
    """
    return max((previous or 0) + 1, int(now * 1_000_000))


def expiry(time_to_live: ProfileTimeToLive, since: int) -> int:
    """When a fact stated at ``since`` stops being current, in epoch seconds."""
    days = _LIFETIME_DAYS.get(time_to_live)
    return NEVER_EXPIRES if days is None else min(since + days * _DAY, NEVER_EXPIRES)


def status_at(record: Learning, now: float) -> Status | None:
    """The row's status as it is at ``now``: a current fact past its expiry has expired, whether or not it says so."""
    if isinstance(record, ProfileRecord) and record.status is None and record.expiration_timestamp <= now:
        return Status.EXPIRED
    return record.status


def learning_key(keys: TenantKeys, record: Learning) -> Key:
    """Where a learning lies."""
    if isinstance(record, ProfileRecord):
        return keys.profile(record.user_id, record.profile_id)
    if isinstance(record, UserPlaybookRecord):
        return keys.user_playbook(record.user_id, record.user_playbook_id)
    return keys.agent_playbook(record.agent_playbook_id)


def learning_item(keys: TenantKeys, record: Learning, version: int) -> Item:
    """The item of a learning: facts are listed by their last change, playbooks by their creation."""
    if isinstance(record, ProfileRecord):
        listed = keys.listed(DocKind.PROFILE, record.last_modified_timestamp, record.profile_id)
    elif isinstance(record, UserPlaybookRecord):
        listed = keys.listed(DocKind.USER_PLAYBOOK, record.created_at, _sortable(record.user_playbook_id))
    else:
        listed = keys.listed(DocKind.AGENT_PLAYBOOK, record.created_at, _sortable(record.agent_playbook_id))
    return Item(learning_key(keys, record), record.body(), version=version, index={SparseIndex.LISTING: listed})


def new_learning(keys: TenantKeys, record: Learning, now: float) -> list[Put]:
    """The writes of a new learning: its item and, if it has a user, the pointer that reserves its id in the tenant.

    Both fail when the id is taken; the item is first.
    """
    puts = [Put(learning_item(keys, record, next_version(None, now)), Absent())]
    pointer = pointer_key(keys, record)
    if pointer is not None and not isinstance(record, AgentPlaybookRecord):
        puts.append(Put(Item(pointer, UserPointer(user_id=record.user_id).body()), Absent()))
    return puts


def changed_learning(keys: TenantKeys, before: Item, record: Learning, now: float) -> Put:
    """The write of a changed learning over the item it was read from; fails if that changed meanwhile."""
    return Put(learning_item(keys, record, next_version(before.version, now)), VersionIs(before.version))


def pointer_key(keys: TenantKeys, record: Learning) -> Key | None:
    """The pointer from the learning's id to its user; an agent playbook has no user and needs none."""
    if isinstance(record, ProfileRecord):
        return keys.profile_pointer(record.profile_id)
    if isinstance(record, UserPlaybookRecord):
        return keys.user_playbook_pointer(record.user_playbook_id)
    return None


def _sortable(number: int) -> str:
    return f"{number:016d}"
