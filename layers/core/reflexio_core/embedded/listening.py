"""The socket that the service listens on, bound before anything else is started."""

import errno
import socket

from reflexio_core.errors import ReflexioError

BACKLOG = 2048


class CannotListen(ReflexioError):
    """The address cannot be listened on: taken, not of this machine, or not allowed."""

    code = "cannot_listen"


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one. Raises ``CannotListen``."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise CannotListen(f"{host} is no address of this machine: {error}") from None
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise CannotListen(_reason(error, host, port)) from None
    listener.set_inheritable(False)
    return listener


def url_of(listener: socket.socket) -> str:
    """Where to reach the socket from this machine."""
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not listened on
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _reason(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} on {host} is in use: name another with --port, or 0 for a free one"
    if error.errno == errno.EACCES:
        return f"port {port} needs rights that this user does not have: name one above 1023 with --port"
    return f"cannot listen on {host}:{port}: {error.strerror}"
