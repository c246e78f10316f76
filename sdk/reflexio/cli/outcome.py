"""Answers that report their own failure."""

from typing import TYPE_CHECKING

from reflexio.cli.failures import CommandFailed

if TYPE_CHECKING:
    from reflexio.models.base import Reply


def require_success(answer: "Reply", message: str | None) -> None:
    """Raise ``CommandFailed`` if the service did nothing."""
    if not answer.success:
        raise CommandFailed(message or answer.error or "the service refused, without a reason")
