"""Settings refuse keys that they do not know: a misspelt setting must not be a setting silently not made."""

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, model_validator


class StrictModel(BaseModel):
    """Settings. Older names in ``legacy_names`` are read as today's; any other unknown key is refused by name."""

    model_config = ConfigDict(
        extra="forbid", defer_build=True, validate_by_name=True, validate_by_alias=True, serialize_by_alias=True
    )

    legacy_names: ClassVar[dict[str, str]] = {}

    @model_validator(mode="before")
    @classmethod
    def _todays_names(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        renamed = cls.with_todays_names(data)
        known = cls.known_keys()
        unknown = [key for key in renamed if key not in known]
        if unknown:
            raise ValueError("; ".join(_refusal(key, known) for key in unknown))
        return renamed

    @classmethod
    def with_todays_names(cls, data: dict[str, Any]) -> dict[str, Any]:
        """The same settings under today's names; a setting given under both keeps today's value."""
        renamed: dict[str, Any] = {}
        for key, value in data.items():
            today = cls.legacy_names.get(key, key)
            if today == key or today not in data:
                renamed[today] = value
        return renamed

    @classmethod
    def known_keys(cls) -> list[str]:
        """Every key that these settings have today."""
        return sorted(field.alias or name for name, field in cls.model_fields.items())


def _refusal(key: object, known: list[str]) -> str:
    from difflib import get_close_matches  # needed on this path only, and slow to import

    name = str(key)[:60]
    near = get_close_matches(name, known, n=1)
    return f"unknown key {name!r}; " + (f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(known)}")
