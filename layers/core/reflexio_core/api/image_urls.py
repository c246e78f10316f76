"""Image URLs are checked when they are published: whoever fetches one later must not be led into a private network."""

import socket
from concurrent.futures import Future
from threading import Thread

from reflexio.models.chat_messages import ROWS
from reflexio.models.interactions import PublishUserInteractionRequest
from reflexio_core.domain.image_urls import address_refusal, host_to_resolve, url_refusal
from reflexio_core.errors import InvalidInput

RESOLVE_SECONDS = 2.0


def refuse_bad_images(body: PublishUserInteractionRequest, sent_rows: list[int], *, resolve: bool) -> None:
    """Raises ``InvalidInput`` that names the first row, as sent, whose image URL may not be stored.

    With ``resolve`` a host name is looked up and may not lead to a private address either.
    """
    for row, sent_row in zip(body.interaction_data_list, sent_rows, strict=True):
        if not row.interacted_image_url:
            continue
        refusal = url_refusal(row.interacted_image_url)
        if refusal is None and resolve:
            refusal = _resolved_refusal(row.interacted_image_url)
        if refusal is not None:
            raise InvalidInput(f"{ROWS}[{sent_row}].interacted_image_url", refusal)


def _resolved_refusal(url: str) -> str | None:
    host = host_to_resolve(url)
    if host is None:
        return None
    found: Future[list[str]] = Future()
    # A look-up cannot be interrupted; a thread that nobody waits for any more ends with the resolver's own time-out.
    Thread(target=_look_up, args=(host, found), daemon=True).start()
    try:
        addresses = found.result(RESOLVE_SECONDS)
    except TimeoutError:
        return f"the host {host!r} could not be looked up within {RESOLVE_SECONDS:g} s"
    if not addresses:
        return f"the host {host!r} has no address"
    return next((refusal for address in addresses if (refusal := address_refusal(address))), None)


def _look_up(host: str, found: Future[list[str]]) -> None:
    try:
        entries = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        found.set_result([])
    else:
        found.set_result([str(entry[4][0]) for entry in entries])
