"""What is known of a user now, read from the store, and which of it a candidate may repeat, change or contradict."""

from collections.abc import Sequence
from dataclasses import dataclass

from reflexio.models.enums import PlaybookStatus
from reflexio_core.domain.likeness import overlap, statement, terms
from reflexio_core.domain.records import AgentPlaybookRecord, ProfileRecord, UserPlaybookRecord
from reflexio_core.engine.context import Engine
from reflexio_core.engine.learn.extraction import Cited
from reflexio_core.engine.requests import pages
from reflexio_core.errors import IndexUnavailable, InferenceUnavailable, ModelMismatch
from reflexio_core.ports.index import ArmQuery, DocKind
from reflexio_core.ports.inference import Vector
from reflexio_core.ports.store import Item
from reflexio_core.tasks.extract import PlaybookCandidate
from reflexio_core.tasks.transcript import LearningKind

LIKE_BY_WORDS = 0.33  # one word in three: "lives in Rome" and "now lives in Oslo" share little more
NEIGHBOURS_PER_CANDIDATE = 5
MOST_NEIGHBOURS = 10
_LATEST = 0.1  # below whatever words or meaning tell
_PAGE = 200
_SHARED = 100


@dataclass(frozen=True, slots=True)
class KnownRow:
    """A current learning with the item that it was read from."""

    kind: LearningKind
    record: ProfileRecord | UserPlaybookRecord
    item: Item

    @property
    def text(self) -> str:
        """What it says, with its trigger."""
        if isinstance(self.record, UserPlaybookRecord):
            return f"{self.record.trigger or ''} {self.record.content}".strip()
        return self.record.content

    @property
    def changed_at(self) -> int:
        """When it came to say that, in epoch seconds."""
        return self.record.last_modified_timestamp if isinstance(self.record, ProfileRecord) else self.record.created_at


def known_rows(engine: Engine, tenant: str, user: str) -> list[KnownRow]:
    """The user's current, unexpired profiles and current playbooks."""
    keys = engine.keys(tenant)
    now = engine.clock.now()
    rows: list[KnownRow] = []
    for item in pages(engine, keys.profiles(user, _PAGE)):
        profile = ProfileRecord.of(item)
        if profile.status is None and profile.expiration_timestamp > now:
            rows.append(KnownRow("profile", profile, item))
    for item in pages(engine, keys.user_playbooks(user, _PAGE)):
        playbook = UserPlaybookRecord.of(item)
        if playbook.status is None:
            rows.append(KnownRow("playbook", playbook, item))
    return rows


def stored_profiles(engine: Engine, tenant: str, user: str) -> list[Item]:
    """Every profile kept of the user, history included."""
    return list(pages(engine, engine.keys(tenant).profiles(user, _PAGE)))


def latest_profiles(rows: Sequence[KnownRow], limit: int = 5) -> list[str]:
    """Contents of the profiles changed last."""
    profiles = [row.record for row in rows if isinstance(row.record, ProfileRecord)]
    profiles.sort(key=lambda profile: (-profile.last_modified_timestamp, profile.profile_id))
    return [profile.content for profile in profiles[:limit]]


def served_texts(engine: Engine, tenant: str, rows: Sequence[KnownRow]) -> list[str]:
    """What the service may have told the agent: the user's learnings, and the newest lessons for everybody."""
    shared = engine.store.query(engine.keys(tenant).agent_playbooks(_SHARED)).items
    lessons = [AgentPlaybookRecord.of(item) for item in shared]
    approved = [lesson.content for lesson in lessons if lesson.playbook_status is PlaybookStatus.APPROVED]
    return [*(row.record.content for row in rows), *approved]


def repeated(cited: Cited, rows: Sequence[KnownRow]) -> KnownRow | None:
    """The known row that says to the letter what the candidate says, if there is one."""
    said = statement(candidate_text(cited))
    return next((row for row in rows if comparable(row, cited) and statement(row.text) == said), None)


