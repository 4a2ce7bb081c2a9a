"""Things to compare: the most, the newest, the cheapest."""

# ruff: noqa: ARG002  not every goal needs all that goals are given

from __future__ import annotations

from typing import Literal

from webgym_hermetic.answers import says_number, says_text
from webgym_hermetic.families.forum.goals.base import Question
from webgym_hermetic.families.forum.goals.ways import arrange, go, look, saw, to_thread
from webgym_hermetic.families.forum.listing import Row, arranged, filtered, matching, people_sorted, rows
from webgym_hermetic.families.forum.records import Member, World
from webgym_hermetic.families.forum.state import State
from webgym_hermetic.goal import End, Fact
from webgym_hermetic.view import Intent, View

ThreadOrder = Literal["top", "replies", "new"]
MemberOrder = Literal["reputation", "posts", "newest"]
_ORDERS: dict[str, tuple[str, str]] = {
    "top": ("most votes", "got the most votes"),
    "replies": ("most replies", "got the most replies"),
    "new": ("latest starting date", "was started last"),
}
_MEMBER_ORDERS: dict[str, tuple[str, str]] = {
    "reputation": ("highest reputation", "has the highest reputation"),
    "posts": ("most posts", "wrote the most posts"),
    "newest": ("latest joining date", "joined last"),
}


def ranked(world: World, board: str, order: str, tag: str) -> list[Row]:
    """The threads of a board, or of all, in an order; the newest without those that are pinned."""
    found = filtered(rows(world, State()), board=board, tag=tag)
    return arranged([one for one in found if order != "new" or not one.thread.pinned], order)


class FindThread(Question, frozen=True):
    """Which thread is first in some order; perhaps it is to be opened as well."""

    board: str
    """Empty: all boards."""
    order: ThreadOrder
    tag: str = ""
    open: bool = False
    claim: str = ""

    def _found(self, world: World) -> list[Row]:
        return ranked(world, self.board, self.order, self.tag)

    def _where(self, world: World) -> str:
        tagged = f" tagged “{self.tag}”" if self.tag else ""
        return (
            f"{tagged} in the board “{world.board_of[self.board].name}”"
            if self.board
            else f"{tagged} on the whole forum"
        )

    def facts(self, world: World) -> tuple[Fact, ...]:
        title = self._found(world)[0].thread.title
        fact = Fact(
            "title", f"The answer names the thread{self._where(world)} that {_ORDERS[self.order][1]}: “{title}”."
        )
        return (fact, Fact("opened", f"The thread “{title}” was opened.")) if self.open else (fact,)

    def said(self, fact: str, world: World, answer: str) -> bool:
        best, *rest = self._found(world)
        return fact == "opened" or says_text(
            answer, best.thread.title, rivals=tuple(one.thread.title for one in rest[:5])
        )

    def holds(self, fact: str, end: End) -> bool:
        if fact == "opened":
            path = self._found(end.world)[0].thread.path
            return any(visit.partition("?")[0] == path for visit in end.visits)
        return self.said(fact, end.world, end.answer)

    def next(self, view: View) -> Intent | None:
        path = f"/board/{self.board}" if self.board else "/latest"
        best = self._found(view.world)[0].thread
        if not saw(view, path, sort=self.order, tag=self.tag, page=""):
            return go(view, path) or arrange(view, path, sort=self.order, tag=self.tag)
        return to_thread(view, best.id) if self.open and not view.visited(best.path) else None

    def spoil(self, fact: str, world: World) -> FindThread:
        if fact == "opened":
            return FindThread(self.board, self.order, self.tag, open=False)
        return FindThread(self.board, self.order, self.tag, self.open, self._found(world)[1].thread.title)

    def clauses(self, world: World) -> tuple[str, ...]:
        most, did = _ORDERS[self.order]
        where = self._where(world)
        then = " and open it" if self.open else ""
        also = "; open that thread as well" if self.open else ""
        note = ", leaving out pinned ones" if self.order == "new" else ""
        return (
            f"find the thread{where} that {did}{note}{then}, and tell me its title",
            f"sort the threads{where} and tell me the title of the one with the {most}{note}{also}",
            f"find out which thread{where} {did}{note}{then}; answer with its title",
            f"name the thread{where} with the {most}{note}{' and open its page' if self.open else ''}",
        )

    def answer(self, world: World) -> str:
        return f"The thread is “{self.claim or self._found(world)[0].thread.title}”."

    def places(self, world: World) -> tuple[str, ...]:
        return (f"/board/{self.board}" if self.board else "/latest", self._found(world)[0].thread.path)


