"""The closed word lists of the wire."""

from enum import StrEnum, nonmember


class Status(StrEnum):
    """Where a learning stands in its life. A current one carries no status: null on the wire, ``CURRENT`` here."""

    CURRENT = nonmember(None)
    ARCHIVED = "archived"
    PENDING = "pending"
    ARCHIVE_IN_PROGRESS = "archive_in_progress"
    MERGED = "merged"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"


class PlaybookStatus(StrEnum):
    """A person's verdict on an agent playbook; searches serve approved ones only."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"


class ProfileTimeToLive(StrEnum):
    """How long a fact is expected to stay true: 1, 7, 30, 90 or 365 days, or for good."""

    ONE_DAY = "one_day"
    ONE_WEEK = "one_week"
    ONE_MONTH = "one_month"
    ONE_QUARTER = "one_quarter"
    ONE_YEAR = "one_year"
    INFINITY = "infinity"


class UserActionType(StrEnum):
    """What a user did in an interface, beside what was said."""

    CLICK = "click"
    SCROLL = "scroll"
    TYPE = "type"
    NONE = "none"


class SearchMode(StrEnum):
    """Which arms search: by meaning, by words, or both fused."""

    VECTOR = "vector"
    FTS = "fts"
    HYBRID = "hybrid"


class CitationKind(StrEnum):
    """What an agent's answer says that it used. ``playbook`` is the older word for either kind of playbook."""

    PLAYBOOK = "playbook"
    PROFILE = "profile"
    USER_PLAYBOOK = "user_playbook"
    AGENT_PLAYBOOK = "agent_playbook"


class RetrievedLearningKind(StrEnum):
    """The three kinds of learning that a search can hand to an agent."""

    PROFILE = "profile"
    USER_PLAYBOOK = "user_playbook"
    AGENT_PLAYBOOK = "agent_playbook"


class BlockingIssueKind(StrEnum):
    """Why an agent could not do what a playbook asks for."""

    MISSING_TOOL = "missing_tool"
    PERMISSION_DENIED = "permission_denied"
    EXTERNAL_DEPENDENCY = "external_dependency"
    POLICY_RESTRICTION = "policy_restriction"
