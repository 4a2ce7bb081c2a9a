"""What a scripted vision-language model can know: what each picture shows, by the hash of its bytes. Nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webgym.records.observation import address_of
from webgym.records.verdict import Finding


@dataclass(frozen=True, slots=True)
class Page:
    """What can be read on one picture."""

    shows: frozenset[str] = frozenset()
    """Facts and claims that it shows to be so."""
    denies: frozenset[str] = frozenset()
    """Facts and claims that it shows not to be so."""
    refuses: str = ""
    """If the website refuses to serve: what it says."""


class World:
    """Pictures and what they show."""

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
        """From now on this picture, and the copies of it (smaller ones, say), show these and nothing else."""
        page = Page(frozenset(map(plain, shows)), frozenset(map(plain, denies)), refuses)
        for one in (picture, *copies):
            self._pages[address_of(one)] = page

    def about_answer(self, fact: str, says: str) -> None:
        """This fact is about the answer, not about pages: it holds if the answer says this."""
        self._about_answers[plain(fact)] = plain(says)

    def page(self, picture: bytes) -> Page:
        """What this picture shows; nothing if it is not known."""
        return self._pages.get(address_of(picture), Page())

    def wanted_in_answer(self, fact: str) -> str | None:
        """Of a fact about the answer: what it must say."""
        return self._about_answers.get(plain(fact))

    def finding(self, pictures: Sequence[bytes], statement: str) -> tuple[Finding, tuple[int, ...]]:
        """What these pictures, in the order in which they were seen, say about a statement, and which of them say it.

        The latest that says anything counts: what was undone is not so.
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
    """Without differences that mean nothing: case, spaces, a full stop at the end."""
    return " ".join(text.split()).casefold().rstrip(".!")
