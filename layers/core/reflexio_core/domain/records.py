"""Records as the store holds them. Bodies leave defaults out, so that a small request stays a small item."""

from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, field_serializer

from reflexio.models.base import NEVER_EXPIRES
from reflexio.models.enums import PlaybookStatus, ProfileTimeToLive, Status
from reflexio.models.interactions import InteractionData
from reflexio.models.playbooks import BlockingIssue
from reflexio_core.ports.store import Item, JsonObject
from reflexio_core.tasks.transcript import LearningKind

KINDS: tuple[LearningKind, ...] = ("profile", "playbook")


class Record(BaseModel):
    """Base of stored records: immutable, written without defaults, read leniently."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    def body(self) -> JsonObject:
        """The JSON object to store."""
        return self.model_dump(mode="json", exclude_defaults=True)

    @classmethod
    def of(cls, item: Item) -> Self:
        """The record that an item holds."""
        return cls.model_validate(item.body)


class KindPolicy(Record):
    """What was decided for one kind of learning when a request was admitted."""

    eligible: bool = True
    window_size: int = 10
    stride_size: int = 8
    skip_gate: bool = False


class AdmissionPolicy(Record):
    """Frozen at publication; later changes of the configuration do not touch it. 0 seconds: never idle."""

    config_version: int = 0
    idle_timeout_seconds: int = 21_600
    profile: KindPolicy = KindPolicy()
    playbook: KindPolicy = KindPolicy()

    def of_kind(self, kind: LearningKind) -> KindPolicy:
        """The policy of one kind."""
        return self.profile if kind == "profile" else self.playbook


class StoredTurn(Record):
    """One interaction. ``seq`` counts the user's turns in arrival order from 1."""

    interaction_id: int
    seq: int
    data: InteractionData

    @field_serializer("data", mode="wrap")
    def _with_its_time(self, data: InteractionData, write: SerializerFunctionWrapHandler) -> JsonObject:
        # The time's default is the moment of writing: left out like other defaults, it would become that of reading.
        return {**write(data), "created_at": data.created_at}


class RequestRecord(Record):
    """A publication with its turns inside, or in the blob of that name when they do not fit the item.

    ``last_seq`` is the arrival number of the last turn as published; deleted turns (``gone``) leave a gap. The
    interaction ids count up with the arrival numbers from ``first_interaction_id``.
    """

    request_id: str
    user_id: str
    session_id: str
    created_at: int
    admitted_at: float
    first_seq: int
    last_seq: int
    first_interaction_id: int
    source: str = ""
    agent_version: str = ""
    force: bool = False
    finished: bool = False
    skip_aggregation: bool = False
    evaluation_only: bool = False
    policy: AdmissionPolicy = AdmissionPolicy()
    turns: tuple[StoredTurn, ...] = ()
    blob: str = ""
    stale_blob: str = ""  # the turns before some were erased: to be deleted, also by a repetition
    gone: tuple[int, ...] = ()

    def seqs(self) -> tuple[int, ...]:
        """Arrival numbers of the turns that are still there."""
        return tuple(seq for seq in range(self.first_seq, self.last_seq + 1) if seq not in self.gone)

    def interaction_id(self, seq: int) -> int:
        """The wire's id of a turn."""
        return self.first_interaction_id + seq - self.first_seq


class RequestPointer(Record):
    """From a request id to its place. ``fingerprint`` is the digest of the body, to tell a retry from a reuse;
    ``warnings`` and ``reason`` are those of the first answer, which a retry gets again."""

    user_id: str
    first_seq: int
    fingerprint: str
    warnings: tuple[str, ...] = ()
    reason: str = "waiting_for_window"


class UserPointer(Record):
    """From a learning's id to its user."""

    user_id: str


class Erasure(Record):
    """A deletion that was decided and may not be finished. Running it again is harmless.

    ``scope`` ``user`` takes everything up to ``through_seq`` and the learnings of earlier generations; ``requests``
    takes the requests with these ``first_seqs`` whole; ``turns`` takes single turns by ``seqs``.
    """

    scope: Literal["user", "requests", "turns"]
    generation: int
    through_seq: int = 0
    first_seqs: tuple[int, ...] = ()
    seqs: tuple[int, ...] = ()


