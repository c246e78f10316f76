"""``reflexio search``: the best learnings for a query."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from reflexio.cli.command import command
from reflexio.cli.learned import lesson
from reflexio.cli.session import Session, nothing_of_user, user_or_default
from reflexio.models.enums import SearchMode

if TYPE_CHECKING:
    from reflexio import UnifiedSearchViewResponse


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "search")(search)


def search(
    session: Session,
    query: Annotated[str, typer.Argument(help="What to look for, in any words.")],
    user_id: Annotated[str | None, typer.Option(help="Whose learnings; else REFLEXIO_USER_ID.")] = None,
    top_k: Annotated[int, typer.Option("--top-k", "-k", min=1, max=100, help="How many of each kind.")] = 5,
    threshold: Annotated[float | None, typer.Option(min=0.0, max=1.0, help="Least similarity of a hit.")] = None,
    agent_version: Annotated[str | None, typer.Option(help="Only lessons for this version of the agent.")] = None,
    source: Annotated[str | None, typer.Option(help="Only what came from this source.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Only what has this tag; may be repeated.")] = None,
    session_id: Annotated[str | None, typer.Option(help="Leave out what this session was given before.")] = None,
    mode: Annotated[SearchMode, typer.Option(help="By meaning, by words, or both.")] = SearchMode.HYBRID,
) -> None:
    """Find profiles, user playbooks and approved agent playbooks."""
    found = session.client.search(
        query=query,
        user_id=user_or_default(user_id),
        top_k=top_k,
        threshold=threshold,
        agent_version=agent_version,
        source=source,
        tags=tag or None,
        session_id=session_id,
        search_mode=mode,
    )
    warn_if_degraded(session, found)
    lines = list(_lines(found))
    if not lines and not user_id:
        nothing_of_user(session.output, user_id)
    session.output.result(found.model_dump(mode="json"), "\n".join(lines) or "nothing found")


def warn_if_degraded(session: Session, found: "UnifiedSearchViewResponse") -> None:
    """Say so if a part of the search could not answer."""
    if found.degraded:
        parts = ", ".join(found.degraded_parts) or "a part"
        session.output.notice(f"warning: {parts} could not answer, so something may be missing")


def _lines(found: "UnifiedSearchViewResponse") -> Iterator[str]:
    for profile in found.profiles:
        yield f"profile {profile.profile_id}\n  {profile.content}"
    for user_playbook in found.user_playbooks:
        yield f"user playbook {user_playbook.user_playbook_id}\n{lesson(user_playbook)}"
    for agent_playbook in found.agent_playbooks:
        yield f"agent playbook {agent_playbook.agent_playbook_id}\n{lesson(agent_playbook)}"
