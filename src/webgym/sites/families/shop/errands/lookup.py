"""Finding out something about a product."""

from __future__ import annotations

from webgym.sites.errand import End, Errand, Fact
from webgym.sites.families.shop.errands.said import money, near, numbers_in, numeric, says_value
from webgym.sites.families.shop.errands.steps import look, to_product
from webgym.sites.families.shop.records import Product, World
from webgym.sites.view import Intent, View

_ASKED = {
    "price": ("the price of {}", "what {} costs", "how much {} costs", "the current price of {}"),
    "rating": ("the average rating of {}", "how {} is rated on average", "the star rating of {}", "{}'s average rating"),
    "reviews": ("how many reviews {} has", "the number of reviews of {}", "how often {} has been reviewed",
                "the review count of {}"),
    "left": ("how many of {} are left in stock", "the number of pieces of {} left", "how many {} are still available",
             "the remaining stock of {}"),
}  # fmt: skip
_VERBS = ("find out", "tell me", "look up", "check and report")


class LookUp(Errand, frozen=True):
    """Say one attribute of a product: its price, rating, number of reviews, stock, or a line of its table of data."""

    sku: str
    topic: str
    claim: str = ""
    """What is said instead of the truth."""

    def facts(self, world: World) -> tuple[Fact, ...]:
        product = world.by_sku[self.sku]
        return (Fact("answer", f"The answer says that {self._label()} of {product.name} is {self._truth(world)}."),)

    def holds(self, fact: str, end: End) -> bool:
        del fact
        return says_value(end.answer, self._truth(end.world), self._rivals(end.world))

    def next(self, view: View) -> Intent | None:
        product: Product = view.world.by_sku[self.sku]
        if view.path == product.path:
            return look(view, f"fact:{self.topic}")
        return None if view.visited(product.path) else to_product(view, product)

    def spoil(self, fact: str, world: World) -> LookUp:
        del fact
        truth = self._truth(world)
        others = [value for value in self._rivals(world) if value != truth]
        number = numeric(truth)
        wrong = others[0] if others else f"{number + 3:g}" if number is not None else "not stated"
        return LookUp(self.sku, self.topic, wrong)

    def clauses(self, world: World) -> tuple[str, ...]:
        name = f"“{world.by_sku[self.sku].name}”"
        label = self.topic.lower()
        asked = _ASKED.get(
            self.topic,
            (f"the {label} of {name}", f"what is given as “{self.topic}” for {name}",
             f"the {label} stated on the page of {name}", f"which {label} {name} has according to its details"),
        )  # fmt: skip
        return tuple(f"{verb} {text.format(name)}" for verb, text in zip(_VERBS, asked, strict=True))

    def answer(self, world: World) -> str:
        value = self.claim or self._truth(world)
        shown = f"${value}" if self.topic == "price" else value
        return f"{self._label().capitalize()} of {world.by_sku[self.sku].title}: {shown}."

    def _label(self) -> str:
        names = {"reviews": "number of reviews", "left": "number left"}
        return names.get(self.topic, self.topic.lower())

    def _truth(self, world: World) -> str:
        return value_of(world.by_sku[self.sku], self.topic)

    def _rivals(self, world: World) -> list[str]:
        """The same attribute of what it could be taken for, unless its own name says it."""
        product = world.by_sku[self.sku]
        truth = self._truth(world)
        named = numbers_in(product.name)
        values = dict.fromkeys(value_of(other, self.topic) for other in near(world, product))
        fair = [value for value in values if value and value != truth and numeric(value) not in named]
        return fair[:6]


def value_of(product: Product, topic: str) -> str:
    """What the product's page says under this heading."""
    match topic:
        case "price":
            return money(product.price).lstrip("$").replace(",", "")
        case "rating":
            return f"{product.stars:.1f}"
        case "reviews":
            return str(product.reviews)
        case "left":
            return str(product.stock) if 0 < product.stock <= 5 else ""
        case _:
            return dict(product.specs).get(topic, "")
