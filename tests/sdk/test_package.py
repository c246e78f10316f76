"""What ``import reflexio`` gives, and what it costs."""

import importlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import reflexio

EXPORTS = [
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

HEAVY = ("typer", "rich", "click", "httpx", "asyncio", "reflexio_core", "numpy", "fastapi")
CPU_SECONDS = 0.25

MEASURE = """
import json, sys, time
before = time.process_time()
import reflexio
spent = time.process_time() - before
bare = sorted(set(HEAVY) & set(sys.modules))
from reflexio import AsyncReflexioClient, ReflexioClient, Config, UnifiedSearchRequest
named = sorted(set(HEAVY) & set(sys.modules))
print(json.dumps({"spent": spent, "bare": bare, "named": named}))
"""


def test_the_package_exports_exactly_this() -> None:
    assert sorted(reflexio.__all__) == sorted(EXPORTS)
    assert dir(reflexio) == sorted(EXPORTS)


def test_every_export_can_be_loaded_and_is_what_its_module_has() -> None:
    for module, names in reflexio._HOMES.items():
        for name in names:
            assert getattr(reflexio, name) is getattr(importlib.import_module(module), name)
    assert {name for names in reflexio._HOMES.values() for name in names} | {"__version__"} == set(EXPORTS)


def test_a_name_that_is_not_exported_is_an_attribute_error() -> None:
    assert not hasattr(reflexio, "Nonsense")


def test_importing_is_cheap_and_brings_nothing_heavy() -> None:
    program = f"HEAVY = {HEAVY!r}\n{MEASURE}"
    runs = [
        json.loads(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout)
        for _ in range(2)  # the first may have to write bytecode
    ]
    assert runs[1]["bare"] == []
    assert runs[1]["named"] == []
    assert min(run["spent"] for run in runs) < CPU_SECONDS


def test_the_version_is_the_distributions() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "sdk" / "pyproject.toml").read_text())["project"]
    assert reflexio.__version__ == project["version"]
