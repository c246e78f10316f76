"""The one constructor of keys and queries. Everything is made from a tenant; nothing else in the code builds one.

Parts that callers choose (tenants, users, sessions, request ids) are percent-encoded, so that ``#`` only ever
separates parts and ``u1`` never meets ``u10``. A part that would be long is replaced by a digest behind ``~``, a
character that encoding never leaves bare. Numbers are zero-padded so that text order is number order.

Layout: one partition a user holds what must change together (stream head, work, cursors, requests in arrival order,
windows, learnings); small pointer items find a user from an id alone; sparse indexes find due work, a tenant's rows
of one kind by time, and the requests of a session.
"""

import hashlib
from typing import Any, Final
from urllib.parse import quote

from reflexio_core.ports.index import DocKind, DocRef, IndexFilter
from reflexio_core.ports.store import IndexKey, IndexQuery, Key, PartitionQuery, SparseIndex

DUE_SHARDS: Final = 16
_MAX_PART: Final = 120
_AFTER_HASH: Final = "$"  # the character after "#": "X#" <= key < "X$" is "starts with X#"
_SEQ: Final = 12
_ID: Final = 16
_TIME: Final = 13


def _part(text: str) -> str:
    encoded = quote(text, safe="").replace("~", "%7E")
    if len(encoded) <= _MAX_PART:
        return encoded
    return "~" + hashlib.sha256(text.encode()).hexdigest()


def _seq(number: int) -> str:
    return f"{number:0{_SEQ}d}"


def _ms(seconds: float) -> str:
    return f"{max(0, int(seconds * 1000)):0{_TIME}d}"


