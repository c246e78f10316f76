"""What every wire model shares."""

import time
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import PydanticCustomError

SOURCE_PATTERN = r"^[a-z0-9][a-z0-9._:-]{0,127}$"


def _says_both_forms(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    # A union reports each of its branches, the empty one as "Input should be ''", which tells nobody the other form.
    try:
        return check(value)
    except ValidationError:
        raise PydanticCustomError(
            "source_label", "Input should be empty or match '{pattern}'", {"pattern": SOURCE_PATTERN}
        ) from None


SourceLabel = Annotated[
    Literal[""] | Annotated[str, Field(max_length=128, pattern=SOURCE_PATTERN)], WrapValidator(_says_both_forms)
]
"""Where a conversation came from: empty, or a label such as ``support-bot``."""

NEVER_EXPIRES = 4_102_444_800
"""2100-01-01T00:00:00Z in epoch seconds: the wire's word for "does not expire"."""

MAX_QUERY_CHARACTERS = 10_000
"""Longest search text. Embedding models read far less; more is a document sent by mistake."""

LARGEST_COUNT = 1_000_000
"""A caller who asks for more rows than this means "all of them"; the server pages anyway."""


class WireModel(BaseModel):
    """A body as it travels. Unknown keys are ignored, so that a newer peer does not break an older one."""

    model_config = ConfigDict(extra="ignore", defer_build=True)


class Listing(WireModel):
    """A request that is answered in pages."""

    next_token: str | None = Field(default=None, max_length=4096)
    """Where the page before ended, as its answer said; None starts at the first page."""


class Reply(WireModel):
    """An answer that reports its own outcome.

    ``success`` false means that nothing was done; ``error`` is then a stable code to branch on, and the message
    that comes with it is for people.
    """

    success: bool
    error: str | None = None


class ListingReply(Reply):
    """One page of rows. ``next_token`` continues it; None means that there is nothing more."""

    next_token: str | None = None


def epoch_now() -> int:
    """The current time in whole seconds since 1970, UTC."""
    return int(time.time())


def _at_most_largest(count: int) -> int:
    return min(count, LARGEST_COUNT)


RowCount = Annotated[int, Field(gt=0), AfterValidator(_at_most_largest)]
"""How many rows to return, at least one."""

RowOffset = Annotated[int, Field(ge=0), AfterValidator(_at_most_largest)]
"""How many rows to pass over."""
