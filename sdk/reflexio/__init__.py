"""Client for Reflexio, a self-improvement service for AI agents.

from reflexio import ReflexioClient

with ReflexioClient() as client:
    client.publish_interaction("alice", turns, session_id="s-1", session_finished=True)
    found = client.search(query="deployment region", user_id="alice")
"""

from typing import TYPE_CHECKING, Any

from reflexio._version import __version__

if TYPE_CHECKING:
    from reflexio._client import AsyncReflexioClient, ReflexioClient
    from reflexio._exceptions import (
        ApiError,
        AuthenticationError,
        ConflictError,
        InvalidArgument,
        NotFoundError,
        RateLimitError,
        ReflexioConnectionError,
        ReflexioError,
        ReflexioTimeoutError,
        ServerError,
        UnexpectedResponse,
        ValidationError,
    )
    from reflexio._retry import RetryPolicy
    from reflexio._session import AsyncSessionScopedClient, SessionScopedClient
    from reflexio.models.config import Config
    from reflexio.models.enums import (
        BlockingIssueKind,
        CitationKind,
        PlaybookStatus,
        ProfileTimeToLive,
        RetrievedLearningKind,
        SearchMode,
        Status,
        UserActionType,
    )
    from reflexio.models.interactions import (
        LearningStatusResponse,
        PublishUserInteractionRequest,
        PublishUserInteractionResponse,
        SearchInteractionRequest,
        SessionView,
    )
    from reflexio.models.playbook_rows import (
        AgentPlaybook,
        AgentPlaybookView,
        BlockingIssue,
        UserPlaybook,
        UserPlaybookView,
    )
    from reflexio.models.playbooks import SearchAgentPlaybookRequest, SearchUserPlaybookRequest
    from reflexio.models.profiles import ProfileView, SearchUserProfileRequest, UserProfile
    from reflexio.models.search import ConversationTurn, UnifiedSearchRequest, UnifiedSearchViewResponse
    from reflexio.models.turns import Citation, InteractionData, InteractionView, RetrievedLearning, ToolUsed

__all__ = [
    "AgentPlaybook",
    "AgentPlaybookView",
    "ApiError",
    "AsyncReflexioClient",
    "AsyncSessionScopedClient",
    "AuthenticationError",
    "BlockingIssue",
    "BlockingIssueKind",
    "Citation",
    "CitationKind",
    "Config",
    "ConflictError",
    "ConversationTurn",
    "InteractionData",
    "InteractionView",
    "InvalidArgument",
    "LearningStatusResponse",
    "NotFoundError",
    "PlaybookStatus",
    "ProfileTimeToLive",
    "ProfileView",
    "PublishUserInteractionRequest",
    "PublishUserInteractionResponse",
    "RateLimitError",
    "ReflexioClient",
    "ReflexioConnectionError",
    "ReflexioError",
    "ReflexioTimeoutError",
    "RetrievedLearning",
    "RetrievedLearningKind",
    "RetryPolicy",
    "SearchAgentPlaybookRequest",
    "SearchInteractionRequest",
    "SearchMode",
    "SearchUserPlaybookRequest",
    "SearchUserProfileRequest",
    "ServerError",
    "SessionScopedClient",
    "SessionView",
    "Status",
    "ToolUsed",
    "UnexpectedResponse",
    "UnifiedSearchRequest",
    "UnifiedSearchViewResponse",
    "UserActionType",
    "UserPlaybook",
    "UserPlaybookView",
    "UserProfile",
    "ValidationError",
    "__version__",
]

# The service imports the wire models alone, and a command line starts with neither models nor clients: each name is
# loaded when it is first asked for.
_HOMES = {
    "reflexio._client": (
        "AsyncReflexioClient",
        "ReflexioClient",
    ),
    "reflexio._exceptions": (
        "ApiError",
        "AuthenticationError",
        "ConflictError",
        "InvalidArgument",
        "NotFoundError",
        "RateLimitError",
        "ReflexioConnectionError",
        "ReflexioError",
        "ReflexioTimeoutError",
        "ServerError",
        "UnexpectedResponse",
        "ValidationError",
    ),
    "reflexio._retry": ("RetryPolicy",),
    "reflexio._session": (
        "AsyncSessionScopedClient",
        "SessionScopedClient",
    ),
    "reflexio.models.config": ("Config",),
    "reflexio.models.enums": (
        "BlockingIssueKind",
        "CitationKind",
        "PlaybookStatus",
        "ProfileTimeToLive",
        "RetrievedLearningKind",
        "SearchMode",
        "Status",
        "UserActionType",
    ),
    "reflexio.models.interactions": (
        "LearningStatusResponse",
        "PublishUserInteractionRequest",
        "PublishUserInteractionResponse",
        "SearchInteractionRequest",
        "SessionView",
    ),
    "reflexio.models.playbook_rows": (
        "AgentPlaybook",
        "AgentPlaybookView",
        "BlockingIssue",
        "UserPlaybook",
        "UserPlaybookView",
    ),
    "reflexio.models.playbooks": (
        "SearchAgentPlaybookRequest",
        "SearchUserPlaybookRequest",
    ),
    "reflexio.models.profiles": (
        "ProfileView",
        "SearchUserProfileRequest",
        "UserProfile",
    ),
    "reflexio.models.search": (
        "ConversationTurn",
        "UnifiedSearchRequest",
        "UnifiedSearchViewResponse",
    ),
    "reflexio.models.turns": (
        "Citation",
        "InteractionData",
        "InteractionView",
        "RetrievedLearning",
        "ToolUsed",
    ),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load an exported name from its module."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The exported names."""
    return sorted(__all__)
