"""The application over a real SQLite engine with the offline rules; one call a verb."""

from pathlib import Path
from typing import Any

import httpx
from anyio.from_thread import BlockingPortal

from reflexio_core.adapters.offline import OfflineLlm
from reflexio_core.adapters.sqlite import SqliteStore
from reflexio_core.adapters.sqlite_index import SqliteIndex
from reflexio_core.api.app import create_app
from reflexio_core.api.settings import AccessSettings
from reflexio_core.engine.context import Engine
from reflexio_core.engine.projection import catch_up
from tests.api.in_process import InProcess
from tests.doubles.engine import make_engine
from tests.engine.learning.conversations import learn_what_is_due
from tests.faults.words import WordInference

Row = dict[str, Any]


class World:
    """A service of one tenant on a folder. Learning happens when ``learn`` is called."""

    def __init__(self, folder: Path, portal: BlockingPortal, tenant: str = "acme", **parts: Any) -> None:
        inference = parts.pop("inference", None) or WordInference()
        self.store = parts.pop("store", None) or SqliteStore(folder / "record.db")
        self.index = SqliteIndex(folder / "record.db")
        self.index.prepare(inference.contract)
        self.engine: Engine = make_engine(
            store=self.store, index=self.index, inference=inference, **{"llm": OfflineLlm(), **parts}
        )
        self.portal = portal
        self.client = self.of_tenant(tenant)

    def of_tenant(self, tenant: str) -> InProcess:
        """A client of another tenant of the same service."""
        return InProcess(create_app(self.engine, AccessSettings(tenant=tenant)), self.portal)

    def close(self) -> None:
        """Give the files back."""
        self.index.close()
        self.store.close()

    def call(self, method: str, path: str, body: Row | None = None) -> Row:
        """One call that must succeed."""
        response = self.client.request(method, f"/api/{path}", json=body)
        assert response.status_code == 200, response.text
        return response.json()

    def try_publish(
        self, user: str, *turns: str | Row, client: InProcess | None = None, **fields: Any
    ) -> httpx.Response:
        """Publish a finished session; a text is a user's turn, and one that begins with ``agent:`` the agent's."""
        body = {
            "user_id": user,
            "session_id": f"session-of-{user}",
            "session_finished": True,
            "interaction_data_list": [_turn(turn) for turn in turns],
            **fields,
        }
        return (client or self.client).post("/api/publish_interaction", json=body)

    def publish(self, user: str, *turns: str | Row, **fields: Any) -> Row:
        """Publish; it must be accepted."""
        response = self.try_publish(user, *turns, **fields)
        assert response.status_code == 200, response.text
        assert response.json()["success"], response.text
        return response.json()

    def learn(self) -> None:
        """Let everything due happen, and search see it. Later calls are a minute later."""
        for _ in range(20):
            if not learn_what_is_due(self.engine):
                break
        catch_up(self.engine)
        self.engine.clock.sleep(60)

    def tell(self, user: str, *turns: str | Row, **fields: Any) -> Row:
        """Publish and learn."""
        answer = self.publish(user, *turns, **fields)
        self.learn()
        return answer

    def facts(self, user: str, **filters: Any) -> list[Row]:
        """Current facts as listed."""
        return self.call("POST", "get_profiles", {"user_id": user, "top_k": 100, **filters})["user_profiles"]

    def lessons(self, user: str) -> list[Row]:
        """Current lessons as listed."""
        return self.call("POST", "get_user_playbooks", {"user_id": user})["user_playbooks"]

    def turns(self, user: str) -> list[Row]:
        """Turns as listed."""
        return self.call("POST", "get_interactions", {"user_id": user, "top_k": 100})["interactions"]

    def said(self, user: str) -> list[str]:
        """What the current facts say."""
        return [fact["content"] for fact in self.facts(user)]

    def search(self, user: str, query: str, **fields: Any) -> Row:
        """Unified search."""
        return self.call("POST", "search", {"user_id": user, "query": query, **fields})

    def found(self, user: str, query: str, **fields: Any) -> list[str]:
        """Contents of all that unified search finds."""
        answer = self.search(user, query, **fields)
        kinds = ("profiles", "user_playbooks", "agent_playbooks")
        return [row["content"] for kind in kinds for row in answer[kind]]


def _turn(turn: str | Row) -> Row:
    if isinstance(turn, dict):
        return turn
    if turn.startswith("agent: "):
        return {"role": "assistant", "content": turn.removeprefix("agent: ")}
    return {"role": "user", "content": turn}
