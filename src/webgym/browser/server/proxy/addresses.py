"""Classification of IP addresses, including IPv4 addresses embedded in IPv6 ones. No I/O.

The tables are spelt out because `ipaddress.is_global` differs between Python releases.
"""

from __future__ import annotations

import ipaddress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address

_KINDS_4 = [
    (IPv4Network(network), kind)
    for network, kind in [
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "carrier-shared"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "cloud metadata"),  # Azure's, within public address space
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "reserved"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    ]
]

_KINDS_6 = [
    (IPv6Network(network), kind)
    for network, kind in [
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("fc00::/7", "unique-local"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
        ("2001::/23", "reserved"),
        ("2001:db8::/32", "documentation"),
        ("3fff::/20", "documentation"),
    ]
]
_GLOBAL_6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_TEREDO = IPv6Network("2001::/32")
# An IPv4 address in the last 32 bits: IPv4-mapped, IPv4-compatible, IPv4-translated.
_TAILS = [IPv6Network("::ffff:0:0/96"), IPv6Network("::/96"), IPv6Network("::ffff:0:0:0/96")]


def plain(address: Address) -> Address:
    """Normalise an address: IPv4-mapped IPv6 becomes IPv4, and a zone id is dropped."""
    match address:
        case IPv6Address(ipv4_mapped=IPv4Address() as mapped):
            return mapped
        case IPv6Address(scope_id=str()):
            return IPv6Address(int(address))
        case _:
            return address


def embedded(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address embedded in an IPv6 one, to which a tunnel or translator would forward packets."""
    if address.sixtofour is not None:
        return address.sixtofour
    if address in _TEREDO:
        return IPv4Address(~int(address) & 0xFFFF_FFFF)
    if address in _NAT64 or any(address in network for network in _TAILS):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return None


def kind_of(address: Address) -> str | None:
    """Return what kind of special-purpose address this is; None if it is public."""
    match plain(address):
        case IPv4Address() as four:
            return next((kind for network, kind in _KINDS_4 if four in network), None)
        case IPv6Address() as six:
            return _kind_of_6(six)


def _kind_of_6(address: IPv6Address) -> str | None:
    for network, kind in _KINDS_6[:2]:  # :: and ::1 look IPv4-compatible, but are not
        if address in network:
            return kind
    inner = embedded(address)
    if inner is not None and (kind := kind_of(inner)) is not None:
        return kind
    if address in _NAT64:
        return None
    for network, kind in _KINDS_6:
        if address in network:
            return kind
    return None if address in _GLOBAL_6 else "reserved"


def is_own(address: Address, interfaces: frozenset[Address]) -> bool:
    """Return whether a connection to `address` would reach this machine, given its interfaces' addresses."""
    address = plain(address)
    inner = embedded(address) if isinstance(address, IPv6Address) else None
    return any(
        candidate.is_loopback or candidate.is_unspecified or candidate in interfaces
        for candidate in (address, inner)
        if candidate is not None
    )


def parse_address(text: str) -> Address | None:
    """Parse and normalise an address; None if `text` is not one."""
    try:
        return plain(ipaddress.ip_address(text))
    except ValueError:
        return None
