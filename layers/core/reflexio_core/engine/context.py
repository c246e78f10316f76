"""The engine: its ports and settings in one value, made once by the wiring of each way to run."""

from dataclasses import dataclass, field

from reflexio_core.engine.query_vectors import QueryVectors
from reflexio_core.keys import TenantKeys
from reflexio_core.ports.blobs import Blobs
from reflexio_core.ports.clock import Clock, Ids
from reflexio_core.ports.index import Index
from reflexio_core.ports.inference import Inference
from reflexio_core.ports.llm import Llm
from reflexio_core.ports.queue import Queue
from reflexio_core.ports.store import Store


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Settings of the process. Times in seconds.

    ``owner`` names this process in leases. With ``exclusive`` no other process can be at work on the same store, so
    a lease of another owner is a dead process's and is taken over at once.
    """

    owner: str
    exclusive: bool
    storage_type: str
    storage_label: str
    lease_seconds: float = 300.0
    embed_timeout_seconds: float = 10.0
    query_embed_timeout_seconds: float = 2.0
    wait_seconds: float = 25.0
    default_agent_version: str = "agent-v0"


@dataclass(frozen=True, slots=True)
class Engine:
    """The ports, wired."""

    store: Store
    blobs: Blobs
    queue: Queue
    index: Index
    inference: Inference
    llm: Llm
    clock: Clock
    ids: Ids
    settings: EngineSettings
    query_vectors: QueryVectors = field(default_factory=QueryVectors, compare=False)

    def keys(self, tenant: str) -> TenantKeys:
        """The constructor of this tenant's keys and queries."""
        return TenantKeys(tenant)
