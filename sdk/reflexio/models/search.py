"""TODO-DOC"""

from typing import Literal

from pydantic import Field

from reflexio.models.base import SourceLabel, WireModel
from reflexio.models.enums import PlaybookStatus, SearchMode
from reflexio.models.experiments import RetrievalExperimentAssignment
from reflexio.models.playbooks import AgentPlaybookView, UserPlaybookView
from reflexio.models.profiles import ProfileView


class ConversationTurn(WireModel):
    """TODO-DOC"""

    content: str
    role: str


class UnifiedSearchRequest(WireModel):
    """TODO-DOC"""

    query: str
    agent_playbook_status_filter: list[PlaybookStatus] | None = None
    agent_version: str | None = None
    conversation_history: list[ConversationTurn] | None = None
    enable_agent_answer: bool | None = False
    enable_reformulation: bool | None = False
    entity_types: list[Literal["profiles", "user_playbooks", "agent_playbooks"]] | None = None
    interaction_id: int | None = Field(default=None, gt=0)
    playbook_name: str | None = None
    request_id: str | None = Field(default=None, max_length=255)
    search_mode: SearchMode = SearchMode.HYBRID
    session_id: str | None = Field(default=None, max_length=255)
    source: SourceLabel | None = None
    tags: list[str] | None = None
    threshold: float | None = Field(default=None, ge=0.0, le=1.0)
    top_k: int | None = Field(default=5, le=100, gt=0)
    user_id: str | None = Field(default=None, max_length=255)


class UnifiedSearchViewResponse(WireModel):
    """TODO-DOC"""

    success: bool
    agent_playbooks: list[AgentPlaybookView] = Field(default_factory=list)
    agent_trace: str | None = None
    degraded: bool = False
    experiment: RetrievalExperimentAssignment | None = None
    msg: str | None = None
    profiles: list[ProfileView] = Field(default_factory=list)
    reformulated_query: str | None = None
    rehydrated_text: str | None = None
    search_mode_effective: str | None = None
    user_playbooks: list[UserPlaybookView] = Field(default_factory=list)
