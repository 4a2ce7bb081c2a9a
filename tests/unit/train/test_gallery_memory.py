"""What a trainer remembers of pictures does not grow with the days that it runs."""

from __future__ import annotations

from tests.unit.train import tiny

from webgym.train import images
from webgym.train.images import PatchCache
from webgym.train.shape import shape_of


def test_sizes_of_pictures_are_forgotten_oldest_first(monkeypatch):
    monkeypatch.setattr(images, "MOST_SIZES", 3)
    fetched: list[str] = []

    def fetch(address: str) -> bytes:
        fetched.append(address)
        return tiny.PICTURES[address]

    gallery = PatchCache(fetch, tiny.processor(), shape_of(tiny.config()).vision, encoded_bytes=0)
    first = [gallery.grid(address) for address in "abcde"]
    assert [gallery.grid(address) for address in "cde"] == first[2:]
    assert fetched == list("abcde")
    assert gallery.grid("a") == first[0]
    assert fetched == list("abcdea")
