"""An LRU cache bounded in bytes."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, Protocol, TypeVar


class CacheItem(Protocol):
    """Something with a size in bytes."""

    @property
    def bytes(self) -> int: ...


V = TypeVar("V", bound=CacheItem)


class Lru(Generic[V]):
    """Values by name; the least recently used are evicted first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[str, V] = OrderedDict()
        self.bytes = 0

    def get(self, name: str) -> V | None:
        """Return the value, if it is still cached."""
        found = self._kept.get(name)
        if found is not None:
            self._kept.move_to_end(name)
        return found

    def put(self, name: str, value: V) -> list[V]:
        """Cache a value, unless it alone is too large, and return those evicted for it."""
        old = self._kept.pop(name, None)
        self.bytes -= old.bytes if old is not None else 0
        if value.bytes > self._most:
            return []
        self._kept[name] = value
        self.bytes += value.bytes
        evicted: list[V] = []
        while self.bytes > self._most:
            _, gone = self._kept.popitem(last=False)
            self.bytes -= gone.bytes
            evicted.append(gone)
        return evicted

    def clear(self) -> None:
        self._kept.clear()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._kept)
