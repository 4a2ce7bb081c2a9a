"""Shops: worlds, what visitors change, pages, goals."""

from __future__ import annotations

import msgspec
import pytest

from webgym.errors import SiteStateError
from webgym.rng import Rng
from webgym_hermetic import render
from webgym_hermetic.catalogue import site
from webgym_hermetic.families.shop import FAMILY
from webgym_hermetic.families.shop.goals.best import draw_best
from webgym_hermetic.families.shop.goals.buying import Purchase
from webgym_hermetic.families.shop.goals.choosing import NarrowList
from webgym_hermetic.families.shop.goals.lookup import LookUp
from webgym_hermetic.families.shop.goals.said import numeric, says_product
from webgym_hermetic.families.shop.listing import chosen, found, ordered
from webgym_hermetic.families.shop.records import Product, World
from webgym_hermetic.families.shop.state import Line, State
from webgym_hermetic.family import Event, Go, Page, Reply, Visit
from webgym_hermetic.goal import End
from webgym_hermetic.kit.icons import NAMES
from webgym_hermetic.kit.pictures import COLOURS, PRODUCTS
from webgym_hermetic.tasks.generate import task_of
from webgym_hermetic.worlds import world_of

SITES = tuple(site("shop", number) for number in range(8))
STRUCTURES = {one.structure: one for one in SITES}
CLASSIC, WIZARD = STRUCTURES["classic"], STRUCTURES["catalog"]
WORLD: World = world_of(CLASSIC)
START: State = FAMILY.start(WORLD)
PLAIN = next(one for one in WORLD.products if one.stock > 10 and one.option is None)
CHOOSY = next(one for one in WORLD.products if one.stock > 10 and one.option is not None)
GONE = next(one for one in WORLD.products if not one.stock)
HOW = {"recipient": "Ada Quinn", "street": "4 Mill Road", "city": "Milford", "postcode": "20410"}


def happen(state: State, name: str, **args: object) -> State:
    return FAMILY.apply(WORLD, state, Event(name, args))  # type: ignore[arg-type]


def send(path: str, state: State = START, **form: str) -> Reply:
    return FAMILY.respond("POST", Visit(CLASSIC, WORLD, state, path, {}, form))


def show(path: str, state: State = START, at=CLASSIC, **query: str) -> str:
    world = world_of(at)
    visit = Visit(at, world, state, path, query)
    reply = FAMILY.respond("GET", visit)
    assert isinstance(reply, Page), reply
    return render.page(visit, reply, notice="", shift=False).decode()


def test_a_world_is_the_same_each_time_and_small() -> None:
    again: World = FAMILY.world(CLASSIC)
    assert msgspec.json.encode(again) == msgspec.json.encode(WORLD)
    assert len(msgspec.json.encode(again)) < 200_000


@pytest.mark.parametrize("number", range(20))
def test_every_world_is_whole(number: int) -> None:
    world: World = world_of(site("shop", number))
    assert 60 <= len(world.products) <= 130
    assert 5 <= len(world.categories) <= 8
    assert len({one.name for one in world.products}) == len({one.sku for one in world.products}) == len(world.products)
    assert {one.icon for one in world.categories} <= set(NAMES)
    for product in world.products:
        _, kind, colour = product.picture.split(":")
        assert kind in PRODUCTS
        assert colour in COLOURS
        assert len({label for label, _ in product.specs}) == len(product.specs)
    assert any(not one.stock for one in world.products)
    assert any(0 < one.stock <= 5 for one in world.products)


def test_no_pages_contain_letters_the_fonts_lack() -> None:
    text = "".join(show(path) for path in ("/", WORLD.categories[0].path, PLAIN.path, "/help"))
    assert not [letter for letter in text if ord(letter) > 255 and letter not in "\u2013\u2014\u2019\u201c\u201d\u2026"]


