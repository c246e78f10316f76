"""``reflexio publish``: store a conversation, and with ``--wait`` learn from it at once."""

import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from reflexio.cli.command import command
from reflexio.cli.conversation import Batch, Conversation, read_file, read_json, read_stdin
from reflexio.cli.failures import BadInput, CommandFailed
from reflexio.cli.learned import Learned, learned_from
from reflexio.cli.session import Session, user_or_default

SOURCE = "cli"
WAIT_SECONDS = 120.0
_POLL_SECONDS = 0.5
_STILL_WORKING = frozenset({"queued", "extracting", "retrying", "wait_timeout", "waiter_capacity"})


@dataclass(frozen=True, slots=True)
class _Asked:
    """The options, for every conversation of a batch."""

    user_id: str | None
    session_id: str | None
    source: str | None
    agent_version: str | None
    wait: bool
    keep_open: bool
    force: bool
    evaluation_only: bool


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "publish")(publish)


def publish(
    session: Session,
    data: Annotated[str | None, typer.Argument(help="A conversation as JSON: a list of turns, or an object.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read a .json or .jsonl file.")] = None,
    stdin: Annotated[bool, typer.Option("--stdin", help="Read JSON from standard input.")] = False,
    user_message: Annotated[str | None, typer.Option(help="What the user said: a conversation of two turns.")] = None,
    agent_response: Annotated[str | None, typer.Option(help="What the agent answered.")] = None,
    user_id: Annotated[str | None, typer.Option(help="Whose conversation; else REFLEXIO_USER_ID.")] = None,
    session_id: Annotated[str | None, typer.Option(help="Which session; a new one unless given.")] = None,
    source: Annotated[str | None, typer.Option(help=f"Where it comes from; '{SOURCE}' unless given.")] = None,
    agent_version: Annotated[str | None, typer.Option(help="Version of the agent that took part.")] = None,
    wait: Annotated[bool, typer.Option("--wait", help="Say that it is complete, learn now, show what.")] = False,
    keep_open: Annotated[bool, typer.Option("--keep-open", help="With --wait: more turns will follow.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Learn even if it looks useless or incomplete.")] = False,
    evaluation_only: Annotated[bool, typer.Option("--evaluation-only", help="Never learn from it.")] = False,
) -> None:
    """Store a conversation to learn from.

    Example: reflexio publish --wait '[{"role": "user", "content": "Never deploy on Fridays."}]'
    """
    batch = _read(data, file, stdin, user_message, agent_response)
    asked = _Asked(user_id, session_id, source, agent_version, wait, keep_open, force, evaluation_only)
    results: list[dict[str, Any]] = []
    texts: list[str] = []
    for number, conversation in enumerate(batch.conversations, 1):
        if not batch.single:
            session.output.notice(f"publishing conversation {number} of {len(batch.conversations)}")
        try:
            result, learned = _publish_one(session, conversation, asked)
        except Exception:
            if results:
                stored = ", ".join(str(result["request_id"]) for result in results)
                session.output.notice(f"conversations 1 to {number - 1} are stored: {stored}")
            raise
        results.append(result)
        texts.append(_described(result, learned))
    session.output.result(results[0] if batch.single else {"publications": results}, "\n\n".join(texts))


def _read(
    data: str | None, file: Path | None, stdin: bool, user_message: str | None, agent_response: str | None
) -> Batch:
    given = [data is not None, file is not None, stdin, user_message is not None or agent_response is not None]
    if given.count(True) != 1:
        raise BadInput(
            "give the conversation in one way: as JSON, --file, --stdin, or --user-message with --agent-response",
            "see `reflexio publish --help`",
        )
    if data is not None:
        return read_json(data, "the conversation")
    if file is not None:
        return read_file(file)
    if stdin:
        return read_stdin()
    turns = [("user", user_message), ("assistant", agent_response)]
    return Batch((Conversation([{"role": role, "content": text} for role, text in turns if text is not None]),))


def _publish_one(session: Session, conversation: Conversation, asked: _Asked) -> tuple[dict[str, Any], Learned | None]:
    user = user_or_default(_agreed("user_id", asked.user_id, conversation.user_id))
    session_id = _agreed("session_id", asked.session_id, conversation.session_id)
    if session_id is None:
        session_id = f"cli-{uuid.uuid4().hex[:12]}"
        session.output.notice(f"session {session_id} (pass --session-id to continue one)")
    if asked.wait:
        session.output.notice("learning...")
    answer = session.client.publish_interaction(
        user,
        conversation.turns,
        session_id=session_id,
        source=_agreed("source", asked.source, conversation.source) or SOURCE,
        agent_version=_agreed("agent_version", asked.agent_version, conversation.agent_version) or "",
        wait_for_response=asked.wait,
        force_extraction=asked.force,
        evaluation_only=asked.evaluation_only,
        session_finished=asked.wait and not asked.keep_open and not asked.evaluation_only,
    )
    if not answer.success or answer.request_id is None:
        raise CommandFailed(answer.message or "the service did not take the conversation")
    for warning in answer.warnings:
        session.output.notice(f"warning: {warning}")
    result = {
        "request_id": answer.request_id,
        "user_id": user,
        "session_id": session_id,
        "learning_status": answer.learning_status,
        "learning_reason": answer.learning_reason,
        "warnings": answer.warnings,
    }
    if not asked.wait:
        return result, None
    result |= _final_status(session, answer.request_id, answer.learning_status, answer.learning_reason)
    learned = learned_from(session.client, user, answer.request_id)
    return {**result, "learned": learned.as_dict()}, learned


def _agreed(name: str, typed: str | None, read: str | None) -> str | None:
    """The value of the command line or of the conversation; refused if both have one and they differ."""
    if typed and read and typed != read:
        option = "--" + name.replace("_", "-")
        raise BadInput(f"{name} is {read!r} in the conversation and {typed!r} on the command line", f"drop {option}")
    return typed or read


def _final_status(session: Session, request_id: str, status: str | None, reason: str | None) -> dict[str, Any]:
    """Learning's outcome. The service waits some seconds itself; a slow model may need more."""
    deadline = time.monotonic() + WAIT_SECONDS
    while status != "done" and reason in _STILL_WORKING:
        if time.monotonic() > deadline:
            session.output.notice(f"still learning; see `reflexio status {request_id}`")
            break
        time.sleep(_POLL_SECONDS)
        now = session.client.learning_status(request_id)
        status, reason = now.status, now.reason
    return {"learning_status": status, "learning_reason": reason}


def _described(result: dict[str, Any], learned: Learned | None) -> str:
    head = f"request {result['request_id']} of user {result['user_id']}, session {result['session_id']}"
    lines = [f"published {head}"]
    if learned is None:
        lines.append(f"learning: {result['learning_status']} ({result['learning_reason']})")
    elif result["learning_status"] != "done":
        lines.append(f"not learned yet: {result['learning_reason']}")
    else:
        lines.append(learned.as_text() or "nothing to learn from it")
    return "\n".join(lines)
