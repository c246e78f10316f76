"""Which image URLs may be stored: web or inline, and not leading to a private network in any spelling of an address.

A host is judged as the fetchers of the world read it (WHATWG URL): compatibility characters are folded, and a host
whose last label is a number is an IPv4 address in decimal, octal or hexadecimal parts.
"""

import unicodedata
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import unquote, urlsplit

_LOCAL_NAMES = frozenset({"localhost", "localdomain", "local", "internal", "intranet", "lan"})
"""Last labels that never lead to the public internet; metadata services of clouds live under ``internal``."""

_METADATA_NAMES = frozenset({"metadata", "instance-data"})

_IPV4_PREFIXES = tuple(IPv6Address(prefix).packed[:12] for prefix in ("::", "::ffff:0:0:0", "64:ff9b::"))
"""Compatible, translated and NAT64: the last four bytes are an IPv4 address."""

_LOCAL_TRANSLATION = IPv6Network("64:ff9b:1::/48")
"""NAT64 of a site, with the IPv4 address wherever the site puts it; older Pythons take it for public."""


def url_refusal(url: str) -> str | None:
    """Why an image URL cannot be stored, or None. Looks nothing up."""
    if url.lower().startswith("data:"):
        return None
    if not url.lower().startswith(("http://", "https://")):
        return "an image URL starts with http://, https:// or data:"
    if "\\" in url or any(character.isspace() or not character.isprintable() for character in url):
        return "an image URL holds no backslash, space or control character"
    host = _host(url)
    if host is None:
        return "the image URL has no valid host"
    address = _address(host)
    if address is None:
        return _name_refusal(host)
    return address_refusal(address)


def host_to_resolve(url: str) -> str | None:
    """The host name whose addresses decide, or None where there is no name to look up."""
    if url.lower().startswith("data:"):
        return None
    host = _host(url)
    return host if host and _address(host) is None else None


def address_refusal(address: str) -> str | None:
    """Why images may not come from an IP address, or None if it is a public one."""
    try:
        parsed = ip_address(address.split("%", 1)[0])
    except ValueError:
        return f"{address[:60]!r} is no valid address"
    inner = _inner_address(parsed)
    if all(_is_public(each) for each in (parsed, inner) if each is not None):
        return None
    return f"the image URL leads to {address[:60]!r}, which is not a public address"


def _host(url: str) -> str | None:
    """The host as a fetcher reads it; None if there is none or the authority is malformed."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - reading it validates the port
    except ValueError:
        return None
    folded = unicodedata.normalize("NFKC", unquote(parts.hostname or "")).replace("\u3002", ".").lower()
    host = folded.removesuffix(".")
    if not host or any(character in host for character in "/?#@\\<>^| \t\n\0"):
        return None
    return host


def _address(host: str) -> str | None:
    """The IP address that a host spells, the host itself if it spells a malformed one, or None for a name."""
    if ":" in host:
        return host
    labels = host.split(".")
    if _number(labels[-1]) is None and not labels[-1].isdigit():
        return None
    numbers = [_number(label) for label in labels]
    packed = _pack([number for number in numbers if number is not None]) if None not in numbers else None
    return host if packed is None else str(IPv4Address(packed))


def _number(label: str) -> int | None:
    """An IPv4 part: ``0x`` hexadecimal, a leading zero octal, else decimal."""
    try:
        if label.startswith("0x"):
            return int(label[2:] or "0", 16)
        if len(label) > 1 and label.startswith("0"):
            return int(label, 8)
        return int(label) if label.isascii() and label.isdigit() and len(label) < 20 else None
    except ValueError:
        return None


def _pack(numbers: list[int]) -> int | None:
    """One to four parts to 32 bits; the last part fills all remaining bytes."""
    *leading, last = numbers
    room = 256 ** (4 - len(leading)) if len(leading) < 4 else 0
    if last >= room or any(number > 255 for number in leading):
        return None
    value = last
    for position, number in enumerate(leading):
        value += int(number) << (24 - 8 * position)
    return value


def _name_refusal(host: str) -> str | None:
    labels = host.split(".")
    if labels[-1] in _LOCAL_NAMES or len(labels) == 1 or labels[0] in _METADATA_NAMES or host.endswith(".home.arpa"):
        return f"the image URL leads to {host[:60]!r}, a name of a private network"
    return None


def _inner_address(address: IPv4Address | IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address carries: mapped, compatible, translated, 6to4, Teredo or NAT64."""
    if isinstance(address, IPv4Address):
        return None
    if address.ipv4_mapped or address.sixtofour:
        return address.ipv4_mapped or address.sixtofour
    if address.teredo:
        return address.teredo[1]
    packed = address.packed
    if packed[:12] in _IPV4_PREFIXES:
        return IPv4Address(packed[12:])
    return None


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return True  # judged by the address inside
        if address.is_site_local or address in _LOCAL_TRANSLATION:
            return False
    return address.is_global and not address.is_multicast
