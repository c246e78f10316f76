"""A stored payload that is parsed only if somebody looks at it: of many candidates few are returned."""

import json
from collections.abc import ItemsView, Iterator, Mapping
from typing import Any


class StoredPayload(Mapping[str, Any]):
    """The mapping that a JSON text holds."""

    __slots__ = ("_json", "_parsed")

    def __init__(self, stored: str) -> None:
        self._json = stored
        self._parsed: dict[str, Any] | None = None

    def __getitem__(self, name: str) -> Any:
        return self._mapping()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._mapping())

    def __len__(self) -> int:
        return len(self._mapping())

    def items(self) -> ItemsView[str, Any]:
        """All at once, which the inherited method would look up one by one."""
        return self._mapping().items()

    def _mapping(self) -> dict[str, Any]:
        if self._parsed is None:
            self._parsed = json.loads(self._json)
        return self._parsed
