"""Parses hosts and ports as browsers do, into one canonical spelling per destination. No I/O.

Follows the host parser of the URL Standard (https://url.spec.whatwg.org/#host-parsing), so that `0x7f.1`, `2130706433`
and `127.0.0.1` become the same host before any policy rule is applied.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address
from urllib.parse import unquote_to_bytes, urlsplit

from webgym.browser.server.proxy.addresses import Address, parse_address
from webgym.errors import RequestError

_DEFAULT_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f#/:<>?@\[\\\]^|%]")
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
_BRACKETED = re.compile(r"\[([0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)\]")
_IPV4_PARTS = 4


@dataclass(frozen=True, slots=True)
class Destination:
    """Host and port of a request. `host` is lower-case ASCII; IPv6 without brackets."""

    host: str
    port: int

    @property
    def address(self) -> Address | None:
        """The host as an IP address; None if it is a name."""
        return parse_address(self.host)

    @property
    def is_localhost(self) -> bool:
        return self.host == "localhost" or self.host.endswith(".localhost")

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_destination(authority: str, default_port: int | None = None) -> Destination:
    """Parse `[userinfo@]host[:port]`, with the host in any spelling that a browser accepts.

    Raises:
        RequestError: The host or the port is invalid.
    """
    rest = authority.rpartition("@")[2]
    host, port = _split_port(rest)
    if port:
        number = int(port) if port.isascii() and port.isdigit() and len(port) <= 5 else -1
    else:
        number = default_port if default_port is not None else -1
    if not 0 < number < 65536:
        raise RequestError(f"no usable port in {rest!r}")
    return Destination(host=parse_host(host), port=number)


def destination_of(url: str) -> Destination | None:
    """Return the host and port of an absolute URL; None if it has none."""
    try:
        parts = urlsplit(url)
        return parse_destination(parts.netloc, _DEFAULT_PORTS.get(parts.scheme.lower()))
    except (RequestError, ValueError):
        return None


def parse_host(text: str) -> str:
    """Return the canonical spelling of a host.

    Raises:
        RequestError: It is not a valid host to a browser either.
    """
    if text.startswith("["):
        return _parse_ipv6(text)
    host = _to_ascii(text)
    if len(host) > 253 or "" in host.split(".") or _FORBIDDEN.search(host):
        raise RequestError(f"not a host: {text!r}")
    last = host.rpartition(".")[2]
    if _NUMBER.fullmatch(last):
        return str(_parse_ipv4(host))
    return host


def _split_port(text: str) -> tuple[str, str]:
    if text.startswith("["):
        host, bracket, port = text.partition("]")
        if port and not port.startswith(":"):
            raise RequestError(f"not a host and port: {text!r}")
        return host + bracket, port[1:]
    host, _, port = text.partition(":")
    return host, port


def _to_ascii(text: str) -> str:
    try:
        host = unquote_to_bytes(text).decode() if "%" in text else text
        # Like browsers, Python's codec folds width, case and ideographic full stops.
        host = host.lower() if host.isascii() else host.encode("idna").decode("ascii").lower()
    except UnicodeError as error:
        raise RequestError(f"not a host: {text!r}") from error
    return host.removesuffix(".")


def _parse_ipv6(text: str) -> str:
    bracketed = _BRACKETED.fullmatch(text)
    address = parse_address(bracketed[1]) if bracketed else None
    if address is None:
        raise RequestError(f"not an IPv6 address: {text!r}")
    return str(address)


def _parse_ipv4(host: str) -> IPv4Address:
    """Parse decimal, octal or hexadecimal parts, the last of which fills all remaining bytes."""
    parts = host.split(".")
    if len(parts) > _IPV4_PARTS or not all(_NUMBER.fullmatch(part) for part in parts):
        raise RequestError(f"not an IPv4 address: {host!r}")
    try:
        *heads, tail = [_parse_number(part) for part in parts]
    except ValueError as error:
        raise RequestError(f"not an IPv4 address: {host!r}") from error
    if any(head > 255 for head in heads) or tail >= 256 ** (_IPV4_PARTS + 1 - len(parts)):
        raise RequestError(f"not an IPv4 address: {host!r}")
    value = tail
    for index, head in enumerate(heads):
        value += head << (8 * (_IPV4_PARTS - 1 - index))
    return IPv4Address(value)


def _parse_number(part: str) -> int:
    if part[:2] in {"0x", "0X"}:
        return int(part[2:] or "0", 16)
    if len(part) > 1 and part.startswith("0"):
        return int(part, 8)
    return int(part)
