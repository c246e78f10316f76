"""Retrieval experiments: half of the users get no learnings, to measure what learnings are worth."""

from typing import Literal

from reflexio.models.base import WireModel

Arm = Literal["treatment", "holdout"]
"""``treatment`` users get learnings, ``holdout`` users do not."""


class RetrievalExperimentAssignment(WireModel):
    """The arm that a user fell into."""

    experiment_id: str
    arm: Arm
