"""What every command has: where to print, and a client of the service."""

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from reflexio.cli.failures import BadInput
from reflexio.cli.local_service import service_url
from reflexio.cli.output import Output

if TYPE_CHECKING:
    from reflexio import ReflexioClient

DEFAULT_USER = "user-default"
TIMEOUT_SECONDS = 60.0


class Session:
    """One run of a command. ``url`` and ``api_key`` are what was typed, empty for the environment's.

    ``data`` may be set before ``client`` is used: the folder whose service is meant.
    """

    def __init__(self, output: Output, url: str = "", api_key: str = "") -> None:
        self.output = output
        self.data: Path | None = None
        self._url = url
        self._api_key = api_key

    @cached_property
    def client(self) -> "ReflexioClient":
        """A client of the service. Raises ``BadInput`` for an address that is none."""
        from reflexio import ReflexioClient

        url = self._url or service_url(data=self.data)
        try:
            return ReflexioClient(api_key=self._api_key, url_endpoint=url, timeout=TIMEOUT_SECONDS)
        except ValueError as error:
            raise BadInput(str(error)) from None

    def close(self) -> None:
        """Close the client if one was made."""
        if "client" in self.__dict__:
            self.client.close()


def nothing_of_user(output: Output, user_id: str | None) -> None:
    """Say that nothing was found, and of whom if nobody was named: what was published may be another's."""
    if user_id:
        output.notice("nothing found")
    else:
        output.notice(f"nothing found of user {user_or_default(None)}; name another with --user-id")


def user_or_default(user_id: str | None) -> str:
    """The user that was typed, else ``REFLEXIO_USER_ID``, else one for trying things out."""
    return user_id or os.environ.get("REFLEXIO_USER_ID", "") or DEFAULT_USER
