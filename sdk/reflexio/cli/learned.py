"""What one publication taught: its profiles and user playbooks, read back from the service."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reflexio import ProfileView, ReflexioClient, UserPlaybookView

_LATEST = 100


@dataclass(frozen=True, slots=True)
class Learned:
    """Facts and lessons from one publication."""

    profiles: Sequence["ProfileView"]
    playbooks: Sequence["UserPlaybookView"]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "profiles": [row.model_dump(mode="json") for row in self.profiles],
            "user_playbooks": [row.model_dump(mode="json") for row in self.playbooks],
        }

    def as_text(self) -> str:
        """For people; empty if nothing was learned."""
        blocks = [f"learned profile {row.profile_id}:\n  {row.content}" for row in self.profiles]
        blocks += [f"learned playbook {row.user_playbook_id}:\n{lesson(row)}" for row in self.playbooks]
        return "\n".join(blocks)


def learned_from(client: "ReflexioClient", user_id: str, request_id: str) -> Learned:
    """What is stored now that came from the publication."""
    profiles = client.get_profiles(user_id=user_id, top_k=_LATEST).user_profiles
    playbooks = client.get_user_playbooks(user_id=user_id, request_id=request_id).user_playbooks
    return Learned([row for row in profiles if row.generated_from_request_id == request_id], playbooks)


def lesson(row: Any, indent: str = "  ") -> str:
    """A playbook, user or agent, in labelled lines."""
    parts = (("when", row.trigger), ("do", row.content), ("avoid", row.pitfall), ("because", row.rationale))
    return "\n".join(f"{indent}{label}: {text}" for label, text in parts if text)
