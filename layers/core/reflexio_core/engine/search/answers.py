"""Bodies of search answers, and the sentences that say what was not searched or not applied."""

from collections.abc import Iterable
from typing import Any

from reflexio_core.engine.search.arms import EMBEDDINGS, Findings
from reflexio_core.engine.search.served import SESSION, SessionMemory
from reflexio_core.ports.index import Hit

Body = dict[str, Any]

MOST_ROWS = 1_000
"""Rows of each kind in one answer: a search answers a question, and listings page through everything."""

NO_USER = "needs user_id: profiles and user playbooks belong to one user; listings cover all users"
OPTED_OUT = "the query asks not to use what is known about the user: profiles and user playbooks were left out"
NO_REFORMULATION = "queries are not reformulated: the query was searched as sent"
NO_ANSWER = "enable_agent_answer has no effect: a search returns learnings and writes no answer"


def views(hits: Iterable[Hit]) -> list[Body]:
    """Payloads as the wire shows them; what begins with an underscore is the index's own."""
    return [{name: value for name, value in hit.payload.items() if name[0] != "_"} for hit in hits]


def row_count(top_k: int | None, default: int, notes: list[str]) -> int:
    """How many rows to return; says in ``notes`` if that is fewer than asked for."""
    if top_k is not None and top_k > MOST_ROWS:
        notes.append(f"a search returns at most {MOST_ROWS} rows of a kind; listings page through all")
        return MOST_ROWS
    return top_k or default


def finish(body: Body, findings: Findings, memory: SessionMemory, notes: list[str]) -> Body:
    """The body with what degraded and with a message, if there is something to say."""
    parts = [EMBEDDINGS] if findings.missing else []
    if findings.missing:
        notes.append(f"searched by words only: {findings.missing}")
    if not memory.works:
        parts.append(SESSION)
        notes.append("what the session was given before cannot be read or remembered: rows may repeat")
    body["degraded"] = bool(parts)
    body["degraded_parts"] = parts
    if notes:
        body["msg"] = "; ".join(notes)
    return body
