"""Deleting what was learned or added: profiles, user playbooks, agent playbooks. What a row had replaced goes with it,
since that is its text in an earlier form."""

from collections.abc import Iterator, Sequence
from typing import Any

from reflexio.models.playbooks import (
    DeleteAgentPlaybookRequest,
    DeleteAgentPlaybooksByIdsRequest,
    DeleteUserPlaybookRequest,
    DeleteUserPlaybooksByIdsRequest,
)
from reflexio.models.profiles import DeleteProfilesByIdsRequest, DeleteUserProfileRequest
from reflexio_core.domain.records import AgentPlaybookRecord, ProfileRecord, UserPlaybookRecord, UserPointer
from reflexio_core.engine.context import Engine
from reflexio_core.engine.erasure import apply
from reflexio_core.engine.rows import Learning, learning_key, pointer_key
from reflexio_core.keys import TenantKeys, doc_kind
from reflexio_core.ports.index import DocKind
from reflexio_core.ports.store import Delete, Item, Key, Operation

JsonAnswer = dict[str, Any]
_PAGE = 100


def delete_profile(engine: Engine, tenant: str, request: DeleteUserProfileRequest) -> JsonAnswer:
    """Delete one profile of a user by id, or those whose text holds ``search_query``.

    One of the two is needed: else ``success`` false. Succeeds also when there is none of that id.
    """
    keys = engine.keys(tenant)
    if request.profile_id:
        _delete(engine, tenant, [keys.profile(request.user_id, request.profile_id)])
        return {"success": True, "message": "Deleted successfully"}
    if not request.search_query.strip():
        return {
            "success": False,
            "error": "invalid_input",
            "message": "profile_id or search_query is needed to say which profile to delete",
        }
    wanted = request.search_query.casefold()
    token: str | None = None
    count = 0
    while True:
        page = engine.store.query(keys.profiles(request.user_id, _PAGE, token))
        matching = [item.key for item in page.items if wanted in ProfileRecord.of(item).content.casefold()]
        count += _delete(engine, tenant, matching)
        token = page.token
        if token is None:
            return {"success": True, "message": f"Deleted {count} item(s)"}


def delete_profiles_by_ids(engine: Engine, tenant: str, request: DeleteProfilesByIdsRequest) -> JsonAnswer:
    """Delete profiles of any user; counts those that were there."""
    keys = engine.keys(tenant)
    owners = _owners(engine, [keys.profile_pointer(name) for name in dict.fromkeys(request.profile_ids)])
    named = {keys.profile_pointer(name): name for name in request.profile_ids}
    return _bulk(_delete(engine, tenant, [keys.profile(user, named[at]) for at, user in owners.items()]))


def delete_user_playbook(engine: Engine, tenant: str, request: DeleteUserPlaybookRequest) -> JsonAnswer:
    """Delete one user playbook. Succeeds also when there is none of that id."""
    _delete_user_playbooks(engine, tenant, [request.user_playbook_id])
    return {"success": True, "message": "Deleted successfully"}


def delete_user_playbooks_by_ids(engine: Engine, tenant: str, request: DeleteUserPlaybooksByIdsRequest) -> JsonAnswer:
    """Delete user playbooks; counts those that were there."""
    return _bulk(_delete_user_playbooks(engine, tenant, request.user_playbook_ids))


def delete_agent_playbook(engine: Engine, tenant: str, request: DeleteAgentPlaybookRequest) -> JsonAnswer:
    """Delete one agent playbook. Succeeds also when there is none of that id."""
    _delete(engine, tenant, [engine.keys(tenant).agent_playbook(request.agent_playbook_id)])
    return {"success": True, "message": "Deleted successfully"}


def delete_agent_playbooks_by_ids(engine: Engine, tenant: str, request: DeleteAgentPlaybooksByIdsRequest) -> JsonAnswer:
    """Delete agent playbooks; counts those that were there."""
    keys = engine.keys(tenant)
    return _bulk(_delete(engine, tenant, [keys.agent_playbook(number) for number in request.agent_playbook_ids]))


