"""``reflexio profiles``: facts about users."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from reflexio.cli.command import command, new_group
from reflexio.cli.failures import BadInput, CommandFailed
from reflexio.cli.listing import in_words, page_size, show_first
from reflexio.cli.outcome import require_success
from reflexio.cli.provenance import origin_of
from reflexio.cli.session import Session, user_or_default
from reflexio.models.enums import ProfileTimeToLive, Status

if TYPE_CHECKING:
    from reflexio import ProfileView

app = new_group("profiles", "Facts about users.")

_LISTED: dict[Status | None, Literal["current", "pending", "archived"]] = {
    None: "current",
    Status.PENDING: "pending",
    Status.ARCHIVED: "archived",
}
_COLUMNS = {"profile_id": "id", "user_id": "user", "status": "status", "content": "content"}


@command(app, "list")
def list_profiles(
    session: Session,
    user_id: Annotated[str | None, typer.Option(help="Whose; every user's unless given.")] = None,
    status: Annotated[Status | None, typer.Option(help="Only this status; current ones unless given.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 20,
) -> None:
    """List profiles, last modified first."""
    rows: Iterator[ProfileView]
    if user_id is None:
        if status not in _LISTED:
            raise BadInput(f"profiles of every user can be listed as {' or '.join(_LISTED.values())}")
        rows = session.client.iter_all_profiles(limit=page_size(limit), status_filter=_LISTED[status])
    else:
        statuses = None if status is None else [status]
        rows = session.client.iter_profiles(user_id=user_id, status_filter=statuses, top_k=page_size(limit))
    show_first(session, rows, limit, _COLUMNS)


@command(app, "show")
def show_profile(
    session: Session,
    profile_id: Annotated[str, typer.Argument(help="Which one.")],
    user_id: Annotated[str | None, typer.Option(help="Whose; every user's are looked through unless given.")] = None,
) -> None:
    """Show a fact, the turns that it was learned from, and who learned it."""
    client = session.client
    every = [None, *Status]
    if user_id is None:
        pages = [client.get_all_profiles(profile_id=profile_id, status_filter=word) for word in _LISTED.values()]
    else:
        pages = [client.get_profiles(user_id=user_id, profile_id=profile_id, status_filter=every)]
    row = next((row for page in pages for row in page.user_profiles), None)
    if row is None:
        raise CommandFailed(f"there is no profile {profile_id}", "see `reflexio profiles list`")
    origin = origin_of(client, row, row.generated_from_request_id)
    lines = [f"profile {row.profile_id} of user {row.user_id}", f"  {row.content}"]
    lines.append(f"  stays true: {row.profile_time_to_live}, last modified {in_words(row.last_modified_timestamp)}")
    if row.status:
        lines.append(f"  status: {row.status}")
    lines += origin.as_lines(row.source, row.source_span)
    session.output.result({**row.model_dump(mode="json"), "origin": origin.as_dict()}, "\n".join(lines))


@command(app, "add")
def add_profile(
    session: Session,
    content: Annotated[str, typer.Argument(help="The fact.")],
    user_id: Annotated[str | None, typer.Option(help="Whose; else REFLEXIO_USER_ID.")] = None,
    time_to_live: Annotated[
        ProfileTimeToLive, typer.Option(help="How long it stays true.")
    ] = ProfileTimeToLive.INFINITY,
    source: Annotated[str, typer.Option(help="Where it comes from.")] = "cli",
) -> None:
    """Store a fact as it is."""
    from uuid import uuid4

    profile_id = str(uuid4())
    user = user_or_default(user_id)
    row = {
        "profile_id": profile_id,
        "user_id": user,
        "content": content,
        "profile_time_to_live": time_to_live,
        "source": source,
    }
    answer = session.client.add_user_profile([row])
    require_success(answer, answer.message)
    session.output.result({"profile_id": profile_id, "user_id": user}, f"added profile {profile_id} of user {user}")


@command(app, "update")
def update_profile(
    session: Session,
    profile_id: Annotated[str, typer.Argument(help="Which one.")],
    content: Annotated[str, typer.Option(help="The fact as it is now.")],
    user_id: Annotated[str | None, typer.Option(help="Whose; else REFLEXIO_USER_ID.")] = None,
) -> None:
    """Change a fact. What it was learned from is no quote of the new text, and is not shown as one."""
    answer = session.client.update_user_profile(user_or_default(user_id), profile_id, content=content)
    require_success(answer, answer.msg)
    session.output.result({"profile_id": profile_id}, f"updated profile {profile_id}")


@command(app, "delete")
def delete_profiles(
    session: Session,
    profile_ids: Annotated[list[str], typer.Argument(help="Which ones.")],
) -> None:
    """Delete facts by their ids."""
    answer = session.client.delete_profiles_by_ids(profile_ids)
    require_success(answer, answer.message)
    if not answer.deleted_count:
        raise CommandFailed("there is no such profile", "see `reflexio profiles list`")
    session.output.result({"deleted_count": answer.deleted_count}, f"deleted {answer.deleted_count} profile(s)")
