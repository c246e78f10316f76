"""What a running service says of itself, in a file of its data folder, for the commands that look for it."""

from pathlib import Path
from typing import Self

from pydantic import BaseModel, ValidationError


def access_of(api_key: str | None) -> str:
    """Who may call a service with this key."""
    return "key" if api_key else "this machine only"


class ServiceState(BaseModel):
    """A service that is ready. ``learner`` names the model, ``model`` the embedding model or None without one,
    ``access`` says who may call."""

    pid: int
    url: str
    data: str
    learner: str
    model: str | None
    access: str = ""
    version: str
    started_at: float

    def write(self, file: Path) -> None:
        """Replace the file in one step: who reads it sees a whole state."""
        partial = file.with_suffix(".part")
        partial.write_text(self.model_dump_json())
        partial.replace(file)

    @classmethod
    def read(cls, file: Path) -> Self | None:
        """The state, or None if there is none."""
        try:
            return cls.model_validate_json(file.read_bytes())
        except (OSError, ValidationError):
            return None
