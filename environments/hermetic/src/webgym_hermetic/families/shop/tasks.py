"""Task templates of shops."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.families.shop import draws
from webgym_hermetic.families.shop.draws import task_texts
from webgym_hermetic.families.shop.goals.buying import FillCart, Purchase
from webgym_hermetic.families.shop.goals.choosing import OpenBest
from webgym_hermetic.families.shop.goals.lists import AskForAlert, PutSideBySide
from webgym_hermetic.families.shop.goals.settings import ChangeSettings, draw_settings
from webgym_hermetic.families.shop.people import address
from webgym_hermetic.families.shop.records import World
from webgym_hermetic.family import Template
from webgym_hermetic.goal import Goal

Drawn = tuple[Goal, ...] | None


def find_price(rng: Rng, world: World) -> Drawn:
    return draws.fair([draws.look_up(rng, world, detail=False)], world)


def find_detail(rng: Rng, world: World) -> Drawn:
    return draws.fair([draws.look_up(rng, world, detail=True)], world)


def ask_shop(rng: Rng, world: World) -> Drawn:
    return draws.fair([draws.ask_shop(rng, world) for _ in range(rng.between(1, 2))], world)


def ask_order(rng: Rng, world: World) -> Drawn:
    return draws.fair([draws.ask_order(rng, world) for _ in range(rng.between(1, 2))], world)


def read_review(rng: Rng, world: World) -> Drawn:
    return draws.fair([draws.read_review(rng, world)], world)


def compare_two(rng: Rng, world: World) -> Drawn:
    return draws.fair([draws.compare(rng, world, 2)], world)


def find_best(rng: Rng, world: World) -> Drawn:
    return draws.fair([draws.find_best(rng, world, rng.below(3))], world)


def open_best(rng: Rng, world: World) -> Drawn:
    best = draws.any_best(rng, world, 2)
    return (OpenBest(best),) if best else None


def narrow_list(rng: Rng, world: World) -> Drawn:
    return draws.fair([draws.narrow(rng, world, rng.between(1, 2))], world)


def wish(rng: Rng, world: World) -> Drawn:
    return (draws.wish(rng, world, rng.between(1, 2), 1),)


def fill_cart(rng: Rng, world: World) -> Drawn:
    return (FillCart(draws.lines(rng, world, rng.between(1, 2))),)


def subscribe(rng: Rng, world: World) -> Drawn:
    return (draws.subscription(rng, world),)


def set_few(rng: Rng, world: World) -> Drawn:
    return (draw_settings(rng, world, rng.between(2, 3)),)


def write_review(rng: Rng, world: World) -> Drawn:
    return (draws.review(rng, world),)


def ask_for_alert(rng: Rng, world: World) -> Drawn:
    gone = [product.sku for product in world.products if not product.stock]
    return (AskForAlert(tuple(rng.sample(gone, rng.between(1, 3)))),) if len(gone) > 3 else None


def side_by_side(rng: Rng, world: World) -> Drawn:
    shelf = world.listed(rng.pick(world.categories).slug)
    return (PutSideBySide(tuple(product.sku for product in rng.sample(shelf, rng.between(2, 3)))),)


def buy_simply(rng: Rng, world: World) -> Drawn:
    lines = draws.lines(rng, world, 1)
    match rng.below(3):
        case 0:
            return (Purchase(lines),)
        case 1:
            return (Purchase(lines, delivery=rng.pick(world.deliveries[1:]).key),)
        case _:
            return (Purchase(lines, day=draws.day(rng, world)),)


def buy(rng: Rng, world: World) -> Drawn:
    lines = draws.lines(rng, world, rng.between(1, 2))
    delivery, payment = rng.pick(world.deliveries).key, rng.pick(("card", "invoice", "gift"))
    promo = _promo(rng, world, sum(world.by_sku[line.sku].price * line.quantity for line in lines))
    if promo:
        return (Purchase(lines, delivery, payment, promo=promo),)
    wrapped = rng.chance(0.5)
    return (Purchase(lines, delivery, payment, wrap=wrapped, day="" if wrapped else draws.day(rng, world)),)


def buy_to_send(rng: Rng, world: World) -> Drawn:
    return (Purchase(draws.lines(rng, world, 1), address=address(rng)),)


def fill_cart_well(rng: Rng, world: World) -> Drawn:
    return (FillCart(draws.lines(rng, world, rng.between(3, 4))),)


def send_message(rng: Rng, world: World) -> Drawn:
    return (draws.message(rng, world),)


def send_back(rng: Rng, world: World) -> Drawn:
    return draws.fair([draws.ask_shop(rng, world), draws.send_back(rng, world, comment=rng.chance(0.6))], world)


def set_many(rng: Rng, world: World) -> Drawn:
    return (draw_settings(rng, world, rng.between(4, 6)),)


def research(rng: Rng, world: World) -> Drawn:
    first = draws.compare(rng, world, 3)
    second = draws.find_best(rng, world, rng.between(0, 1))
    return draws.fair([first, second, draws.look_up(rng, world, detail=True)], world)


def ask_much(rng: Rng, world: World) -> Drawn:
    asked = [
        draws.ask_shop(rng, world),
        draws.look_up(rng, world, detail=rng.chance(0.5)),
        draws.ask_order(rng, world),
        draws.look_up(rng, world, detail=rng.chance(0.5)),
    ]
    return draws.fair(rng.shuffled(asked), world)


def wish_and_review(rng: Rng, world: World) -> Drawn:
    return draws.fair([draws.wish(rng, world, rng.between(1, 2), rng.below(2)), draws.review(rng, world)], world)


def fill_by_description(rng: Rng, world: World) -> Drawn:
    return draws.fair([draws.fill_described(rng, world, 2), draws.find_best(rng, world, rng.between(0, 2))], world)


def subscribe_and_browse(rng: Rng, world: World) -> Drawn:
    return draws.fair([draws.subscription(rng, world), draws.narrow(rng, world, rng.between(1, 2))], world)


def send_gift(rng: Rng, world: World) -> Drawn:
    noted = rng.chance(0.6)
    gift = Purchase(
        draws.lines(rng, world, 1),
        delivery=rng.pick(world.deliveries).key,
        address=address(rng),
        note=rng.pick(task_texts().notes) if noted else "",
        day="" if noted else draws.day(rng, world),
    )
    return draws.fair([gift, draws.ask_shop(rng, world) if rng.chance(0.5) else draws.wish(rng, world, 1, 1)], world)


def big_order(rng: Rng, world: World) -> Drawn:
    lines = draws.lines(rng, world, rng.between(3, 4))
    promo = _promo(rng, world, sum(world.by_sku[line.sku].price * line.quantity for line in lines))
    delivery, payment = rng.pick(world.deliveries).key, rng.pick(("card", "invoice", "gift"))
    note = rng.pick(task_texts().notes) if len(lines) == 3 else ""
    return (Purchase(lines, delivery, payment, note=note, promo=promo),)


def order_and_more(rng: Rng, world: World) -> Drawn:
    order = Purchase(
        draws.lines(rng, world, rng.between(1, 2)), rng.pick(world.deliveries).key, rng.pick(("invoice", "gift"))
    )
    few = draw_settings(rng, world, 2)
    return draws.fair([draws.look_up(rng, world, detail=rng.chance(0.5)), order, few], world)


def order_by_description(rng: Rng, world: World) -> Drawn:
    made = draws.described(rng, world, 2)
    if made is None:
        return None
    return (Purchase(made[0], rng.pick(world.deliveries).key, address=address(rng), ways=made[1]),)


def service_day(rng: Rng, world: World) -> Drawn:
    asked = draws.ask_order(rng, world)
    return draws.fair([asked, draws.message(rng, world), draws.send_back(rng, world, comment=rng.chance(0.5))], world)


def move_house(rng: Rng, world: World) -> Drawn:
    """A new address, and other settings with it."""
    new = address(rng)
    now = world.customer.address
    if new.city == now.city:
        return None
    parts = (("street", new.street), ("city", new.city), ("postcode", new.postcode))
    more = draw_settings(rng, world, rng.between(2, 3)).wanted
    return (ChangeSettings((*more, *parts)), draws.subscription(rng, world))


def study(rng: Rng, world: World) -> Drawn:
    """Much to find out, and a review to write."""
    asked: list[Goal | None] = [
        draws.compare(rng, world, rng.between(2, 3)),
        draws.find_best(rng, world, rng.between(1, 2)),
        draws.read_review(rng, world) if rng.chance(0.5) else draws.look_up(rng, world, detail=True),
        draws.review(rng, world),
    ]
    return draws.fair(asked, world)


def _promo(rng: Rng, world: World, goods: int) -> str:
    """A code that counts for goods of this price, or none."""
    fit = [code.code for code in world.codes if code.until >= world.today and goods >= code.minimum]
    return rng.pick(fit) if rng.chance(0.6) else ""


TEMPLATES = (
    Template("find-price", range(1, 2), find_price),
    Template("find-detail", range(1, 2), find_detail),
    Template("ask-shop", range(1, 3), ask_shop),
    Template("ask-order", range(1, 3), ask_order),
    Template("read-review", range(1, 2), read_review),
    Template("compare-two", range(2, 3), compare_two),
    Template("find-best", range(1, 4), find_best),
    Template("open-best", range(1, 2), open_best),
    Template("narrow-list", range(2, 4), narrow_list),
    Template("wish", range(2, 4), wish),
    Template("fill-cart", range(2, 4), fill_cart),
    Template("subscribe", range(3, 4), subscribe),
    Template("set-few", range(2, 4), set_few),
    Template("write-review", range(3, 4), write_review),
    Template("ask-for-alert", range(1, 4), ask_for_alert),
    Template("side-by-side", range(3, 5), side_by_side),
    Template("buy-simply", range(2, 4), buy_simply),
    Template("buy", range(4, 7), buy),
    Template("buy-to-send", range(6, 7), buy_to_send),
    Template("fill-cart-well", range(4, 6), fill_cart_well),
    Template("send-message", range(4, 5), send_message),
    Template("send-back", range(4, 6), send_back),
    Template("set-many", range(4, 7), set_many),
    Template("research", range(4, 6), research),
    Template("ask-much", range(4, 5), ask_much),
    Template("wish-and-review", range(4, 7), wish_and_review),
    Template("fill-by-description", range(4, 7), fill_by_description),
    Template("subscribe-and-browse", range(5, 7), subscribe_and_browse),
    Template("send-gift", range(9, 11), send_gift),
    Template("big-order", range(7, 9), big_order),
    Template("order-and-more", range(7, 9), order_and_more),
    Template("order-by-description", range(8, 9), order_by_description),
    Template("service-day", range(8, 10), service_day),
    Template("move-house", range(8, 10), move_house),
    Template("study", range(8, 10), study),
)
