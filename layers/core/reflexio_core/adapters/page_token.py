"""Opaque tokens that continue a page, bound to the query that made them.

A token carries only a place inside its query's own range: the partition or hash always comes from the query. A
token that was altered, or that another query made, is refused; a forged one could do no more than skip rows.
"""

import base64
import binascii
import hashlib
import json

from reflexio_core.errors import InvalidInput
from reflexio_core.ports.store import IndexQuery, PartitionQuery

_DIGEST_CHARACTERS = 16


def make_token(query: PartitionQuery | IndexQuery, place: tuple[str, ...]) -> str:
    """The token that continues ``query`` behind the row at ``place``."""
    raw = json.dumps([_digest(query, place), *place], separators=(",", ":"))
    return base64.urlsafe_b64encode(raw.encode()).decode().rstrip("=")


def read_token(query: PartitionQuery | IndexQuery) -> tuple[str, ...] | None:
    """The place where ``query`` continues, or None for its first page.

    Raises:
        InvalidInput: For ``next_token``, if this query did not make the token.
    """
    if query.token is None:
        return None
    try:
        parts = json.loads(base64.urlsafe_b64decode(query.token + "=" * (-len(query.token) % 4)))
        place = tuple(str(part) for part in parts[1:])
        "".join(place).encode()
    except (binascii.Error, ValueError, TypeError, LookupError, RecursionError) as error:
        raise InvalidInput("next_token", "this is not a token that a former page returned") from error
    if make_token(query, place) != query.token:
        raise InvalidInput("next_token", "the token belongs to another query; start again without it")
    return place


def _digest(query: PartitionQuery | IndexQuery, place: tuple[str, ...]) -> str:
    scope = ("", query.pk) if isinstance(query, PartitionQuery) else (query.index.value, query.hash)
    identity = json.dumps([scope, query.after, query.before, query.reverse, place])
    return hashlib.sha256(identity.encode()).hexdigest()[:_DIGEST_CHARACTERS]