class TenantKeys:
    """Keys and queries of one tenant (an organisation and project, as ``org/project`` or a single name)."""

    __slots__ = ("_tenant", "tenant")

    def __init__(self, tenant: str) -> None:
        if not tenant:
            raise ValueError("a tenant is needed to make a key")
        self.tenant = tenant
        self._tenant = _part(tenant)

    # ---- a user's partition

    def _user(self, user: str) -> str:
        return f"U#{self._tenant}#{_part(user)}"

    def head(self, user: str) -> Key:
        """The user's stream head, with the lease and the due time of the work on it."""
        return Key(self._user(user), "HEAD")

    def cursor(self, user: str, kind: str) -> Key:
        """The learning cursor of one kind."""
        return Key(self._user(user), f"CURSOR#{kind}")

    def request(self, user: str, first_seq: int) -> Key:
        """A request, by the sequence number of its first turn."""
        return Key(self._user(user), f"REQ#{_seq(first_seq)}")

    def window(self, user: str, kind: str, end_seq: int) -> Key:
        """A completed window, by the sequence number of its last turn."""
        return Key(self._user(user), f"WIN#{kind}#{_seq(end_seq)}")

    def profile(self, user: str, profile_id: str) -> Key:
        """A profile."""
        return Key(self._user(user), f"PRO#{_part(profile_id)}")

    def user_playbook(self, user: str, playbook_id: int) -> Key:
        """A user playbook."""
        return Key(self._user(user), f"UPB#{playbook_id:0{_ID}d}")

    def _prefix(self, pk: str, prefix: str, limit: int, token: str | None, reverse: bool) -> PartitionQuery:
        return PartitionQuery(pk, f"{prefix}#", f"{prefix}{_AFTER_HASH}", limit, reverse, token)

    def requests(
        self,
        user: str,
        limit: int,
        *,
        from_seq: int = 0,
        before_seq: int | None = None,
        reverse: bool = False,
        token: str | None = None,
    ) -> PartitionQuery:
        """Requests whose first turn lies in ``from_seq <= seq < before_seq``, in arrival order."""
        before = f"REQ{_AFTER_HASH}" if before_seq is None else f"REQ#{_seq(before_seq)}"
        return PartitionQuery(self._user(user), f"REQ#{_seq(from_seq)}", before, limit, reverse, token)

    def windows(
        self, user: str, kind: str, limit: int, *, from_seq: int = 0, token: str | None = None
    ) -> PartitionQuery:
        """Completed windows of a kind whose last turn is at or after ``from_seq``."""
        prefix = f"WIN#{kind}"
        return PartitionQuery(
            self._user(user), f"{prefix}#{_seq(from_seq)}", f"{prefix}{_AFTER_HASH}", limit, False, token
        )

    def profiles(self, user: str, limit: int, token: str | None = None) -> PartitionQuery:
        """The user's profiles, every status, in no meaningful order."""
        return self._prefix(self._user(user), "PRO", limit, token, False)

    def user_playbooks(self, user: str, limit: int, token: str | None = None, reverse: bool = True) -> PartitionQuery:
        """The user's playbooks, every status, newest first."""
        return self._prefix(self._user(user), "UPB", limit, token, reverse)

    def everything_of(self, user: str, limit: int, token: str | None = None) -> PartitionQuery:
        """Every item of the user's partition."""
        return PartitionQuery(self._user(user), "A", "a", limit, False, token)

    # ---- agent playbooks, configuration, served results

    def agent_playbook(self, playbook_id: int) -> Key:
        """An agent playbook."""
        return Key(f"A#{self._tenant}", f"APB#{playbook_id:0{_ID}d}")

    def agent_playbooks(self, limit: int, token: str | None = None, reverse: bool = True) -> PartitionQuery:
        """The tenant's agent playbooks, every status, newest first."""
        return self._prefix(f"A#{self._tenant}", "APB", limit, token, reverse)

    def config(self) -> Key:
        """The tenant's current configuration."""
        return Key(f"T#{self._tenant}", "CONFIG")

    def config_version(self, version: int) -> Key:
        """A configuration as it was when publications were admitted under it."""
        return Key(f"T#{self._tenant}", f"CONFIG#{_seq(version)}")

    def served(self, session: str) -> Key:
        """What a session has been served, so that a search does not repeat it."""
        return Key(f"V#{self._tenant}#{_part(session)}", "SERVED")

    # ---- pointers: from an id alone to the user

    def request_pointer(self, request_id: str) -> Key:
        """Finds a request, and reserves its id in the tenant."""
        return Key(f"P#{self._tenant}#REQ#{_part(request_id)}", "POINTER")

    def profile_pointer(self, profile_id: str) -> Key:
        """Finds a profile, and reserves its id in the tenant."""
        return Key(f"P#{self._tenant}#PRO#{_part(profile_id)}", "POINTER")

    def user_playbook_pointer(self, playbook_id: int) -> Key:
        """Finds a user playbook, and reserves its id in the tenant."""
        return Key(f"P#{self._tenant}#UPB#{playbook_id:0{_ID}d}", "POINTER")

    # ---- sparse indexes

    def listed(self, kind: DocKind, at: float, unique: str) -> IndexKey:
        """Place of a row in the tenant's listing of its kind; ``unique`` breaks ties. A request lists its turns."""
        return IndexKey(f"{self._tenant}#{kind}", f"{_ms(at)}#{_part(unique)}")

    def listing(
        self,
        kind: DocKind,
        limit: int,
        *,
        start: float | None = None,
        end: float | None = None,
        below: str | None = None,
        token: str | None = None,
        reverse: bool = True,
    ) -> IndexQuery:
        """The tenant's rows of a kind with ``start <= time < end``, newest first.

        ``below`` is the place of a row in this listing: only what lies under it follows.
        """
        after = _ms(start) if start is not None else "0"
        before = _ms(end) if end is not None else ":"  # the character after "9"
        before = before if below is None else min(before, below)
        return IndexQuery(SparseIndex.LISTING, f"{self._tenant}#{kind}", after, before, limit, reverse, token)

    def in_session(self, session: str, user: str, first_seq: int) -> IndexKey:
        """Place of a request among those of its session."""
        return IndexKey(f"{self._tenant}#{_part(session)}", f"{_part(user)}#{_seq(first_seq)}")

    def session(
        self,
        session: str,
        limit: int,
        *,
        user: str | None = None,
        below: str | None = None,
        token: str | None = None,
        reverse: bool = False,
    ) -> IndexQuery:
        """Requests of a session, of one user or of all; ``below`` a row's place in the session, if given."""
        hash_key = f"{self._tenant}#{_part(session)}"
        after, before = "!", "\u007f"  # around every character of an encoded part
        if user is not None:
            after, before = f"{_part(user)}#", f"{_part(user)}{_AFTER_HASH}"
        before = before if below is None else min(before, below)
        return IndexQuery(SparseIndex.SESSION, hash_key, after, before, limit, reverse, token)

    def before_user(self, place: str) -> str:
        """The place in a session before every request of the user whose request lies at ``place``."""
        return place.rsplit("#", 1)[0] + "#"

    def due(self, user: str, at: float) -> IndexKey:
        """Place of a work item among the due work of all tenants (it returns references only)."""
        shard = int.from_bytes(hashlib.sha256(f"{self._tenant}#{_part(user)}".encode()).digest()[:4]) % DUE_SHARDS
        return IndexKey(f"DUE#{shard:02d}", f"{_ms(at)}#{self._tenant}#{_part(user)}")

    # ---- blobs

    def blob(self, user: str, digest: str) -> str:
        """Name of a request's turns when they do not fit its item; ``digest`` is of the content."""
        return f"{self._tenant}/{_part(user)}/{digest}"

    # ---- the search index

    def index_filter(self, kind: DocKind, now: int, *, user: str | None = None, **conditions: Any) -> IndexFilter:
        """A filter on this tenant's documents of a kind, of one user or (``None``) of all.

        ``conditions`` are the other fields of ``IndexFilter``.
        """
        user_part = None if user is None else _part(user)
        return IndexFilter(tenant=self._tenant, kind=kind, now=now, user_id=user_part, **conditions)

    def indexed_user(self, user: str) -> str:
        """How a document's ``user_id`` field names a user."""
        return _part(user)

    def count_scope(self) -> str:
        """How the index names this tenant."""
        return self._tenant


