"""Content too large for an item, and images."""

from typing import Protocol


class Blobs(Protocol):
    """Write-once bytes by name. Names come from ``reflexio_core.keys`` and hold their tenant."""

    def put(self, name: str, data: bytes) -> None:
        """Store the bytes durably; writing a name again replaces it."""
        ...

    def get(self, name: str) -> bytes | None:
        """The bytes, or None."""
        ...

    def delete(self, name: str) -> None:
        """Remove the name; removing what is not there is no error."""
        ...
