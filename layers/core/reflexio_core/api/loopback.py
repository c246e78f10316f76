"""What counts as "this machine": addresses, Host headers and web origins."""

from ipaddress import ip_address
from urllib.parse import urlsplit


def is_loopback_address(text: str) -> bool:
    """Whether ``text`` is an IP address of the loopback interface, also IPv4 written inside IPv6."""
    try:
        address = ip_address(text.split("%", 1)[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def is_loopback_name(name: str) -> bool:
    """Whether a host name or literal address can only mean this machine."""
    bare = name.strip().rstrip(".").lower()
    if bare.startswith("[") and bare.endswith("]"):
        bare = bare[1:-1]
    return bare == "localhost" or is_loopback_address(bare)


def is_loopback_host(header: str) -> bool:
    """Whether a Host header, with or without port, names this machine."""
    return _names_this_machine(f"http://{header}")


def is_loopback_origin(header: str) -> bool:
    """Whether an Origin header belongs to a page served by this machine; ``null`` does not."""
    return header.lower().startswith(("http://", "https://")) and _names_this_machine(header)


def _names_this_machine(url: str) -> bool:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - reading it validates the port
    except ValueError:
        return False
    plain = "@" not in parts.netloc and not parts.path and not parts.query and not parts.fragment
    return plain and parts.hostname is not None and is_loopback_name(parts.hostname)