class FindMember(Question, frozen=True):
    """Who of the members with something in their name or place is first in some order."""

    word: str
    order: MemberOrder
    claim: str = ""

    def _found(self, world: World) -> list[Member]:
        return people_sorted(matching(world.members, self.word), self.order)

    def _with(self, world: World) -> str:
        if any(one.location == self.word for one in world.members):
            return f"from {self.word}"
        return f"with “{self.word}” in the user name"

    def facts(self, world: World) -> tuple[Fact, ...]:
        does, best = _MEMBER_ORDERS[self.order][1], self._found(world)[0].handle
        text = f"The answer names the member {self._with(world)} who {does}: {best}."
        return (Fact("member", text),)

    def said(self, fact: str, world: World, answer: str) -> bool:
        best, *rest = self._found(world)
        return says_text(answer, best.handle, rivals=tuple(one.handle for one in rest))

    def next(self, view: View) -> Intent | None:
        if saw(view, "/members", sort=self.order, find=self.word, page=""):
            return None
        return go(view, "/members") or arrange(view, "/members", sort=self.order, find=self.word)

    def spoil(self, fact: str, world: World) -> FindMember:
        return FindMember(self.word, self.order, self._found(world)[1].handle)

    def clauses(self, world: World) -> tuple[str, ...]:
        most, does = _MEMBER_ORDERS[self.order]
        those = self._with(world)
        return (
            f"find out which member {those} {does}",
            f"look through the member directory and tell me who of the members {those} has the {most}",
            f"tell me the user name of the member {those} who has the {most}",
            f"filter the member list for members {those} and name the one with the {most}",
        )

    def answer(self, world: World) -> str:
        return f"It is {self.claim or self._found(world)[0].handle}."

    def places(self, world: World) -> tuple[str, ...]:
        return ("/members",)


class CompareOffers(Question, frozen=True):
    """Which of several offers is the cheapest, and what it costs to have it sent."""

    threads: tuple[str, ...]
    claim_price: int = -1
    claim_postage: int = -1

    def _prices(self, world: World) -> list[tuple[int, int, str]]:
        posts = [(world.thread_of[key].posts[0], key) for key in self.threads]
        return sorted((int(post.figures[0].value), int(post.figures[1].value), key) for post, key in posts)

    def facts(self, world: World) -> tuple[Fact, ...]:
        price, postage, key = self._prices(world)[0]
        title = world.thread_of[key].title
        return (
            Fact("price", f"The answer gives the asking price of the cheapest offer, “{title}”: ${price}."),
            Fact("postage", f"The answer gives the postage of that offer: ${postage}."),
        )

    def said(self, fact: str, world: World, answer: str) -> bool:
        (price, postage, _), *rest = self._prices(world)
        if fact == "price":
            return says_number(answer, price, rivals=tuple(one for one, _, _ in rest if one not in (price, postage)))
        return says_number(answer, postage, rivals=tuple(one for _, one, _ in rest if one not in (price, postage)))

    def next(self, view: View) -> Intent | None:
        for key in self.threads:
            path = f"/thread/{key}"
            if view.path == path or not view.visited(path):
                way = to_thread(view, key) or look(view, f"text:{key}-1")
                if way is not None:
                    return way
        return None

    def spoil(self, fact: str, world: World) -> CompareOffers:
        (_, postage, _), *rest = self._prices(world)
        if fact == "price":
            return CompareOffers(self.threads, claim_price=rest[0][0])
        other = next((one for _, one, _ in rest if one != postage), postage + 40)
        return CompareOffers(self.threads, claim_postage=other)

    def clauses(self, world: World) -> tuple[str, ...]:
        titles = [f"“{world.thread_of[key].title}”" for key in self.threads]
        listed = f"{', '.join(titles[:-1])} and {titles[-1]}"
        return (
            f"compare the offers {listed}: tell me asking price and postage of the cheapest one, and no other prices",
            f"find out which of {listed} has the lowest asking price; answer with that price and its postage only",
            f"look at {listed} and report only the lowest asking price and the postage of that offer",
            f"tell me asking price and postage of whichever is cheapest among {listed}, nothing about the others",
        )

    def answer(self, world: World) -> str:
        price, postage, _ = self._prices(world)[0]
        price = price if self.claim_price < 0 else self.claim_price
        postage = postage if self.claim_postage < 0 else self.claim_postage
        return f"The cheapest one costs ${price} plus ${postage} postage."

    def places(self, world: World) -> tuple[str, ...]:
        return tuple(world.thread_of[key].path for key in self.threads)
