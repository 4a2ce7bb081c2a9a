"""Goals drawn at random: each fits the shop it is drawn for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache

from webgym.rng import Rng
from webgym_hermetic.families.shop import people
from webgym_hermetic.families.shop.goals.best import Best, draw_best
from webgym_hermetic.families.shop.goals.buying import FillCart, Purchase
from webgym_hermetic.families.shop.goals.choosing import CompareProducts, FindBest, NarrowList, OpenBest
from webgym_hermetic.families.shop.goals.lists import AskForAlert, PutSideBySide, Wish
from webgym_hermetic.families.shop.goals.lookup import LookUp, ReadReview, value_of
from webgym_hermetic.families.shop.goals.policies import (
    POLICIES,
    AskAccount,
    AskOrder,
    AskPolicy,
    AskStore,
    open_days,
)
from webgym_hermetic.families.shop.goals.question import Question
from webgym_hermetic.families.shop.goals.writing import ReturnItem, SendMessage, Subscribe, WriteReview
from webgym_hermetic.families.shop.listing import SORTS, bands, chosen
from webgym_hermetic.families.shop.records import Product, World
from webgym_hermetic.families.shop.reviews import reviews_of
from webgym_hermetic.families.shop.state import REASONS, REFUNDS, REPLIES, TOPICS, Line, delivery_days, most_of, start
from webgym_hermetic.goal import End, Goal
from webgym_hermetic.kit.data import Table, read_table


class WrittenTexts(Table, frozen=True):
    """Texts that tasks ask to be written."""

    notes: tuple[str, ...]
    praise: tuple[tuple[str, ...], ...]
    blame: tuple[tuple[str, ...], ...]
    messages: tuple[str, ...]
    comments: tuple[str, ...]


@cache
def task_texts() -> WrittenTexts:
    return read_table(__name__, WrittenTexts)


_DULL = ("Yes", "No", "None")


def sold(world: World, least: int = 6) -> list[Product]:
    """Products of which there are enough."""
    return [product for product in world.products if most_of(product) >= least]


def line(rng: Rng, product: Product) -> Line:
    """Some of a product, with one of its options."""
    option = ""
    if product.option:
        option = rng.pick([value for value in product.option.values if value not in product.option.gone])
    return Line(product.sku, option, rng.weighted(((1, 3), (2, 4), (3, 2), (4, 1))))


def lines(rng: Rng, world: World, count: int) -> tuple[Line, ...]:
    """So many different products. Half of the time two of them are of one line, to be told apart."""
    fit = sold(world)
    chosen_ones = rng.sample(fit, count)
    twins = [other for other in world.siblings(chosen_ones[0]) if other in fit and other not in chosen_ones]
    if count > 1 and twins and rng.chance(0.5):
        chosen_ones[-1] = twins[0]
    return tuple(line(rng, product) for product in chosen_ones)


def described(rng: Rng, world: World, count: int) -> tuple[tuple[Line, ...], tuple[Best, ...]] | None:
    """Products that are described, not named."""
    found: list[Best] = []
    for attempt in range(24):
        best = draw_best(rng.fork("described", attempt), world, rng.between(1, 2), sold=True)
        if best and most_of(world.by_sku[best.sku]) >= 6 and best.sku not in {one.sku for one in found}:
            found.append(best)
        if len(found) == count:
            return tuple(line(rng, world.by_sku[best.sku]) for best in found), tuple(found)
    return None


def day(rng: Rng, world: World) -> str:
    """One on which an order can arrive."""
    first, last = (date.fromisoformat(one) for one in delivery_days(world))
    return (first + timedelta(days=rng.below((last - first).days))).isoformat()


def fill_described(rng: Rng, world: World, count: int) -> FillCart | None:
    made = described(rng, world, count)
    return FillCart(made[0], made[1]) if made else None


def look_up(rng: Rng, world: World, *, detail: bool) -> LookUp | None:
    """A question about a product: a line of its table, or what is shown beside its picture."""
    product = rng.pick(world.products)
    if detail:
        telling = [(label, value) for label, value in product.specs if value not in _DULL and value not in product.name]
        return LookUp(product.sku, rng.pick(telling)[0])
    topics = [topic for topic in ("price", "rating", "reviews", "left") if value_of(product, topic)]
    return LookUp(product.sku, rng.pick(topics))


def read_review(rng: Rng, world: World) -> ReadReview | None:
    product = rng.pick(world.products)
    written = reviews_of(world, product)
    return ReadReview(product.sku, rng.below(len(written)), rng.chance(0.4)) if written else None


def ask_shop(rng: Rng, world: World) -> Question:
    """A question about policies, stores or the account."""
    store = rng.pick(world.stores)
    match rng.weighted((("policy", 3), ("hours", 3), ("store", 2), ("account", 1))):
        case "policy":
            return AskPolicy(rng.pick(tuple(POLICIES)))
        case "hours":
            return AskStore(store.slug, open_days(store, rng))
        case "store":
            return AskStore(store.slug, rng.pick(("phone", "street")))
        case _:
            return AskAccount(rng.pick(("points", "balance", "since")))


def ask_order(rng: Rng, world: World) -> AskOrder:
    return AskOrder(rng.pick(world.orders).number, rng.pick(("total", "tracking", "carrier", "day")))


def any_best(rng: Rng, world: World, most: int) -> Best | None:
    """A description with up to so many filters."""
    tries = (draw_best(rng.fork("best", attempt), world, rng.between(1, most)) for attempt in range(8))
    return next((best for best in tries if best), None)


def find_best(rng: Rng, world: World, topics: int) -> FindBest | None:
    best = any_best(rng, world, 3)
    return FindBest(best, tuple(rng.sample(("price", "rating", "reviews"), topics))) if best else None


def compare(rng: Rng, world: World, count: int) -> CompareProducts | None:
    """Products of one kind, or at least of one category, that differ in what is asked."""
    tries = (_compare(rng.fork("compare", attempt), world, count) for attempt in range(4))
    return next((made for made in tries if made), None)


def _compare(rng: Rng, world: World, count: int) -> CompareProducts | None:
    first = rng.pick(world.products)
    shelf = [one for one in world.listed(first.category) if one.sku != first.sku]
    alike = [one for one in shelf if one.kind == first.kind]
    others = rng.sample(alike if len(alike) >= count - 1 else shelf, count - 1)
    topic = rng.pick(("price", "rating", "reviews"))
    values = {value_of(one, topic) for one in (first, *others)}
    if len(values) < count:
        return None
    skus = rng.shuffled([first.sku, *(one.sku for one in others)])
    return CompareProducts(tuple(skus), topic, rng.chance(0.5))


def narrow(rng: Rng, world: World, count: int) -> NarrowList | None:
    """A category with so many filters, of which one may be an order."""
    shelf = rng.pick(world.categories)
    goods = world.listed(shelf.slug)
    example = rng.pick(goods)
    options = {
        "brand": example.brand,
        "colour": example.colour,
        "price": next(one.key for one in bands(world) if one.holds(example.price)),
        "rating": rng.pick(("4.5", "4", "3.5")),
        "stock": "on",
        "sort": rng.pick([key for key, _ in SORTS if key]),
    }
    limits = {name: options[name] for name in rng.sample(tuple(options), count)}
    made = NarrowList(shelf.slug, tuple(limits.items()))
    return made if chosen(world, goods, limits) and made.fair(world) else None


def wish(rng: Rng, world: World, add: int, remove: int = 0) -> Wish:
    there = start(world).wished
    new = [product.sku for product in world.products if product.sku not in there]
    return Wish(tuple(rng.sample(new, add)), tuple(rng.sample(there, remove)))


def review(rng: Rng, world: World) -> WriteReview:
    stars = rng.between(1, 5)
    titles, texts = task_texts().praise if stars > 3 else task_texts().blame
    return WriteReview(rng.pick(world.products).sku, stars, rng.pick(titles), rng.pick(texts))


def message(rng: Rng, world: World) -> SendMessage:
    topic, reply = rng.pick(TOPICS)[0], rng.pick(REPLIES)[0]
    return SendMessage(topic, rng.pick(world.orders).number, reply, rng.pick(task_texts().messages))


def subscription(rng: Rng, world: World) -> Subscribe:
    name = people.person(rng).lower().replace(" ", rng.pick((".", "_", "")))
    email = f"{name}{rng.pick(('', rng.between(2, 99)))}@{rng.pick(('postbox', 'inbox', 'letters'))}.example"
    interest = rng.pick(("all", *(one.slug for one in world.categories)))
    return Subscribe(email, interest, rng.pick(("weekly", "monthly")))


def send_back(rng: Rng, world: World, *, comment: bool) -> ReturnItem | None:
    orders = [order for order in world.orders if len(order.lines) > 1]
    if not orders:
        return None
    order = rng.pick(orders)
    reason, refund = rng.pick(REASONS)[0], rng.pick(REFUNDS)[0]
    sku = rng.pick(order.lines).sku
    return ReturnItem(order.number, sku, reason, refund, rng.pick(task_texts().comments) if comment else "")


def _pages(goal: Goal, world: World) -> set[str]:
    """Where a goal stops to look or to do something, and might be in another's way."""
    match goal:
        case Question():
            return {goal.subject(world).trail[-1]}
        case CompareProducts(skus=skus) | PutSideBySide(skus=skus) | AskForAlert(skus=skus):
            return {f"/product/{sku}" for sku in skus}
        case FillCart(lines=lines) | Purchase(lines=lines):
            return {f"/product/{one.sku}" for one in lines}
        case Wish(add=add):
            return {f"/product/{sku}" for sku in add}
        case WriteReview(sku=sku):
            return {f"/product/{sku}"}
        case ReturnItem(order=order):
            return {f"/orders/{order}"}
        case FindBest(best=best) | OpenBest(best=best):
            return {f"/product/{best.sku}"}
        case _:
            return set()


def fair(goals: Sequence[Goal | None], world: World) -> tuple[Goal, ...] | None:
    """The goals, if there are no gaps, none is in another's way, and their answers can be told apart.

    All answers together must be right, and a false one must spoil its own fact only.
    """
    whole = [goal for goal in goals if goal is not None]
    pages = [page for goal in whole for page in _pages(goal, world)]
    if len(whole) < len(goals) or len(set(pages)) < len(pages):
        return None
    said = [goal.answer(world) for goal in whole]
    asking = [(place, goal) for place, goal in enumerate(whole) if said[place]]
    facts = [(goal, fact.name) for _, goal in asking for fact in goal.facts(world)]
    if not all(_held(goal, fact, said, world) for goal, fact in facts):
        return None
    for place, goal in asking:
        for spoilt in goal.facts(world):
            told = [*said[:place], goal.spoil(spoilt.name, world).answer(world), *said[place + 1 :]]
            for other, fact in facts:
                if _held(other, fact, told, world) == (other is goal and fact == spoilt.name):
                    return None
    return tuple(whole)


def _held(goal: Goal, fact: str, said: Sequence[str], world: World) -> bool:
    return goal.holds(fact, End(world, None, (), " ".join(part for part in said if part)))
