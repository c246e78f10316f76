"""Identities that a retry derives again, so that nothing is written twice.

Learnings derive from (tenant, user, kind, window, ordinal) and a salt that grows only on a collision. Integers fit
53 bits, so that every JSON reader keeps them exact, and begin with the time, so that they sort by age.
"""

import hashlib
import uuid

_EPOCH_MS = 1_577_836_800_000  # 2020-01-01T00:00:00Z: 41 bits of milliseconds last until 2089
_LOW_BITS = 12
MAX_INTEGER_ID = 2**53 - 1


def digest(*parts: object) -> bytes:
    """SHA-256 over the parts; lengths are hashed too, so that ("a", "bc") and ("ab", "c") differ."""
    state = hashlib.sha256()
    for part in parts:
        data = str(part).encode()
        state.update(len(data).to_bytes(8))
        state.update(data)
    return state.digest()


def derived_uuid(*parts: object) -> str:
    """A UUID (version 8: custom) made of the parts."""
    raw = bytearray(digest(*parts)[:16])
    raw[6] = (raw[6] & 0x0F) | 0x80
    raw[8] = (raw[8] & 0x3F) | 0x80
    return str(uuid.UUID(bytes=bytes(raw)))


def timed_integer(at: float, *parts: object) -> int:
    """A 53-bit integer: 41 bits of milliseconds, 12 bits of digest over the parts. ``at`` in epoch seconds."""
    ms = min(max(0, int(at * 1000) - _EPOCH_MS), 2**41 - 1)
    low = int.from_bytes(digest(*parts)[:4]) % (1 << _LOW_BITS)
    return (ms << _LOW_BITS) | low


def profile_id(tenant: str, user: str, window_id: str, ordinal: int, salt: int = 0) -> str:
    """Id of the ``ordinal``-th profile of a window."""
    return derived_uuid("profile", tenant, user, window_id, ordinal, salt)


def playbook_id(tenant: str, user: str, window_id: str, ordinal: int, at: float, salt: int = 0) -> int:
    """Id of the ``ordinal``-th playbook of a window prepared at ``at``."""
    return timed_integer(at, "playbook", tenant, user, window_id, ordinal, salt)


def window_id(tenant: str, user: str, kind: str, generation: int, first_new_seq: int, end_seq: int) -> str:
    """Id of a window: the same inputs give the same window after a crash."""
    return derived_uuid("window", tenant, user, kind, generation, first_new_seq, end_seq)


def idempotent_request_id(tenant: str, key: str) -> str:
    """The request id that an ``Idempotency-Key`` stands for when the body names none."""
    return derived_uuid("idempotency-key", tenant, key)


def first_interaction_id(at: float, last_id: int, *parts: object) -> int:
    """Id of the first of a request's turns; the others count up from it. Always above the user's last one."""
    return max(timed_integer(at, *parts), last_id + 1)