_DOC_KINDS: Final = {
    "REQ": DocKind.INTERACTION,
    "PRO": DocKind.PROFILE,
    "UPB": DocKind.USER_PLAYBOOK,
    "APB": DocKind.AGENT_PLAYBOOK,
}


def doc_kind(key: Key) -> DocKind | None:
    """What kind of document an item becomes in the index, or None if it is not searched."""
    return _DOC_KINDS.get(kind_of(key))


def doc_ref(key: Key, ordinal: int | None = None) -> DocRef:
    """Identity of the document made of an item; ``ordinal`` tells a request's turns apart.

    Made of the key alone, so that a deleted item's document can still be named.
    """
    parts = key.pk.split("#")
    kind = _DOC_KINDS[kind_of(key)]
    return DocRef(parts[1], kind, doc_parent(key) if ordinal is None else f"{doc_parent(key)}#{ordinal}")


def doc_user(key: Key) -> str:
    """The user of the document made of an item, as ``indexed_user`` names one; empty if it belongs to no user."""
    parts = key.pk.split("#")
    return parts[2] if parts[0] == "U" else ""


def doc_parent(key: Key) -> str:
    """The group of documents made of one item."""
    return "#".join([*key.pk.split("#")[2:], key.sk])


def due_work(shard: int, until: float, limit: int, token: str | None = None) -> IndexQuery:
    """Work items of any tenant that are due, earliest first: the sweep's one view across tenants."""
    return IndexQuery(SparseIndex.DUE, f"DUE#{shard:02d}", "0", _ms(until + 0.001), limit, False, token)


def kind_of(key: Key) -> str:
    """What an item is, from its key: ``REQ``, ``PRO``, ``UPB``, ``APB``, or another first part."""
    return key.sk.split("#", 1)[0]
