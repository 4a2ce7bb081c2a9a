"""Choosing between products: the best of a category, the better of a few, a list narrowed down."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from webgym_hermetic.families.shop.goals.best import Best
from webgym_hermetic.families.shop.goals.lookup import value_of
from webgym_hermetic.families.shop.goals.said import listed, near, quoted, says_product, says_value
from webgym_hermetic.families.shop.goals.steps import filter_list, look, through_list, to_product
from webgym_hermetic.families.shop.listing import RATINGS, SORTS, band
from webgym_hermetic.families.shop.records import Product, World
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View

_MORE = {
    "price": ("costs more", "more expensive", "most expensive", "highest price"),
    "rating": ("is rated better", "better rated", "best rated", "highest rating"),
    "reviews": ("has more reviews", "more often reviewed", "most often reviewed", "largest number of reviews"),
}
_LESS = {
    "price": ("costs less", "cheaper", "cheapest", "lowest price"),
    "rating": ("is rated worse", "worse rated", "worst rated", "lowest rating"),
    "reviews": ("has fewer reviews", "less often reviewed", "least often reviewed", "smallest number of reviews"),
}


class FindBest(Goal, frozen=True):
    """Say which product of a category comes first, and what it costs or is rated."""

    best: Best
    topics: tuple[str, ...] = ()
    """What else to say about it."""
    wrong: str = ""
    """The fact that is not told truly."""

    def facts(self, world: World) -> tuple[Fact, ...]:
        product = world.by_sku[self.best.sku]
        named = Fact("name", f"The answer names {product.name}.")
        return (named, *(Fact(topic, f"The answer says that its {topic} is {value_of(product, topic)}.")
                         for topic in self.topics))  # fmt: skip

    def holds(self, fact: str, end: End) -> bool:
        world: World = end.world
        product = world.by_sku[self.best.sku]
        if fact == "name":
            return says_product(end.answer, product, _others(world, product))
        return says_value(end.answer, value_of(product, fact))

    def next(self, view: View) -> Intent | None:
        return to_best(view, self.best)

    def spoil(self, fact: str, world: World) -> FindBest:
        del world
        return FindBest(self.best, self.topics, fact)

    def clauses(self, world: World) -> tuple[str, ...]:
        more = "".join(f" and its {topic}" for topic in self.topics)
        texts = [self.best.text(world, style) for style in range(3)]
        return (
            f"find {texts[0]} and tell me its name{more}",
            f"tell me the name of {texts[1]}{more}",
            f"look for {texts[2]} and report what it is called{more}",
            f"find out which one is {texts[0]}; give me its name{more}",
        )

    def answer(self, world: World) -> str:
        product = world.by_sku[self.best.sku]
        named = _others(world, product)[0] if self.wrong == "name" else product
        values = ", ".join(f"{topic} {self._value(product, topic)}" for topic in self.topics)
        return f"It is the {named.title} {named.variant}{', ' + values if values else ''}."

    def _value(self, product: Product, topic: str) -> str:
        value = value_of(product, topic)
        return value if topic != self.wrong else f"{float(value) + 1.1:.2f}"


class CompareProducts(Goal, frozen=True):
    """Say which of some products has more of something, and how much that is."""

    skus: tuple[str, ...]
    topic: str
    most: bool
    wrong: str = ""

    def facts(self, world: World) -> tuple[Fact, ...]:
        winner = self.winner(world)
        return (
            Fact("which", f"The answer names {winner.name}."),
            Fact("value", f"The answer says that its {self._noun()} is {value_of(winner, self.topic)}."),
        )

    def holds(self, fact: str, end: End) -> bool:
        winner = self.winner(end.world)
        if fact == "which":
            losers = [end.world.by_sku[sku] for sku in self.skus if sku != winner.sku]
            return says_product(end.answer, winner, losers)
        return says_value(end.answer, value_of(winner, self.topic))

    def next(self, view: View) -> Intent | None:
        world: World = view.world
        for sku in self.skus:
            product = world.by_sku[sku]
            if view.path == product.path and (step := look(view, f"fact:{self.topic}")):
                return step
            if not view.visited(product.path):
                return to_product(view, product)
        return None

    def spoil(self, fact: str, world: World) -> CompareProducts:
        del world
        return CompareProducts(self.skus, self.topic, self.most, fact)

    def clauses(self, world: World) -> tuple[str, ...]:
        names = [quoted(world.by_sku[sku].name) for sku in self.skus]
        words = (_MORE if self.most else _LESS)[self.topic]
        noun = self._noun()
        if len(names) == 2:
            return (
                f"find out which {words[0]}, {names[0]} or {names[1]}, and say what its {noun} is",
                f"compare {names[0]} with {names[1]} and tell me which one is {words[1]} and its {noun}",
                f"tell me whether {names[0]} or {names[1]} {words[0]}, together with its {noun}",
                f"check which of {names[0]} and {names[1]} has the {words[3]}; name it and its {noun}",
            )
        all_of = listed(names)
        return (
            f"find out which of {all_of} has the {words[3]}, and what that {noun} is",
            f"compare {all_of} and tell me which is {words[2]} and its {noun}",
            f"tell me which of {all_of} is {words[2]}, together with its {noun}",
            f"check {all_of} and name the one with the {words[3]}, with its {noun}",
        )

    def answer(self, world: World) -> str:
        winner = self.winner(world)
        named = winner if self.wrong != "which" else next(world.by_sku[sku] for sku in self.skus if sku != winner.sku)
        value = value_of(winner, self.topic)
        said = value if self.wrong != "value" else f"{float(value) + 2:g}"
        return f"It is the {named.title} {named.variant}, with {said}."

    def winner(self, world: World) -> Product:
        """The product that has the most or the least."""
        order = sorted((world.by_sku[sku] for sku in self.skus), key=lambda one: float(value_of(one, self.topic)))
        return order[-1] if self.most else order[0]

    def _noun(self) -> str:
        return "number of reviews" if self.topic == "reviews" else self.topic


class NarrowList(Goal, frozen=True):
    """End on a category's list, filtered and sorted so."""

    category: str
    limits: tuple[tuple[str, str], ...]
    """Filters and order, as the address has them."""

    def facts(self, world: World) -> tuple[Fact, ...]:
        shelf = world.by_slug[self.category].name
        return (
            Fact("category", f"The last page shown is the list of {shelf}."),
            *(Fact(name, f"Its {name} is set to {self._label(world, name)}.") for name, _ in self.limits),
        )

    def holds(self, fact: str, end: End) -> bool:
        if not end.visits:
            return False
        path, query = _split(end.visits[-1])
        if fact == "category":
            return path == f"/category/{self.category}"
        return path.startswith("/category/") and query.get(fact, "") == dict(self.limits)[fact]

    def next(self, view: View) -> Intent | None:
        return filter_list(view, f"/category/{self.category}", dict(self.limits))

    def spoil(self, fact: str, world: World) -> NarrowList:
        if fact != "category":
            return NarrowList(self.category, tuple((name, value) for name, value in self.limits if name != fact))
        others = [one for one in world.categories if one.slug != self.category and self._fits(world, one.slug)]
        return NarrowList(others[0].slug, self.limits)

    def clauses(self, world: World) -> tuple[str, ...]:
        shelf = quoted(world.by_slug[self.category].name)
        filters = [f"{name} {self._label(world, name)}" for name, _ in self.limits if name not in ("sort", "stock")]
        if ("stock", "on") in self.limits:
            filters.append("only products in stock")
        by = f", sorted by {quoted(self._label(world, 'sort'))}" if "sort" in dict(self.limits) else ""
        what = f" filtered by {listed(filters)}" if filters else ""
        return (
            f"open the {shelf} category{what}{by}, and stay on that list",
            f"show me the list of {shelf}{what}{by}",
            f"go to {shelf} and leave the page showing the products{what}{by}",
            f"bring up the {shelf} listing{what}{by}, and end there",
        )

    def _label(self, world: World, name: str) -> str:
        value = dict(self.limits)[name]
        match name:
            case "sort":
                return dict(SORTS)[value]
            case "rating":
                return dict(RATINGS)[value]
            case "price":
                found = band(world, value)
                return found.label if found else value
            case "stock":
                return "in stock only"
            case _:
                return value

    def _fits(self, world: World, category: str) -> bool:
        """Whether another category offers the same values."""
        goods = world.listed(category)
        return all(
            any(getattr(product, name) == value for product in goods)
            for name, value in self.limits
            if name in ("brand", "colour")
        )

    def fair(self, world: World) -> bool:
        """Whether each of its facts can be got wrong by itself."""
        return any(one.slug != self.category and self._fits(world, one.slug) for one in world.categories)


