"""``reflexio publish``: store a conversation, and with ``--wait`` learn from it at once."""

import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from reflexio.cli.command import command
from reflexio.cli.conversation import Batch, Conversation, read_file, read_json, read_stdin
from reflexio.cli.failures import BadInput, CommandFailed, ExitCode
from reflexio.cli.learned import Learned, learned_from
from reflexio.cli.session import Session, user_or_default

SOURCE = "cli"
WAIT_SECONDS = 60.0
_FIRST_POLL_SECONDS = 0.05
_LONGEST_POLL_SECONDS = 1.0
_LEARNED = frozenset({"done", "not_tracked"})
_SETTLED = _LEARNED | {"failed"}
_MORE_TURNS = "waiting_for_window"


@dataclass(frozen=True, slots=True)
class _Asked:
    """The options, for every conversation of a batch."""

    user_id: str | None
    session_id: str | None
    source: str | None
    agent_version: str | None
    wait: bool
    timeout: float
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
    timeout: Annotated[
        float, typer.Option(min=0.0, help="With --wait: at most so many seconds for each conversation.")
    ] = WAIT_SECONDS,
    keep_open: Annotated[bool, typer.Option("--keep-open", help="With --wait: more turns will follow.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Learn even if it looks useless or incomplete.")] = False,
    evaluation_only: Annotated[bool, typer.Option("--evaluation-only", help="Never learn from it.")] = False,
) -> None:
    """Store a conversation to learn from.

    With --wait the exit code is 1 if it was stored but not learned from: learning failed, or took too long. The
    service goes on trying by itself.

    Example: reflexio publish --wait '[{"role": "user", "content": "Never deploy on Fridays."}]'
    """
    batch = _read(data, file, stdin, user_message, agent_response)
    asked = _Asked(user_id, session_id, source, agent_version, wait, timeout, keep_open, force, evaluation_only)
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
    if any(_is_overdue(result, asked) for result in results):
        raise typer.Exit(ExitCode.FAILED)


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
    result |= _outcome(session, answer.request_id, asked.timeout)
    learned = learned_from(session.client, user, answer.request_id)
    return {**result, "learned": learned.as_dict()}, learned


def _agreed(name: str, typed: str | None, read: str | None) -> str | None:
    """The value of the command line or of the conversation; refused if both have one and they differ."""
    if typed and read and typed != read:
        option = "--" + name.replace("_", "-")
        raise BadInput(f"{name} is {read!r} in the conversation and {typed!r} on the command line", f"drop {option}")
    return typed or read


def _outcome(session: Session, request_id: str, seconds: float) -> dict[str, Any]:
    """What learning came to: until it is done, has failed, waits for more turns, or the time is over.

    One failure ends the wait: its cause, such as a wrong key, is seldom gone within seconds.
    """
    deadline = time.monotonic() + seconds
    pause = _FIRST_POLL_SECONDS
    while True:
        now = session.client.learning_status(request_id)
        left = deadline - time.monotonic()
        if now.status in _SETTLED or now.reason == _MORE_TURNS or now.error or left <= 0:
            return {"learning_status": now.status, "learning_reason": now.reason, "error": now.error}
        time.sleep(min(pause, left))
        pause = min(pause * 1.5, _LONGEST_POLL_SECONDS)


def _is_overdue(result: Mapping[str, Any], asked: _Asked) -> bool:
    """Whether learning was waited for, and neither came to an end nor waits for turns that are to follow."""
    waits = asked.keep_open and result["learning_reason"] == _MORE_TURNS and not result.get("error")
    return asked.wait and result["learning_status"] not in _LEARNED and not waits


def _described(result: Mapping[str, Any], learned: Learned | None) -> str:
    head = f"request {result['request_id']} of user {result['user_id']}, session {result['session_id']}"
    lines = [f"published {head}"]
    if learned is None:
        lines.append(f"learning: {result['learning_status']} ({result['learning_reason']})")
    elif result["learning_status"] in _LEARNED:
        lines.append(learned.as_text() or "nothing to learn from it")
    else:
        failure = f", last failure: {result['error']}" if result["error"] else ""
        lines.append(f"not learned yet: {result['learning_reason'] or result['learning_status']}{failure}")
        lines.append(f"it is stored and will be learned from later; see `reflexio status {result['request_id']}`")
        if result["error"]:
            lines.append("`reflexio doctor` looks at the provider that learns")
    return "\n".join(lines)
