"""The only knowledge of a scripted vision-language model: what each picture shows, by the hash of its bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webgym.records.observation import address_of
from webgym.records.verdict import Finding


@dataclass(frozen=True, slots=True)
class Page:
    """What one picture shows."""

    shows: frozenset[str] = frozenset()
    """Facts and claims that it supports."""
    denies: frozenset[str] = frozenset()
    """Facts and claims that it contradicts."""
    refuses: str = ""
    """The website's message, if it refuses to serve; empty otherwise."""


class World:
    """A set of pictures and what they show."""

    def __init__(self) -> None:
        self._pages: dict[str, Page] = {}
        self._about_answers: dict[str, str] = {}

    def show(
        self,
        picture: bytes,
        *,
        shows: Iterable[str] = (),
        denies: Iterable[str] = (),
        refuses: str = "",
        copies: Iterable[bytes] = (),
    ) -> None:
        """Define all that a picture and its copies (resized ones, for example) show."""
        page = Page(frozenset(map(plain, shows)), frozenset(map(plain, denies)), refuses)
        for copy in (picture, *copies):
            self._pages[address_of(copy)] = page

    def about_answer(self, fact: str, says: str) -> None:
        """Define a fact about the answer instead of pages: it holds if the answer contains this text."""
        self._about_answers[plain(fact)] = plain(says)

    def page(self, picture: bytes) -> Page:
        """Return what a picture shows; an empty page if it is unknown."""
        return self._pages.get(address_of(picture), Page())

    def wanted_in_answer(self, fact: str) -> str | None:
        """Return the text that the answer must contain for this fact; None if the fact is not about the answer."""
        return self._about_answers.get(plain(fact))

    def finding(self, pictures: Sequence[bytes], statement: str) -> tuple[Finding, tuple[int, ...]]:
        """Return the finding on a statement from pictures in chronological order, and the indices of the evidence.

        The latest picture about the statement decides: what was undone does not hold.
        """
        wanted = plain(statement)
        for index in range(len(pictures) - 1, -1, -1):
            page = self.page(pictures[index])
            if wanted in page.denies:
                return "contradicted", (index,)
            if wanted in page.shows:
                return "supported", (index,)
        return "not_shown", ()


def plain(text: str) -> str:
    """Normalise case, whitespace and final punctuation."""
    return " ".join(text.split()).casefold().rstrip(".!")
