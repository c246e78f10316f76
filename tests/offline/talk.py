"""Write a conversation down in one line a turn."""

from typing import Any

from reflexio_core.tasks.extract import ExtractOutput
from reflexio_core.tasks.transcript import Turn
from tests.offline.memory import extract

ROLES = {"u": "user", "a": "assistant"}
TIME = "2026-03-04T21:30:00-05:00"  # a Wednesday evening in New York, Thursday in UTC


def turns(*lines: str, **changes: Any) -> tuple[Turn, ...]:
    """``"u: hello"`` and ``"a: hi"`` as a window; ``changes`` apply to the last turn."""
    window = [
        Turn(label=f"T{number}", role=ROLES[line[0]], text=line[3:], time=TIME, session="s")
        for number, line in enumerate(lines, start=1)
    ]
    return (*window[:-1], window[-1].model_copy(update=changes))


def learned(*lines: str, **changes: Any) -> ExtractOutput:
    """What is learned from a conversation."""
    return extract(turns(*lines, **changes))


def facts(*lines: str, **changes: Any) -> list[str]:
    """Contents of the profiles learned."""
    return [fact.content for fact in learned(*lines, **changes).profiles]


def lessons(*lines: str, **changes: Any) -> list[str]:
    """Trigger and content of the playbooks learned."""
    return [f"{lesson.trigger}: {lesson.content}" for lesson in learned(*lines, **changes).playbooks]
