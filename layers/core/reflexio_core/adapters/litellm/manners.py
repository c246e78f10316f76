"""What each model turned out to accept: how it is asked for JSON, and whether it takes a temperature.

Kept in the process only, and may be lost: then the first question costs a refused call again.
"""

from dataclasses import dataclass, replace
from typing import Any, Literal

Form = Literal["json_schema", "json_object", "plain"]
_LOOSER: dict[Form, Form] = {"json_schema": "json_object", "json_object": "plain"}
_MOST_MODELS = 256  # tenants bring their own models; forgetting one costs a refused call


@dataclass(frozen=True, slots=True)
class Manners:
    """How to ask one model. ``proven`` is true once an answer came this way."""

    form: Form = "json_schema"
    temperature: bool = True
    proven: bool = False

    def looser(self) -> "Manners | None":
        """The next less demanding way to ask for JSON; None if there is none, or if this one is known to work."""
        form = _LOOSER.get(self.form)
        return None if form is None or self.proven else replace(self, form=form)

    def response_format(self, name: str, schema: dict[str, Any]) -> dict[str, Any] | None:
        """The OpenAI protocol's ``response_format``."""
        if self.form == "json_schema":
            return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": schema}}
        return {"type": "json_object"} if self.form == "json_object" else None


class KnownManners:
    """Manners by model and address."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str | None], Manners] = {}

    def of(self, model: str, api_base: str | None) -> Manners:
        """What is known; the strictest way where nothing is."""
        return self._known.get((model, api_base), Manners())

    def worked(self, model: str, api_base: str | None, manners: Manners) -> None:
        """Remember the way in which an answer came."""
        if len(self._known) >= _MOST_MODELS:
            self._known.clear()
        self._known[model, api_base] = replace(manners, proven=True)