def test_adding_the_same_product_twice_makes_one_line() -> None:
    state = happen(happen(START, "add", sku=PLAIN.sku, quantity=2), "add", sku=PLAIN.sku, quantity=3)
    assert state.cart[-1] == Line(PLAIN.sku, "", 5)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("add", {"sku": "no-such-thing"}),
        ("add", {"sku": GONE.sku}),
        ("add", {"sku": CHOOSY.sku, "option": "Polka dots"}),
        ("add", {"sku": PLAIN.sku, "quantity": 99}),
        ("set", {"line": "nothing", "quantity": 1}),
        ("promo", {"code": "NOSUCHCODE"}),
        ("promo", {"code": WORLD.codes[3].code}),
        ("order", {**HOW, "delivery": "pigeon"}),
        ("review", {"sku": PLAIN.sku, "stars": 9, "title": "x", "body": "y"}),
        ("settings", {"currency": "shells"}),
        ("dance", {}),
    ],
)
def test_what_does_not_fit_is_refused(name: str, args: dict[str, object]) -> None:
    with pytest.raises(SiteStateError):
        happen(START, name, **args)


def test_an_order_takes_the_cart_and_the_code() -> None:
    code = WORLD.codes[0]
    state = happen(START, "add", sku=PLAIN.sku, quantity=2)
    goods = sum(WORLD.by_sku[line.sku].price * line.quantity for line in state.cart)
    state = happen(happen(state, "promo", code=code.code), "order", **HOW, wrap=True)
    order = state.orders[-1]
    assert (state.cart, state.promo) == ((), "")
    assert (order.promo, order.goods, order.discount) == (code.code, goods, goods * code.percent // 100)
    assert order.total == order.goods - order.discount + order.post + WORLD.terms.wrap


def test_a_code_below_its_minimum_does_not_count() -> None:
    cheap = next(one for one in WORLD.products if one.price < WORLD.codes[1].minimum and one.stock and not one.option)
    state = happen(msgspec.structs.replace(START, cart=()), "add", sku=cheap.sku)
    state = happen(happen(state, "promo", code=WORLD.codes[1].code), "order", **HOW)
    assert state.orders[-1].promo == ""


def test_forms_that_are_filled_in_wrong_come_back_with_what_was_written() -> None:
    reply = send(f"{PLAIN.path}/review", stars="", title="Hm", body="A sentence that is long enough.")
    assert isinstance(reply, Page)
    assert set(reply.context["errors"]) == {"stars", "title"}
    assert reply.context["form"]["body"].startswith("A sentence")
    assert isinstance(send("/cart", code="WRONG", do="promo"), Page)
    assert isinstance(send("/contact", topic="delivery", order="XX-1", reply="email", body="Hello there, shop"), Page)
    full = happen(START, "add", sku=PLAIN.sku)
    bad = send("/checkout", full, **{**HOW, "postcode": "12"}, delivery="standard", payment="gift", gift_code="GC-1")
    assert isinstance(bad, Page)
    assert set(bad.context["errors"]) == {"postcode", "gift_code"}


def test_a_sold_out_option_cannot_be_bought() -> None:
    reply = send(CHOOSY.path, option="Polka dots", quantity="1")
    assert isinstance(reply, Page)
    assert "option" in reply.context["errors"]
    assert isinstance(send(GONE.path, quantity="1"), Page)
    assert isinstance(send(PLAIN.path, quantity="2"), Go)


@pytest.mark.parametrize("structure", FAMILY.structures)
def test_every_page_of_every_structure_is_shown(structure: str) -> None:
    at = STRUCTURES[structure]
    world: World = world_of(at)
    product = next(one for one in world.products if one.stock > 10 and not one.option)
    state: State = FAMILY.start(world)
    for name, args in (("add", {"sku": product.sku}), ("compare", {"sku": product.sku, "on": True})):
        state = FAMILY.apply(world, state, Event(name, args))  # type: ignore[arg-type]
    ordered_once: State = FAMILY.apply(world, state, Event("order", HOW))  # type: ignore[arg-type]
    number = world.orders[0].number
    checkout = [f"/checkout/{step}" for step in ("address", "delivery", "payment", "review")]
    paths = [
        "/", "/sale", "/cart", "/orders", "/wishlist", "/compare", "/account", "/account/notifications",
        "/account/preferences", "/account/address", "/contact", "/newsletter", "/help", "/help/returns",
        "/help/delivery", "/offers", "/stores", f"/stores/{world.stores[0].slug}", world.categories[0].path,
        product.path, f"{product.path}/reviews", f"{product.path}/review", f"/orders/{number}",
        f"/orders/{number}/return", *(checkout if world.wizard else ["/checkout"]),
    ]  # fmt: skip
    for path in paths:
        assert show(path, state, at) == show(path, state, at)
    for path in ("/thanks", f"/orders/{ordered_once.orders[-1].number}"):
        assert ordered_once.orders[-1].number in show(path, ordered_once, at)


def test_search_puts_the_product_of_that_name_first() -> None:
    for product in WORLD.products[::7]:
        assert found(WORLD, product.name)[0] is product
    assert found(WORLD, "zzz qqq") == []


def test_filters_narrow_and_orders_sort() -> None:
    goods = WORLD.listed(WORLD.categories[0].slug)
    kept = chosen(WORLD, goods, {"brand": goods[0].brand, "stock": "on", "sort": "price-up"})
    assert all(one.brand == goods[0].brand and one.stock for one in kept)
    assert [one.price for one in kept] == sorted(one.price for one in kept)


def test_the_best_product_is_alone_at_the_top() -> None:
    rng = Rng("best")
    drawn = [best for attempt in range(40) if (best := draw_best(rng.fork(attempt), WORLD, 2))]
    assert len(drawn) > 5
    for best in drawn:
        goods = WORLD.listed(best.category)
        assert ordered(chosen(WORLD, goods, best.query()), best.order)[0].sku == best.sku


def test_values_are_numbers_only_if_they_are_one() -> None:
    assert [numeric(text) for text in ("24 months", "4.5", "-5 \u00b0C")] == [24, 4.5, -5]
    assert [numeric(text) for text in ("2 to 4", "90 x 200", "E27", "1/4", "18:00")] == [None] * 5


def test_an_answer_must_name_one_product_only() -> None:
    line = next(products for products in WORLD.by_line.values() if len(products) > 1)
    one, other = line[0], line[1]
    assert says_product(f"It is the {one.title} in {one.variant}.", one, [other])
    assert not says_product(f"{one.title} {one.variant} or {other.title} {other.variant}", one, [other])
    assert not says_product(f"It is the {one.title}.", one, [other])


def test_a_purchase_is_judged_by_the_latest_order() -> None:
    goal = Purchase((Line(PLAIN.sku, "", 2),), delivery="express")
    facts = [fact.name for fact in goal.facts(WORLD)]
    cart = msgspec.structs.replace(START, cart=(Line(PLAIN.sku, "", 2),))
    wrong = happen(cart, "order", **HOW, delivery="standard")
    right = happen(msgspec.structs.replace(wrong, cart=cart.cart), "order", **HOW, delivery="express")
    assert [goal.holds(fact, End(WORLD, wrong, (), "")) for fact in facts] == [True, True, False]
    assert all(goal.holds(fact, End(WORLD, right, (), "")) for fact in facts)


def test_a_list_is_judged_by_the_last_page() -> None:
    goal = NarrowList(WORLD.categories[0].slug, (("sort", "rating"), ("stock", "on")))
    here = f"{WORLD.categories[0].path}?sort=rating&stock=on&brand="
    assert all(goal.holds(fact.name, End(WORLD, START, ("/", here), "")) for fact in goal.facts(WORLD))
    assert not goal.holds("sort", End(WORLD, START, (here, "/"), ""))


def test_a_price_is_found_whatever_way_it_is_written() -> None:
    dear: Product = max(WORLD.products, key=lambda one: one.price)
    goal = LookUp(dear.sku, "price")
    for text in (f"${dear.price / 100:,.2f}", f"{dear.price / 100:.2f} dollars", goal.answer(WORLD)):
        assert goal.holds("answer", End(WORLD, START, (), text))
    assert not goal.holds("answer", End(WORLD, START, (), goal.spoil("answer", WORLD).answer(WORLD)))


@pytest.mark.parametrize("template", FAMILY.templates, ids=lambda template: template.name)
def test_tasks_have_the_facts_they_promise_and_several_wordings(template) -> None:
    made = 0
    for at in (CLASSIC, WIZARD):
        world = world_of(at)
        for draw in range(12):
            goals = template.make(Rng("test", at.seed, template.name, draw), world)
            if goals is None:
                continue
            made += 1
            assert sum(len(goal.facts(world)) for goal in goals) in template.facts
            for goal in goals:
                assert 1 <= len(goal.facts(world)) <= 8
                clauses = goal.clauses(world)
                assert len(set(clauses)) >= 4
                assert not [clause for clause in clauses if clause.endswith(".") or not clause[0].islower()]
                assert all(goal.spoil(fact.name, world) != goal for fact in goal.facts(world))
    assert made >= 8
    assert any(task_of(CLASSIC, template, draw) for draw in range(6))
