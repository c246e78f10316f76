"""Short forms of searches and of what they found."""

from typing import Any

from reflexio.models.interactions import SearchInteractionRequest
from reflexio.models.playbooks import SearchAgentPlaybookRequest, SearchUserPlaybookRequest
from reflexio.models.profiles import SearchUserProfileRequest
from reflexio.models.search import UnifiedSearchRequest
from reflexio_core.engine import search
from reflexio_core.engine.context import Engine
from tests.doubles.engine import TENANT

Body = dict[str, Any]

KINDS = ("profiles", "user_playbooks", "agent_playbooks")


def unified(engine: Engine, query: str, *, user_id: str | None = "ann", tenant: str = TENANT, **fields: Any) -> Body:
    """A search over all kinds."""
    return search.unified(engine, tenant, UnifiedSearchRequest(query=query, user_id=user_id, **fields))


def profiles(engine: Engine, query: str | None = None, *, tenant: str = TENANT, **fields: Any) -> Body:
    """A search for facts of ``ann``."""
    return search.profiles(engine, tenant, SearchUserProfileRequest(query=query, **{"user_id": "ann", **fields}))


def user_playbooks(engine: Engine, query: str | None = None, **fields: Any) -> Body:
    """A search for user playbooks of ``ann``."""
    return search.user_playbooks(engine, TENANT, SearchUserPlaybookRequest(query=query, **{"user_id": "ann", **fields}))


def agent_playbooks(engine: Engine, query: str | None = None, **fields: Any) -> Body:
    """A search for agent playbooks."""
    return search.agent_playbooks(engine, TENANT, SearchAgentPlaybookRequest(query=query, **fields))


def interactions(engine: Engine, query: str | None = None, **fields: Any) -> Body:
    """A search for turns of ``ann``."""
    return search.interactions(engine, TENANT, SearchInteractionRequest(query=query, **{"user_id": "ann", **fields}))


def ids(body: Body) -> list[Any]:
    """Ids of all rows of an answer, kind by kind, or the contents of turns."""
    found: list[Any] = [row["profile_id"] for row in (*body.get("profiles", ()), *body.get("user_profiles", ()))]
    found += [row["user_playbook_id"] for row in body.get("user_playbooks", ())]
    found += [row["agent_playbook_id"] for row in body.get("agent_playbooks", ())]
    return found + [row["content"] for row in body.get("interactions", ())]
