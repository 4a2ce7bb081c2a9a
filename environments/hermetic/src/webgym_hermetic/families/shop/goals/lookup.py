"""Finding out something about a product."""

from __future__ import annotations

from webgym_hermetic.families.shop.goals.question import Question, Subject, distinct, dollars
from webgym_hermetic.families.shop.goals.said import near, numbers_in, numeric, quoted
from webgym_hermetic.families.shop.goals.steps import look, look_late, to_product
from webgym_hermetic.families.shop.records import Product, World
from webgym_hermetic.families.shop.reviews import reviews_of
from webgym_hermetic.view import Intent, View

_ASKED = {
    "price": ("the price of {}", "what {} costs", "how much {} costs", "the current price of {}"),
    "rating": ("the average rating of {}", "how {} is rated on average", "the star rating of {}", "the rating of {}"),
    "reviews": ("how many reviews {} has", "the number of reviews of {}", "how often {} has been reviewed",
                "the review count of {}"),
    "left": ("how many of {} are left in stock", "the number of pieces of {} left", "how many {} are still available",
             "the remaining stock of {}"),
}  # fmt: skip
_LABELS = {"reviews": "number of reviews", "left": "number left"}


class LookUp(Question, frozen=True):
    """Say one attribute of a product: its price, rating, number of reviews, stock, or a line of its table of data."""

    sku: str
    topic: str
    claim: str = ""
    """What is said instead of the truth."""

    def subject(self, world: World) -> Subject:
        product = world.by_sku[self.sku]
        truth = value_of(product, self.topic)
        named = numbers_in(product.name)
        values = (value_of(other, self.topic) for other in near(world, product))
        name = quoted(product.name)
        plain = (f"the {self.topic.lower()} of {{}}", f"what is given as {quoted(self.topic)} for {{}}",
                 f"the {self.topic.lower()} stated on the page of {{}}",
                 f"which {self.topic.lower()} {{}} has according to its details")  # fmt: skip
        return Subject(
            label=f"the {_LABELS.get(self.topic, self.topic.lower())} of {product.title}",
            truth=truth,
            trail=(product.path,),
            key=f"fact:{self.topic}",
            rivals=distinct((value for value in values if numeric(value) not in named), truth),
            asked=tuple(text.format(name) for text in _ASKED.get(self.topic, plain)),
            money=self.topic == "price",
        )

    def claimed(self) -> str:
        return self.claim

    def claiming(self, claim: str) -> LookUp:
        return LookUp(self.sku, self.topic, claim)

    def next(self, view: View) -> Intent | None:
        product: Product = view.world.by_sku[self.sku]
        if view.path == product.path:
            return look(view, f"fact:{self.topic}")
        return None if view.visited(product.path) else to_product(view, product)


class ReadReview(Question, frozen=True):
    """Say who wrote the review with a certain headline, or how many stars it gives."""

    sku: str
    place: int
    stars: bool = False
    claim: str = ""

    def subject(self, world: World) -> Subject:
        product = world.by_sku[self.sku]
        reviews = reviews_of(world, product)
        review = reviews[self.place]
        name, title = quoted(product.name), quoted(review.title)
        if self.stars:
            return Subject(
                label=f"the stars of the review {title}",
                truth=str(review.stars),
                trail=(product.path,),
                key=self._key(),
                rivals=tuple(str(count) for count in range(1, 6) if count != review.stars),
                asked=(
                    f"how many stars the review {title} gives {name}",
                    f"the star rating in the review {title} of {name}",
                    f"how many stars {name} got in the customer review headed {title}",
                    f"how many stars the customer who wrote {title} gave {name}",
                ),
            )
        return Subject(
            label=f"the author of the review {title}",
            truth=review.author,
            trail=(product.path,),
            key=self._key(),
            rivals=distinct((one.author for one in reviews), review.author),
            asked=(
                f"who wrote the review {title} of {name}",
                f"the name of the customer who reviewed {name} as {title}",
                f"the author of the customer review {title} for {name}",
                f"which customer gave {name} the review headed {title}",
            ),
        )

    def claimed(self) -> str:
        return self.claim

    def claiming(self, claim: str) -> ReadReview:
        return ReadReview(self.sku, self.place, self.stars, claim)

    def next(self, view: View) -> Intent | None:
        product: Product = view.world.by_sku[self.sku]
        if view.path == product.path:
            return look_late(view, self._key(), "part:reviews")
        return None if view.visited(product.path) else to_product(view, product)

    def _key(self) -> str:
        return f"fact:{'stars' if self.stars else 'author'}:{self.place}"


def value_of(product: Product, topic: str) -> str:
    """What the product's page says under this heading."""
    match topic:
        case "price":
            return dollars(product.price)
        case "rating":
            return f"{product.stars:.1f}"
        case "reviews":
            return str(product.reviews)
        case "left":
            return str(product.stock) if 0 < product.stock <= 5 else ""
        case _:
            return dict(product.specs).get(topic, "")