class OpenBest(Goal, frozen=True):
    """End on the page of the product that comes first."""

    best: Best
    other: str = ""
    """Opened instead."""

    def facts(self, world: World) -> tuple[Fact, ...]:
        return (Fact("page", f"The last page shown is that of {world.by_sku[self.best.sku].name}."),)

    def holds(self, fact: str, end: End) -> bool:
        del fact
        return bool(end.visits) and _split(end.visits[-1])[0] == f"/product/{self.best.sku}"

    def next(self, view: View) -> Intent | None:
        product = view.world.by_sku[self.other or self.best.sku]
        if view.path == product.path:
            return None
        return to_product(view, product) if self.other else through_list(view, self.best)

    def spoil(self, fact: str, world: World) -> OpenBest:
        del fact
        return OpenBest(self.best, _others(world, world.by_sku[self.best.sku])[0].sku)

    def clauses(self, world: World) -> tuple[str, ...]:
        texts = [self.best.text(world, style) for style in range(3)]
        return (
            f"open the page of {texts[0]}",
            f"find {texts[1]} and open its product page",
            f"go to the product page of {texts[2]} and stay there",
            f"show me the details page of {texts[0]}",
        )


def to_best(view: View, best: Best) -> Intent | None:
    """Towards the page of a described product, by way of the filtered list; None if it was shown."""
    return None if view.visited(f"/product/{best.sku}") else through_list(view, best)


def _others(world: World, product: Product) -> list[Product]:
    """Products of its category that must not be named beside it."""
    close = near(world, product)
    return close or [one for one in world.listed(product.category) if one.sku != product.sku]


def _split(address: str) -> tuple[str, Mapping[str, str]]:
    parts = urlsplit(address)
    return parts.path, dict(parse_qsl(parts.query))
