"""Pictures by reference: what a row contains instead of a picture, and how to fetch its bytes.

A reference is a URL on the rollout worker that stores the picture, with the access token and the hash of the bytes:
`http://:TOKEN@HOST:PORT/sha256:…`. It travels through AReaL's own data plane only.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Protocol
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import msgspec

from webgym.records.base import Record, Variant
from webgym.records.observation import address_of

logger = logging.getLogger(__name__)

ROUTE = "/v1/pictures"
MOST_AT_ONCE = 256
"""Most pictures per request."""
_SECONDS = 60.0
_TRIES = 2


class Reference(Record, frozen=True):
    """Location of a picture."""

    keeper: str
    """`http://:TOKEN@HOST:PORT`."""
    address: str

    def __str__(self) -> str:
        return f"{self.keeper}/{self.address}"


def reference(text: str) -> Reference:
    """Parse the string form of a reference."""
    keeper, _, address = text.rpartition("/")
    return Reference(keeper, address)


class Missing(Variant, frozen=True):
    """A picture that cannot be fetched. Rows that contain it cannot be trained on; nothing else fails."""

    why: str


class Shelf(Protocol):
    """Resolves references to bytes."""

    def get_many(self, references: Iterable[Reference]) -> Mapping[Reference, bytes | Missing]:
        """Fetch each reference once. Blocks."""
        ...


class WebShelf:
    """Fetches pictures from the rollout workers."""

    def get_many(self, references: Iterable[Reference]) -> dict[Reference, bytes | Missing]:
        """Fetch each reference once, in as few requests as possible."""
        keepers: dict[str, list[Reference]] = {}
        for one in dict.fromkeys(references):
            keepers.setdefault(one.keeper, []).append(one)
        found: dict[Reference, bytes | Missing] = {}
        for keeper, wanted in keepers.items():
            for start in range(0, len(wanted), MOST_AT_ONCE):
                found |= _fetched(keeper, wanted[start : start + MOST_AT_ONCE])
        return found


def _fetched(keeper: str, wanted: list[Reference]) -> dict[Reference, bytes | Missing]:
    trouble = ""
    for _ in range(_TRIES):
        try:
            given = _asked(keeper, [one.address for one in wanted])
            return {one: _checked(one, given.get(one.address)) for one in wanted}
        except (URLError, OSError, msgspec.MsgspecError) as error:
            trouble = str(error)
    logger.warning("%s images could not be fetched from %s: %s", len(wanted), urlsplit(keeper).hostname, trouble)
    return {one: Missing(trouble) for one in wanted}


def _asked(keeper: str, addresses: list[str]) -> dict[str, bytes | None]:
    parts = urlsplit(keeper)
    asked = Request(  # noqa: S310 - the scheme is checked below
        f"{parts.scheme}://{parts.hostname}:{parts.port}{ROUTE}",
        data=msgspec.msgpack.encode(addresses),
        headers={"authorization": f"Bearer {parts.password}"},
    )
    if parts.scheme != "http":
        raise URLError(f"images cannot be fetched by {parts.scheme!r}: use http")
    with urlopen(asked, timeout=_SECONDS) as reply:  # noqa: S310 - likewise
        return msgspec.msgpack.decode(reply.read(), type=dict[str, bytes | None])


def _checked(one: Reference, data: bytes | None) -> bytes | Missing:
    if data is None:
        return Missing("its server does not have it, or evicted it to stay within the image budget")
    return data if address_of(data) == one.address else Missing("its server sent a different image")
