"""One search for all three kinds of learning."""

from typing import Literal

from pydantic import Field, field_validator

from reflexio.models.base import MAX_QUERY_CHARACTERS, Reply, SourceLabel, WireModel
from reflexio.models.enums import PlaybookStatus, SearchMode
from reflexio.models.experiments import RetrievalExperimentAssignment
from reflexio.models.identifiers import ExistingRowId, Identifier, Label
from reflexio.models.playbook_rows import AgentPlaybookView, UserPlaybookView
from reflexio.models.profiles import ProfileView
from reflexio.models.text import Text

EntityType = Literal["profiles", "user_playbooks", "agent_playbooks"]


class ConversationTurn(WireModel):
    """An earlier turn, to make sense of a query such as "and for staging?"."""

    role: Text
    content: Text


class UnifiedSearchRequest(WireModel):
    """What an agent asks before it answers: the best learnings of each kind, ``top_k`` of each.

    Profiles and user playbooks belong to ``user_id``. ``session_id`` leaves out what this session has been given
    before. Agent playbooks are approved ones unless ``agent_playbook_status_filter`` names others.
    """

    query: Text = Field(max_length=MAX_QUERY_CHARACTERS)
    user_id: Identifier | None = Field(default=None, max_length=512)
    session_id: Identifier | None = Field(default=None, max_length=512)
    request_id: Identifier | None = Field(default=None, max_length=512)
    interaction_id: ExistingRowId | None = None
    top_k: int | None = Field(default=5, gt=0, le=100)
    threshold: float | None = Field(default=None, ge=0.0, le=1.0)
    search_mode: SearchMode = SearchMode.HYBRID
    entity_types: list[EntityType] | None = None
    agent_version: Label | None = None
    playbook_name: Text | None = None
    source: SourceLabel | None = None
    tags: list[Text] | None = None
    agent_playbook_status_filter: list[PlaybookStatus] | None = None
    conversation_history: list[ConversationTurn] | None = None
    enable_reformulation: bool | None = False
    enable_agent_answer: bool | None = False

    @field_validator("query")
    @classmethod
    def _not_blank(cls, query: str) -> str:
        if not query.strip():
            raise ValueError("the query must not be blank")
        return query


class UnifiedSearchViewResponse(Reply):
    """The best learnings of each kind.

    ``degraded`` is true when a part could not search, ``degraded_parts`` names the parts, and
    ``search_mode_effective`` says how the rest searched.
    """

    profiles: list[ProfileView] = Field(default=[])
    user_playbooks: list[UserPlaybookView] = Field(default=[])
    agent_playbooks: list[AgentPlaybookView] = Field(default=[])
    degraded: bool = False
    degraded_parts: list[str] = Field(default_factory=list)
    search_mode_effective: str | None = None
    reformulated_query: str | None = None
    experiment: RetrievalExperimentAssignment | None = None
    msg: str | None = None
    agent_trace: str | None = None
    rehydrated_text: str | None = None
