"""A window as the language model sees it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from reflexio.models.enums import UserActionType
from reflexio_core.domain.likeness import folded, statement
from reflexio_core.domain.records import RequestRecord, StoredTurn, Window
from reflexio_core.tasks.transcript import ToolCall, Turn

TURN_CHARACTERS = 6_000
WINDOW_CHARACTERS = 60_000
_LEAST_TURN_CHARACTERS = 600
_LEAST_QUOTED = 12  # shorter learnings occur by chance


@dataclass(frozen=True, slots=True)
class CitedTurn:
    """A turn of the window with what stands behind its label."""

    shown: Turn
    stored: StoredTurn
    request: RequestRecord


def transcript(
    window: Window, requests: Sequence[RequestRecord], served: Sequence[str]
) -> tuple[CitedTurn, ...] | None:
    """The window's turns, labelled T1..Tn. None if one of them is gone.

    ``served`` are texts that the service may have given to the agent; where a turn that is not the user's repeats
    one, it is marked as quoted.
    """
    by_seq = {turn.seq: (turn, request) for request in requests for turn in request.turns}
    if any(seq not in by_seq for seq in window.manifest):
        return None
    limit = max(_LEAST_TURN_CHARACTERS, min(TURN_CHARACTERS, WINDOW_CHARACTERS // len(window.manifest)))
    turns = []
    for number, seq in enumerate(window.manifest, start=1):
        stored, request = by_seq[seq]
        turns.append(CitedTurn(_shown(f"T{number}", stored, request, window, limit, served), stored, request))
    return tuple(turns)


def shortened(text: str, limit: int) -> str:
    """The text, or its head and tail with a visible mark between them."""
    if len(text) <= limit:
        return text
    kept = limit // 2
    return f"{text[:kept]}\n[... {len(text) - 2 * kept} characters left out ...]\n{text[-kept:]}"


def _shown(
    label: str, stored: StoredTurn, request: RequestRecord, window: Window, limit: int, served: Sequence[str]
) -> Turn:
    data = stored.data
    text = shortened(data.content, limit)
    turn = Turn(
        label=label,
        role=data.role,
        text=text,
        time=_local_time(data.created_at, data.utc_offset_minutes),
        session=request.session_id,
        new=stored.seq >= window.new_from,
        action=_action(stored),
        tools=tuple(ToolCall(name=tool.tool_name, data=tool.tool_data, status=tool.status) for tool in data.tools_used),
        expert_text=shortened(data.expert_content, limit),
    )
    if turn.is_user:
        return turn
    spoken = folded(text)
    quoted = tuple(content for content in served if len(content) >= _LEAST_QUOTED and statement(content) in spoken)
    return turn.model_copy(update={"quoted": quoted})


def _action(stored: StoredTurn) -> str:
    data = stored.data
    if data.user_action is UserActionType.NONE:
        return ""
    return f"{data.user_action.value}: {data.user_action_description}"


def _local_time(epoch: int, offset_minutes: int | None) -> str:
    zone = timezone(timedelta(minutes=offset_minutes or 0))
    return datetime.fromtimestamp(epoch, tz=zone).isoformat()
