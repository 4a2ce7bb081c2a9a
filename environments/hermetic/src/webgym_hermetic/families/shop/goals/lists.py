"""Wishlist, comparison and stock alerts."""

from __future__ import annotations

from webgym_hermetic.families.shop.goals.said import listed, quoted
from webgym_hermetic.families.shop.goals.steps import tap, to_product, walk
from webgym_hermetic.families.shop.records import World
from webgym_hermetic.families.shop.state import State
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


class Wish(Goal, frozen=True):
    """Have these on the wishlist, and those no longer."""

    add: tuple[str, ...]
    remove: tuple[str, ...] = ()

    def facts(self, world: World) -> tuple[Fact, ...]:
        return (
            *(Fact(f"on:{sku}", f"{world.by_sku[sku].name} is on the wishlist.") for sku in self.add),
            *(Fact(f"off:{sku}", f"{world.by_sku[sku].name} is not on the wishlist.") for sku in self.remove),
        )

    def holds(self, fact: str, end: End) -> bool:
        state: State = end.state
        where, _, sku = fact.partition(":")
        return (sku in state.wished) == (where == "on")

    def next(self, view: View) -> Intent | None:
        world: World = view.world
        state: State = view.state
        for sku in self.remove:
            if sku in state.wished:
                here = tap(view, f"do:unwish:{sku}") or (tap(view, "do:unwish") if _at(view, sku) else None)
                return here or walk(view, "/wishlist")
        for sku in self.add:
            if sku not in state.wished:
                return (tap(view, "do:wish") if _at(view, sku) else None) or to_product(view, world.by_sku[sku])
        return None

    def spoil(self, fact: str, world: World) -> Wish:
        del world
        _, _, sku = fact.partition(":")
        return Wish(tuple(one for one in self.add if one != sku), tuple(one for one in self.remove if one != sku))

    def clauses(self, world: World) -> tuple[str, ...]:
        more = listed([quoted(world.by_sku[sku].name) for sku in self.add]) if self.add else ""
        less = listed([quoted(world.by_sku[sku].name) for sku in self.remove]) if self.remove else ""
        if not self.add:
            return (
                f"remove {less} from the wishlist",
                f"take {less} off my wishlist",
                f"make sure that {less} is no longer on the wishlist",
                f"delete {less} from my wishlist",
            )
        also = (f" and remove {less} from it", f", and take {less} off it", f"; {less} should no longer be on it")
        ends = also if self.remove else ("", "", "")
        return (
            f"add {more} to the wishlist{ends[0]}",
            f"put {more} on my wishlist{ends[1]}",
            f"save {more} to the wishlist for later{ends[2]}",
            f"make sure that my wishlist includes {more}{ends[2]}",
        )


class PutSideBySide(Goal, frozen=True):
    """Have exactly these products in the comparison."""

    skus: tuple[str, ...]
    extra: str = ""

    def facts(self, world: World) -> tuple[Fact, ...]:
        return (
            *(Fact(f"in:{sku}", f"{world.by_sku[sku].name} is in the comparison.") for sku in self.skus),
            Fact("only", "Nothing else is in the comparison."),
        )

    def holds(self, fact: str, end: End) -> bool:
        state: State = end.state
        if fact == "only":
            return bool(state.compared) and set(state.compared) <= set(self.skus)
        return fact.removeprefix("in:") in state.compared

    def next(self, view: View) -> Intent | None:
        world: World = view.world
        state: State = view.state
        wanted = (*self.skus, self.extra) if self.extra else self.skus
        for sku in state.compared:
            if sku not in wanted:
                here = tap(view, f"do:uncompare:{sku}") or (tap(view, "do:uncompare") if _at(view, sku) else None)
                return here or walk(view, "/compare")
        for sku in wanted:
            if sku not in state.compared:
                here = tap(view, f"do:compare:{sku}") or (tap(view, "do:compare") if _at(view, sku) else None)
                return here or to_product(view, world.by_sku[sku])
        return None

    def spoil(self, fact: str, world: World) -> PutSideBySide:
        if fact != "only":
            return PutSideBySide(tuple(sku for sku in self.skus if fact != f"in:{sku}"))
        return PutSideBySide(self.skus, next(one.sku for one in world.products if one.sku not in self.skus))

    def clauses(self, world: World) -> tuple[str, ...]:
        names = listed([quoted(world.by_sku[sku].name) for sku in self.skus])
        return (
            f"put {names} into the product comparison, and nothing else",
            f"set up a comparison of exactly {names}",
            f"add {names} to the comparison list so that only they are compared",
            f"use the compare feature for {names} and no other products",
        )


class AskForAlert(Goal, frozen=True):
    """Ask to be told when sold-out products are back."""

    skus: tuple[str, ...]

    def facts(self, world: World) -> tuple[Fact, ...]:
        return tuple(Fact(sku, f"A notification is set up for {world.by_sku[sku].name}.") for sku in self.skus)

    def holds(self, fact: str, end: End) -> bool:
        state: State = end.state
        return fact in state.alerts

    def next(self, view: View) -> Intent | None:
        world: World = view.world
        state: State = view.state
        for sku in self.skus:
            if sku not in state.alerts:
                return (tap(view, "do:alert") if _at(view, sku) else None) or to_product(view, world.by_sku[sku])
        return None

    def spoil(self, fact: str, world: World) -> AskForAlert:
        del world
        return AskForAlert(tuple(sku for sku in self.skus if sku != fact))

    def clauses(self, world: World) -> tuple[str, ...]:
        names = listed([quoted(world.by_sku[sku].name) for sku in self.skus])
        return (
            f"ask to be notified when {names} can be bought again",
            f"set up a back-in-stock notification for {names}",
            f"have the shop tell me when {names} is back in stock",
            f"sign up for a notification about the return of {names}",
        )


def _at(view: View, sku: str) -> bool:
    return view.path == f"/product/{sku}"
