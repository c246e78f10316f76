"""``reflexio playbooks``: lessons, one user's or, with ``--agent``, those that all users of an agent share."""

from typing import Annotated, Any

import typer

from reflexio.cli.command import command, new_group
from reflexio.cli.failures import BadInput, CommandFailed
from reflexio.cli.learned import lesson
from reflexio.cli.listing import page_size, show_first
from reflexio.cli.outcome import require_success
from reflexio.cli.provenance import origin_of
from reflexio.cli.session import Session, user_or_default
from reflexio.models.enums import PlaybookStatus, Status

app = new_group("playbooks", "Lessons of users, or with --agent those that all users share.")

_QUERY_CHARACTERS = 1000

_Agent = Annotated[bool, typer.Option("--agent", help="Agent playbooks in place of user playbooks.")]
_Id = Annotated[int, typer.Argument(min=1, help="Which one.")]
_USER_COLUMNS = {"user_playbook_id": "id", "user_id": "user", "trigger": "when", "content": "do"}
_AGENT_COLUMNS = {"agent_playbook_id": "id", "playbook_status": "approval", "trigger": "when", "content": "do"}


@command(app, "list")
def list_playbooks(
    session: Session,
    agent: _Agent = False,
    user_id: Annotated[str | None, typer.Option(help="Whose; every user's unless given.")] = None,
    approval: Annotated[PlaybookStatus | None, typer.Option(help="With --agent: only this verdict.")] = None,
    agent_version: Annotated[str | None, typer.Option(help="Only for this version of the agent.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 20,
) -> None:
    """List playbooks, newest first."""
    if agent:
        if user_id is not None:
            raise BadInput("agent playbooks belong to no user", "drop --user-id or --agent")
        shared = session.client.iter_agent_playbooks(
            agent_version=agent_version, playbook_status_filter=approval, limit=page_size(limit)
        )
        show_first(session, shared, limit, _AGENT_COLUMNS)
        return
    if approval is not None:
        raise BadInput("only agent playbooks are approved or rejected", "add --agent")
    own = session.client.iter_user_playbooks(user_id=user_id, agent_version=agent_version, limit=page_size(limit))
    show_first(session, own, limit, _USER_COLUMNS)


@command(app, "show")
def show_playbook(session: Session, playbook_id: _Id, agent: _Agent = False) -> None:
    """Show a lesson; a user playbook with the turns that it was learned from and who learned it."""
    every = [None, *Status]
    missing = CommandFailed(f"there is no playbook {playbook_id}", "see `reflexio playbooks list`")
    if agent:
        shared = session.client.get_agent_playbooks(agent_playbook_id=playbook_id, status_filter=every).agent_playbooks
        if not shared:
            raise missing
        head = f"agent playbook {playbook_id}, {shared[0].playbook_status}"
        session.output.result(shared[0].model_dump(mode="json"), f"{head}\n{lesson(shared[0])}")
        return
    own = session.client.get_user_playbooks(user_playbook_id=playbook_id, status_filter=every).user_playbooks
    if not own:
        raise missing
    [row] = own
    origin = origin_of(session.client, row, row.request_id)
    lines = [f"playbook {playbook_id} of user {row.user_id or 'nobody'}", lesson(row)]
    if row.status:
        lines.append(f"  status: {row.status}")
    lines += origin.as_lines(row.source, row.source_span)
    session.output.result({**row.model_dump(mode="json"), "origin": origin.as_dict()}, "\n".join(lines))


@command(app, "add")
def add_playbook(
    session: Session,
    content: Annotated[str, typer.Argument(help="What to do.")],
    agent: _Agent = False,
    user_id: Annotated[str | None, typer.Option(help="Whose; else REFLEXIO_USER_ID.")] = None,
    trigger: Annotated[str | None, typer.Option(help="When it applies.")] = None,
    rationale: Annotated[str | None, typer.Option(help="Why.")] = None,
    pitfall: Annotated[str | None, typer.Option(help="What to avoid.")] = None,
    agent_version: Annotated[str | None, typer.Option(help="For which version of the agent.")] = None,
    name: Annotated[str | None, typer.Option(help="Its name.")] = None,
) -> None:
    """Store a lesson as it is. An agent playbook is pending until it is approved."""
    from uuid import uuid4

    from reflexio._calls.writing import BY_HAND

    given = {
        "content": content,
        "trigger": trigger,
        "rationale": rationale,
        "pitfall": pitfall,
        "agent_version": agent_version,
        "playbook_name": name,
    }
    row: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if agent:
        added = session.client.add_agent_playbooks([row])
        require_success(added, added.message)
        # Pending ones of these words, newest first: the one just added, or another that nothing tells from it.
        pending = session.client.iter_agent_playbooks(
            playbook_status_filter=PlaybookStatus.PENDING, query=content[:_QUERY_CHARACTERS]
        )
        shared = next((row for row in pending if row.content == content), None)
        shared_id = shared.agent_playbook_id if shared else None
        data = {**added.model_dump(mode="json"), "agent_playbook_id": shared_id}
        session.output.result(data, f"added agent playbook {shared_id or ''}".rstrip() + ", pending approval")
        return
    user = user_or_default(user_id)
    # The service chooses the id and does not answer it; an origin of its own finds the row again.
    origin = f"{BY_HAND}-{uuid4().hex}"
    answer = session.client.add_user_playbook([{**row, "user_id": user, "request_id": origin}])
    require_success(answer, answer.message)
    own = session.client.get_user_playbooks(user_id=user, request_id=origin, limit=1).user_playbooks
    own_id = own[0].user_playbook_id if own else None
    data = {**answer.model_dump(mode="json"), "user_playbook_id": own_id, "user_id": user}
    session.output.result(data, f"added playbook {own_id or ''}".rstrip() + f" of user {user}")


@command(app, "update")
def update_playbook(
    session: Session,
    playbook_id: _Id,
    agent: _Agent = False,
    content: Annotated[str | None, typer.Option(help="What to do.")] = None,
    trigger: Annotated[str | None, typer.Option(help="When it applies.")] = None,
    rationale: Annotated[str | None, typer.Option(help="Why.")] = None,
    pitfall: Annotated[str | None, typer.Option(help="What to avoid.")] = None,
    name: Annotated[str | None, typer.Option(help="Its name.")] = None,
) -> None:
    """Change a lesson; what is not given stays."""
    if all(value is None for value in (content, trigger, rationale, pitfall, name)):
        raise BadInput("nothing to change was given", "see `reflexio playbooks update --help`")
    change = session.client.update_agent_playbook if agent else session.client.update_user_playbook
    answer = change(
        playbook_id, playbook_name=name, content=content, trigger=trigger, rationale=rationale, pitfall=pitfall
    )
    require_success(answer, answer.msg)
    session.output.result({"playbook_id": playbook_id}, f"updated playbook {playbook_id}")


@command(app, "approve")
def approve_playbook(session: Session, playbook_id: _Id) -> None:
    """Let an agent playbook be served to every user."""
    _judge(session, playbook_id, PlaybookStatus.APPROVED)


@command(app, "reject")
def reject_playbook(session: Session, playbook_id: _Id) -> None:
    """Keep an agent playbook from being served."""
    _judge(session, playbook_id, PlaybookStatus.REJECTED)


@command(app, "delete")
def delete_playbooks(
    session: Session,
    playbook_ids: Annotated[list[int], typer.Argument(min=1, help="Which ones.")],
    agent: _Agent = False,
) -> None:
    """Delete lessons by their ids."""
    client = session.client
    delete = client.delete_agent_playbooks_by_ids if agent else client.delete_user_playbooks_by_ids
    answer = delete(playbook_ids)
    require_success(answer, answer.message)
    if not answer.deleted_count:
        raise CommandFailed("there is no such playbook", "see `reflexio playbooks list`")
    session.output.result({"deleted_count": answer.deleted_count}, f"deleted {answer.deleted_count} playbook(s)")


def _judge(session: Session, playbook_id: int, verdict: PlaybookStatus) -> None:
    answer = session.client.update_agent_playbook_status(playbook_id, playbook_status=verdict)
    require_success(answer, answer.msg)
    session.output.result(
        {"agent_playbook_id": playbook_id, "playbook_status": verdict.value}, f"{verdict.value} playbook {playbook_id}"
    )
