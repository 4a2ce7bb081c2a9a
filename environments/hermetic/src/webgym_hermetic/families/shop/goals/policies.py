"""Finding out something about the shop, its stores, the account or an old order."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.families.shop.goals.question import Question, Subject, distinct, dollars
from webgym_hermetic.families.shop.goals.said import money
from webgym_hermetic.families.shop.records import Past, Store, Terms, World

RETURNS, DELIVERY, HELP = ("/help", "/help/returns"), ("/help", "/help/delivery"), ("/help",)
POLICIES: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "return_days": ("the return period in days", RETURNS, (
        "how many days customers have to return something", "the number of days within which items can be sent back",
        "how long, in days, one can return a purchase", "the shop's return period in days")),
    "return_fee": ("the cost of returning by post", RETURNS, (
        "how much is kept of the refund if one returns something by post", "what returning a parcel by post costs",
        "the fee for returns by post", "the amount deducted from the refund for returns by post")),
    "refund_days": ("the days a refund takes", RETURNS, (
        "how many working days refunds take", "how long, in working days, one waits for a refund",
        "the number of working days until a refund is paid", "after how many working days the money comes back")),
    "free_from": ("the order value for free standard delivery", DELIVERY, (
        "from what order value standard delivery is free", "how much one must spend to get free standard delivery",
        "the threshold for free standard delivery", "the smallest order that is delivered free of charge")),
    "wrap": ("the price of gift wrap", HELP, (
        "what gift wrap costs per order", "the price of having an order gift-wrapped", "how much gift wrapping costs",
        "the charge for gift wrap according to the help pages")),
    "price_match_days": ("the days of the price promise", HELP, (
        "within how many days of an order the shop matches lower prices", "for how many days the price promise holds",
        "the number of days the price match applies", "how many days one has to claim the price promise")),
    "gift_card_years": ("the years gift cards are valid", HELP, (
        "for how many years gift cards are valid", "how long, in years, a gift card can be used",
        "the number of years until a gift card expires", "how many years one has to spend a gift card")),
    "phone": ("the phone number of customer service", HELP, (
        "the phone number of customer service", "which number to call to reach the shop's help line",
        "the telephone number of the help centre", "under which phone number customer service can be reached")),
}  # fmt: skip
_ORDERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "total": ("the total of order {}", (
        "how much order {} came to in total", "the total of order {}, with delivery",
        "what was paid for order {} altogether", "the total amount of order {}")),
    "tracking": ("the tracking number of order {}", (
        "the tracking number of order {}", "which tracking number order {} has",
        "under what number the parcel of order {} is tracked", "order {}'s tracking number")),
    "carrier": ("the carrier of order {}", (
        "which carrier delivered order {}", "the carrier of order {}", "by which carrier order {} was sent",
        "the parcel service used for order {}")),
    "day": ("the day of order {}", (
        "on what date order {} was placed", "the date of order {}", "when order {} was placed",
        "the day on which order {} was made")),
}  # fmt: skip
_CONFUSED = {
    "return_fee": ("wrap",),
    "wrap": ("return_fee",),
    "return_days": ("refund_days", "price_match_days"),
    "refund_days": ("return_days",),
    "price_match_days": ("return_days",),
}
"""Which terms could be taken for another."""


class AskPolicy(Question, frozen=True):
    """Say what the help pages say."""

    topic: str
    claim: str = ""

    def subject(self, world: World) -> Subject:
        label, trail, asked = POLICIES[self.topic]
        truth = _term(world.terms, self.topic)
        rivals = _CONFUSED.get(self.topic, ())
        return Subject(
            label=label,
            truth=truth,
            trail=trail,
            key=f"fact:{self.topic}",
            rivals=distinct((_term(world.terms, name) for name in rivals), truth),
            asked=asked,
            money=self.topic in ("return_fee", "free_from", "wrap"),
        )

    def claimed(self) -> str:
        return self.claim

    def claiming(self, claim: str) -> AskPolicy:
        return AskPolicy(self.topic, claim if claim != "not stated" else "555-000-0000")


class AskStore(Question, frozen=True):
    """Say when a store closes on a certain day, or its phone number or street."""

    store: str
    topic: str
    """`phone`, `street`, or a day of the week."""
    claim: str = ""

    def subject(self, world: World) -> Subject:
        store = next(one for one in world.stores if one.slug == self.store)
        trail = ("/stores", f"/stores/{store.slug}")
        others = [one for one in world.stores if one.slug != store.slug]
        name = f"the {store.name} store"
        if self.topic in ("phone", "street"):
            truth: str = getattr(store, self.topic)
            word = "phone number" if self.topic == "phone" else "street and house number"
            asked = (
                f"the {word} of {name}",
                f"which {word} {name} has",
                f"the {word} listed for {name}",
                f"{name}'s {word}",
            )
            rivals = distinct((getattr(one, self.topic) for one in others), truth)
            return Subject(f"the {word} of {name}", truth, trail, f"fact:{self.topic}", rivals, asked=asked)
        truth = closing(store, self.topic)
        asked = (
            f"when {name} closes on {self.topic}",
            f"until what time {name} is open on {self.topic}",
            f"the closing time of {name} on {self.topic}s",
            f"at what time {name} shuts on a {self.topic}",
        )
        times = (closing(store, day) for day, _ in store.hours)
        return Subject(
            label=f"the closing time of {name} on {self.topic}",
            truth=truth,
            trail=trail,
            key=f"fact:hours:{self.topic}",
            rivals=distinct(times, truth),
            spellings=_evening(truth),
            asked=asked,
        )

    def claimed(self) -> str:
        return self.claim

    def claiming(self, claim: str) -> AskStore:
        return AskStore(self.store, self.topic, claim if claim != "not stated" else "23:45")


class AskOrder(Question, frozen=True):
    """Say something about an order from before."""

    number: str
    topic: str
    claim: str = ""

    def subject(self, world: World) -> Subject:
        order = world.by_order[self.number]
        truth = _of_order(order, self.topic)
        label, asked = _ORDERS[self.topic]
        others = (_of_order(one, self.topic) for one in world.orders)
        return Subject(
            label=label.format(self.number),
            truth=truth,
            trail=("/orders", f"/orders/{self.number}"),
            key=f"fact:{self.topic}",
            rivals=distinct(others, truth),
            asked=tuple(text.format(self.number) for text in asked),
            money=self.topic == "total",
            day=self.topic == "day",
        )

    def claimed(self) -> str:
        return self.claim

    def claiming(self, claim: str) -> AskOrder:
        return AskOrder(self.number, self.topic, claim)


class AskAccount(Question, frozen=True):
    """Say what the account page says."""

    topic: str
    """`points`, `balance` or `since`."""
    claim: str = ""

    def subject(self, world: World) -> Subject:
        who = world.customer
        match self.topic:
            case "points":
                label, truth = "the loyalty points on the account", str(who.points)
                asked = ("how many loyalty points are on the account", "the number of loyalty points collected so far",
                         "the account's loyalty points", "how many loyalty points I have")  # fmt: skip
            case "balance":
                label, truth = "the balance of the gift card", dollars(who.gift_balance)
                asked = ("how much is left on the gift card", "the balance of the gift card in the account",
                         "my gift card's balance", "the remaining value of the gift card on the account")  # fmt: skip
            case _:
                label, truth = "the year of becoming a member", who.member_since
                asked = ("since what year the account exists", "the year in which I became a member",
                         "since which year I have been a member", "the member-since year of the account")  # fmt: skip
        return Subject(label, truth, ("/account",), f"fact:{self.topic}", asked=asked, money=self.topic == "balance")

    def claimed(self) -> str:
        return self.claim

    def claiming(self, claim: str) -> AskAccount:
        return AskAccount(self.topic, claim)


def closing(store: Store, day: str) -> str:
    """When a store closes; empty if it does not open."""
    return dict(store.hours)[day].rpartition(" ")[2] if "closed" not in dict(store.hours)[day].lower() else ""


def open_days(store: Store, rng: Rng) -> str:
    return rng.pick([day for day, _ in store.hours if closing(store, day)])


def _evening(time: str) -> tuple[str, ...]:
    """`18:00` as people say it."""
    hour, _, minute = time.partition(":")
    late = int(hour) - 12
    exact = (f"{late} pm", f"{late}pm", f"{late} p m", f"{hour} h") if minute == "00" else ()
    return (f"{late}:{minute} pm", f"{late}:{minute}pm", f"{late}:{minute} p.m.", *exact)


def _term(terms: Terms, name: str) -> str:
    value = getattr(terms, name)
    return money(value).lstrip("$") if name in ("return_fee", "free_from", "wrap") else str(value)


def _of_order(order: Past, topic: str) -> str:
    return dollars(order.total) if topic == "total" else str(getattr(order, topic))