class StreamHead(Record):
    """A user's stream, and the work there is on it.

    ``generation`` grows with every erasure and fences whatever was read before it. ``due_at`` 0 means nothing to do;
    while a lease is held it is the lease's end, so that the work of the dead is found. ``full_at`` is per kind the
    arrival number at which the turns that wait may fill a window. ``erasures`` come before any learning.
    """

    tenant: str
    user_id: str
    highwater: int = 0
    last_interaction_id: int = 0
    generation: int = 0
    last_forced: dict[str, int] = Field(default_factory=dict)  # per kind: last turn of the latest forced request
    full_at: dict[str, int] = Field(default_factory=dict)
    due_at: float = 0.0
    lease: str = ""
    lease_owner: str = ""
    lease_until: float = 0.0
    erasures: tuple[Erasure, ...] = ()


class Window(Record):
    """A selected stretch of a user's stream. ``manifest`` are the arrival numbers, context first; ``new_from`` is the
    first of those that no earlier window has judged."""

    window_id: str
    kind: LearningKind
    generation: int
    manifest: tuple[int, ...]
    new_from: int
    end_seq: int
    prepared_at: float
    forced: bool = False
    skip_aggregation: bool = False


class Cursor(Record):
    """How far one kind of learning has come. After a failure it waits for ``retry_at``."""

    completed_seq: int = 0
    window: Window | None = None
    attempts: int = 0
    retry_at: float = 0.0
    last_error: str = ""
    spent: dict[str, int] = Field(default_factory=dict)  # usage of failed attempts at the window in hand


class CompletedWindow(Record):
    """What a window came to. Holds no content."""

    window: Window
    completed_at: float
    useful: bool = True
    learned: tuple[str, ...] = ()
    model: str = ""
    prompt_version: str = ""
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    dropped: int = 0
    shared_call: bool = False


class Provenance(Record):
    """Where a learning comes from. ``interaction_ids`` are the turns that say it, of its own window and of later
    ones that repeat it; ``inherited`` those of rows that it replaced. ``replaced`` are their ids. ``said_at`` is when
    the latest cited turn was said, in epoch seconds; 0 when unknown."""

    window_id: str = ""
    interaction_ids: tuple[int, ...] = ()
    inherited: tuple[int, ...] = ()
    model: str = ""
    prompt_version: str = ""
    replaced: tuple[str, ...] = ()
    said_at: int = 0


class ProfileRecord(Record):
    """A fact about a user. ``status`` None is current."""

    profile_id: str
    user_id: str
    content: str
    created_at: int
    last_modified_timestamp: int
    generated_from_request_id: str = ""
    profile_time_to_live: ProfileTimeToLive = ProfileTimeToLive.INFINITY
    expiration_timestamp: int = NEVER_EXPIRES
    custom_features: dict[str, Any] | None = None
    source: str = ""
    status: Status | None = None
    extractor_names: list[str] | None = None
    expanded_terms: str | None = None
    tags: list[str] | None = None
    source_span: str | None = None
    notes: str | None = None
    reader_angle: str | None = None
    merged_into: str | None = None
    superseded_by: str | None = None
    generation: int = 0
    provenance: Provenance = Provenance()


class UserPlaybookRecord(Record):
    """A lesson learned from one user. ``status`` None is current."""

    user_playbook_id: int
    user_id: str
    agent_version: str
    request_id: str
    created_at: int
    playbook_name: str = ""
    content: str = ""
    trigger: str | None = None
    rationale: str | None = None
    pitfall: str | None = None
    blocking_issue: BlockingIssue | None = None
    status: Status | None = None
    source: str = ""
    source_span: str | None = None
    expanded_terms: str | None = None
    tags: list[str] | None = None
    notes: str | None = None
    reader_angle: str | None = None
    merged_into: int | None = None
    superseded_by: int | None = None
    skip_aggregation: bool = False
    generation: int = 0
    provenance: Provenance = Provenance()


class AgentPlaybookRecord(Record):
    """A lesson for every user of an agent version. Served only once a person has approved it."""

    agent_playbook_id: int
    agent_version: str
    content: str
    created_at: int
    playbook_name: str = ""
    trigger: str | None = None
    rationale: str | None = None
    pitfall: str | None = None
    blocking_issue: BlockingIssue | None = None
    playbook_status: PlaybookStatus = PlaybookStatus.PENDING
    playbook_metadata: str = ""
    expanded_terms: str | None = None
    tags: list[str] | None = None
    status: Status | None = None
    merged_into: int | None = None
    superseded_by: int | None = None
    source_user_playbook_ids: tuple[int, ...] = ()