def delete_all_profiles(engine: Engine, tenant: str) -> JsonAnswer:
    """Delete every profile of the tenant, whatever its status; counts them."""
    return _bulk(_delete_listed(engine, tenant, DocKind.PROFILE))


def delete_all_user_playbooks(engine: Engine, tenant: str) -> JsonAnswer:
    """Delete every user playbook of the tenant; counts them."""
    return _bulk(_delete_listed(engine, tenant, DocKind.USER_PLAYBOOK))


def delete_all_agent_playbooks(engine: Engine, tenant: str) -> JsonAnswer:
    """Delete every agent playbook of the tenant; counts them."""
    return _bulk(_delete_listed(engine, tenant, DocKind.AGENT_PLAYBOOK))


def delete_all_playbooks(engine: Engine, tenant: str) -> JsonAnswer:
    """Delete every playbook of the tenant, of users and of agents; counts them."""
    kinds = (DocKind.USER_PLAYBOOK, DocKind.AGENT_PLAYBOOK)
    return _bulk(sum(_delete_listed(engine, tenant, kind) for kind in kinds))


def _bulk(count: int) -> JsonAnswer:
    return {"success": True, "deleted_count": count, "message": f"Deleted {count} item(s)"}


def _owners(engine: Engine, pointers: Sequence[Key]) -> dict[Key, str]:
    """Users by pointer, of those that exist."""
    return {key: UserPointer.of(item).user_id for key, item in engine.store.batch_get(pointers).items()}


def _delete_user_playbooks(engine: Engine, tenant: str, ids: Sequence[int]) -> int:
    keys = engine.keys(tenant)
    named = {keys.user_playbook_pointer(number): number for number in ids}
    owners = _owners(engine, list(named))
    return _delete(engine, tenant, [keys.user_playbook(user, named[at]) for at, user in owners.items()])


def _delete_listed(engine: Engine, tenant: str, kind: DocKind) -> int:
    """Delete page after page of the tenant's listing until it is empty or no longer moves."""
    count = 0
    while items := engine.store.query_index(engine.keys(tenant).listing(kind, _PAGE)).items:
        deleted = _delete(engine, tenant, [item.key for item in items])
        if not deleted:
            break
        count += deleted
    return count


def _delete(engine: Engine, tenant: str, wanted: Sequence[Key]) -> int:
    """Delete the rows that exist, with their pointers and what they had replaced; returns how many were named."""
    keys = engine.keys(tenant)
    found = engine.store.batch_get(list(dict.fromkeys(wanted)))
    rows = {item.key: _record(item) for item in found.values()}
    for record in list(rows.values()):
        rows.update({learning_key(keys, earlier): earlier for earlier in _replaced(engine, keys, record)})
    operations: list[Operation] = []
    for key, record in rows.items():
        operations.append(Delete(key))
        pointer = pointer_key(keys, record)
        if pointer is not None:
            operations.append(Delete(pointer))
    apply(engine, operations)
    return len(found)


def _replaced(engine: Engine, keys: TenantKeys, record: Learning) -> Iterator[Learning]:
    """The rows that this one replaced, and those that they had."""
    if isinstance(record, AgentPlaybookRecord) or not record.provenance.replaced:
        return
    is_profile = isinstance(record, ProfileRecord)
    at = [
        keys.profile(record.user_id, name) if is_profile else keys.user_playbook(record.user_id, int(name))
        for name in record.provenance.replaced
    ]
    for item in engine.store.batch_get(at).values():
        earlier = _record(item)
        yield earlier
        yield from _replaced(engine, keys, earlier)


def _record(item: Item) -> Learning:
    kind = doc_kind(item.key)
    if kind is DocKind.PROFILE:
        return ProfileRecord.of(item)
    if kind is DocKind.USER_PLAYBOOK:
        return UserPlaybookRecord.of(item)
    return AgentPlaybookRecord.of(item)
