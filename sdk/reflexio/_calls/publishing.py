"""Publishing conversations and following what is learned from them."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from reflexio._calls.call import Call, query_text, read_get, write
from reflexio._exceptions import InvalidArgument
from reflexio._retry import Repeatable
from reflexio.models.chat_messages import ROWS
from reflexio.models.experiments import Arm
from reflexio.models.interactions import (
    FinalizeSessionRequest,
    FinalizeSessionResponse,
    LearningStatusResponse,
    PublishUserInteractionResponse,
)
from reflexio.models.turns import InteractionData

DEFAULT_AGENT_VERSION = "agent-v0"


def publish_interaction(
    user_id: str,
    interactions: Sequence[InteractionData | Mapping[str, Any]],
    source: str = "",
    agent_version: str = DEFAULT_AGENT_VERSION,
    session_id: str | None = None,
    wait_for_response: bool = False,
    skip_aggregation: bool = False,
    force_extraction: bool = False,
    evaluation_only: bool = False,
    override_learning_stall: bool = False,
    retrieval_experiment_id: str | None = None,
    retrieval_experiment_arm: Arm | None = None,
    session_finished: bool = False,
    *,
    request_id: str | None = None,
    idempotency_key: str | None = None,
) -> Call[PublishUserInteractionResponse]:
    """Store turns of one user's session, to be learned from.

    Turns are ``InteractionData`` or dicts with its fields; the service ignores fields that it does not know and says
    so in ``warnings``. ``wait_for_response`` waits until learning is through or cannot go on without more turns.

    Safe to repeat: every call carries a key, and the service answers a key that it knows with its first answer.
    Retries inside this call use one key; pass ``idempotency_key`` to make calls of your own one and the same.

    Raises:
        InvalidArgument: ``session_id`` is missing or blank.
    """
    session = required_session(session_id)
    body = {
        "user_id": user_id,
        "session_id": session,
        "request_id": request_id,
        ROWS: [_turn(turn) for turn in interactions],
        "source": source,
        "agent_version": agent_version,
        "session_finished": session_finished,
        "skip_aggregation": skip_aggregation,
        "force_extraction": force_extraction,
        "evaluation_only": evaluation_only,
        "override_learning_stall": override_learning_stall,
        "retrieval_experiment_id": retrieval_experiment_id,
        "retrieval_experiment_arm": retrieval_experiment_arm,
    }
    return Call(
        "POST",
        "/api/publish_interaction",
        PublishUserInteractionResponse.model_validate,
        body={name: value for name, value in body.items() if value is not None},
        query=query_text({"wait_for_response": wait_for_response or None}),
        headers={"Idempotency-Key": idempotency_key or uuid4().hex},
        repeatable=Repeatable.ALWAYS,
    )


def finalize_session(user_id: str, session_id: str) -> Call[FinalizeSessionResponse]:
    """Say that a session is complete, so that learning from it need not wait for more turns."""
    request = FinalizeSessionRequest(user_id=user_id, session_id=session_id)
    return write("POST", "/api/finalize_session", request, FinalizeSessionResponse)


def finalize_bound_session(user_id: str, session_id: str = "") -> Call[FinalizeSessionResponse]:
    """Say that this session is complete, so that learning from it need not wait for more turns."""
    return finalize_session(user_id, session_id)


def learning_status(request_id: str) -> Call[LearningStatusResponse]:
    """How far learning from one publication is, why, and what it cost."""
    return read_get("/api/learning_status", LearningStatusResponse, request_id=request_id)


def get_learning_status(request_id: str) -> Call[str]:
    """How far learning from one publication is, as a word; ``learning_status`` also tells why,
    and the last ``error`` if learning is being tried again."""
    return Call(
        "GET",
        "/api/learning_status",
        lambda answer: LearningStatusResponse.model_validate(answer).status,
        query={"request_id": request_id},
    )


def required_session(session_id: str | None) -> str:
    """The session id without surrounding space.

    Raises:
        InvalidArgument: there is none.
    """
    session = (session_id or "").strip()
    if not session:
        raise InvalidArgument("session_id is required: it groups the turns of one conversation")
    return session


def _turn(turn: InteractionData | Mapping[str, Any]) -> Any:
    if isinstance(turn, BaseModel):
        return turn.model_dump(mode="json", exclude_none=True)
    return to_jsonable_python(dict(turn))