def predecessors(engine: Engine, tenant: str, user: str, rows: Sequence[KnownRow]) -> list[Item]:
    """Rows of history that these replaced, directly or not."""
    profiles = [(ProfileRecord.of(item), item) for item in stored_profiles(engine, tenant, user)]
    successors = {wire_id(row) for row in rows}
    found: dict[str, Item] = {}
    while True:
        more = {
            profile.profile_id: item
            for profile, item in profiles
            if profile.superseded_by in successors and profile.profile_id not in found
        }
        if not more:
            return list(found.values())
        found |= more
        successors |= more.keys()


def neighbours(
    engine: Engine, tenant: str, user: str, candidates: Sequence[Cited], rows: Sequence[KnownRow]
) -> list[KnownRow]:
    """Known rows close to any candidate of their kind, closest first: by words from the store, by meaning from the
    index. Where that cannot be told, the latest rows take the places that are left: what contradicts a row need share
    no word with it. Playbooks of other agent versions are none."""
    near: dict[int, float] = {}
    vectors = _vectors(engine, candidates)
    for position, candidate in enumerate(candidates):
        pool = [(number, row) for number, row in enumerate(rows) if comparable(row, candidate)]
        told = _by_meaning(engine, tenant, user, candidate, vectors[position] if vectors else None)
        by_meaning = told or {}
        wanted = terms(candidate_text(candidate))
        scored = []
        for number, row in pool:
            by_words = overlap(wanted, terms(row.text))
            score = max(by_words if by_words >= LIKE_BY_WORDS else 0.0, by_meaning.get(wire_id(row), 0.0))
            if score:
                scored.append((score, number))
        if told is None:
            known = {number for _, number in scored}
            rest = [number for number, _ in pool if number not in known]
            scored += [(_LATEST / age, number) for age, number in enumerate(_latest_first(rows, rest), start=1)]
        for score, number in sorted(scored, reverse=True)[:NEIGHBOURS_PER_CANDIDATE]:
            near[number] = max(near.get(number, 0.0), score)
    closest = sorted(near, key=lambda number: (-near[number], number))[:MOST_NEIGHBOURS]
    return [rows[number] for number in closest]


def candidate_text(cited: Cited) -> str:
    """What a candidate says, with its trigger."""
    if isinstance(cited.candidate, PlaybookCandidate):
        return f"{cited.candidate.trigger} {cited.candidate.content}"
    return cited.candidate.content


def comparable(row: KnownRow, cited: Cited) -> bool:
    """Whether a candidate may repeat or change the row: of its kind and, for lessons, of its agent version."""
    if isinstance(row.record, UserPlaybookRecord):
        return cited.kind == "playbook" and row.record.agent_version == cited.request.agent_version
    return cited.kind == "profile"


def wire_id(row: KnownRow) -> str:
    """The wire's id of a known row, as text."""
    if isinstance(row.record, ProfileRecord):
        return row.record.profile_id
    return str(row.record.user_playbook_id)


def _vectors(engine: Engine, candidates: Sequence[Cited]) -> list[Vector]:
    """Embeddings of the candidates, or none when the embedder cannot answer: words alone decide then."""
    texts = [
        cited.candidate.trigger if isinstance(cited.candidate, PlaybookCandidate) else cited.candidate.content
        for cited in candidates
    ]
    try:
        return engine.inference.embed(texts, "document", engine.settings.embed_timeout_seconds)
    except InferenceUnavailable:
        return []


def _latest_first(rows: Sequence[KnownRow], numbers: Sequence[int]) -> list[int]:
    return sorted(numbers, key=lambda number: (-rows[number].changed_at, number))


def _by_meaning(engine: Engine, tenant: str, user: str, cited: Cited, vector: Vector | None) -> dict[str, float] | None:
    """Cosines of the rows that are close, by id; None if nobody can tell."""
    if vector is None:
        return None
    kind = DocKind.PROFILE if cited.kind == "profile" else DocKind.USER_PLAYBOOK
    where = engine.keys(tenant).index_filter(kind, int(engine.clock.now()), user=user, equals={"status": "current"})
    query = ArmQuery(where, None, vector, engine.inference.contract.similarity_floor, NEIGHBOURS_PER_CANDIDATE)
    try:
        [result] = engine.index.search([query])
    except (IndexUnavailable, ModelMismatch):
        return None
    name = "profile_id" if kind is DocKind.PROFILE else "user_playbook_id"
    return {str(hit.payload[name]): hit.score for hit in result.vector}
