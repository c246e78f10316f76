"""Settings of the embedded service, read once: flags, then the environment, then ``.env`` files, then defaults."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from reflexio_core.errors import InvalidInput

DEFAULT_PORT = 8061
DEFAULT_DATA = "~/.reflexio"

_VARIABLES = {
    "data": "REFLEXIO_DATA",
    "host": "REFLEXIO_HOST",
    "port": "REFLEXIO_PORT",
    "learners": "REFLEXIO_PUBLISH_LEARNING_WORKERS",
    "log_level": "REFLEXIO_LOG_LEVEL",
}


class EmbeddedSettings(BaseModel):
    """Where data lives, where to listen, how much to do at once.

    ``port`` 0 takes a free one. ``learners`` are threads that learn, each for one user at a time.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: Path = Field(default=Path(DEFAULT_DATA), validate_default=True)
    host: str = Field(default="127.0.0.1", min_length=1)
    port: int = Field(default=DEFAULT_PORT, ge=0, le=65_535)
    learners: int = Field(default=4, ge=1, le=64)
    log_level: str = Field(default="warning", pattern="^(debug|info|warning|error)$")

    @field_validator("data")
    @classmethod
    def _absolute(cls, folder: Path) -> Path:
        return folder.expanduser().absolute()

    @field_validator("log_level", mode="before")
    @classmethod
    def _lower(cls, level: object) -> object:
        return level.lower() if isinstance(level, str) else level

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], **flags: Any) -> Self:
        """Flags that are not None win over variables; a blank variable counts as unset.

        Raises ``InvalidInput`` naming the flag or the variable.
        """
        given = {name: value for name, value in flags.items() if value is not None}
        for name, variable in _VARIABLES.items():
            text = environment.get(variable, "").strip()
            if text:
                given.setdefault(name, text)
        try:
            return cls(**given)
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            name = str(problem["loc"][0])
            place = name if flags.get(name) is not None else _VARIABLES.get(name, name)
            raise InvalidInput(place, str(problem["msg"])) from None
