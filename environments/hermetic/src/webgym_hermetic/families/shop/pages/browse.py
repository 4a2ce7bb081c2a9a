"""Home, categories, search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from webgym.rng import Rng
from webgym_hermetic.families.shop.family import FAMILY
from webgym_hermetic.families.shop.listing import (
    FILTERS,
    RATINGS,
    SORTS,
    Band,
    bands,
    chosen,
    found,
    ordered,
    paged,
    values,
)
from webgym_hermetic.families.shop.records import Product, World
from webgym_hermetic.family import Data, Go, Missing, Page, Reply, Visit

_KEPT = (*FILTERS, "sort")


@FAMILY.get("/")
def home(visit: Visit) -> Reply:
    world: World = visit.world
    rng = Rng("home", world.seed)
    stocked = [product for product in world.products if product.stock]
    reduced = [product for product in stocked if product.was]
    context = {
        "featured": rng.fork("featured").sample(stocked, 8),
        "reduced": rng.fork("reduced").sample(reduced, 4),
        "loved": ordered(stocked, "rating")[:4],
        "slides": _slides(world, rng.fork("slides")),
    }
    return Page("home.html", world.brand, context)


@FAMILY.get("/category/{slug}")
def category(visit: Visit, slug: str) -> Reply:
    world: World = visit.world
    here = world.by_slug.get(slug)
    if here is None:
        return Missing()
    context = {"heading": here.name, "blurb": here.blurb, "category": here, "search": ""}
    return _listing(visit, world.listed(slug), here.name, context)


@FAMILY.get("/sale")
def sale(visit: Visit) -> Reply:
    world: World = visit.world
    reduced = [product for product in world.products if product.was]
    context = {"heading": "Sale", "blurb": "Reduced while stocks last.", "category": None, "search": ""}
    return _listing(visit, reduced, "Sale", context)


@FAMILY.get("/search")
def search(visit: Visit) -> Reply:
    text = visit.query.get("q", "").strip()
    if not text:
        return Go("/")
    heading = f"Results for \u201c{text}\u201d"
    context = {"heading": heading, "blurb": "", "category": None, "search": text}
    return _listing(visit, found(visit.world, text), f"Search: {text}", context)


@FAMILY.get("/suggest")
def suggest(visit: Visit) -> Reply:
    world: World = visit.world
    text = visit.query.get("q", "").strip()
    shelves = [one for one in world.categories if text and one.name.lower().startswith(text.lower())]
    rows = [{"label": one.name, "href": one.path, "hint": "Category"} for one in shelves]
    rows += [{"label": one.name, "href": one.path, "hint": _dollars(one.price)} for one in found(world, text)[:5]]
    return Data(rows[:6])


def _dollars(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02d}"


def _slides(world: World, rng: Rng) -> list[dict[str, str]]:
    pick, shelf = rng.pick([one for one in world.products if one.stock]), rng.pick(world.categories)
    code = world.codes[0]
    return [
        {"title": world.slogan, "text": f"New in {shelf.name.lower()}: picked for this season.", "href": shelf.path,
         "label": f"Shop {shelf.name.lower()}", "picture": f"product:{shelf.picture}", "seed": shelf.slug},
        {"title": code.title, "text": f"Use the code {code.code} at checkout.", "href": "/offers",
         "label": "See all offers", "picture": "abstract", "seed": world.seed},
        {"title": pick.title, "text": pick.blurb, "href": pick.path, "label": "Have a look", "picture": pick.picture,
         "seed": pick.sku},
    ]  # fmt: skip


def _listing(visit: Visit, products: Sequence[Product], title: str, more: Mapping[str, object]) -> Reply:
    world: World = visit.world
    passed = chosen(world, products, visit.query)
    shown, number, pages = paged(passed, visit.query.get("page", "1"))
    kept = {name: visit.query.get(name, "") for name in _KEPT}
    base = {"q": visit.query["q"]} if more["search"] else {}
    context = {
        "products": shown,
        "total": len(passed),
        "page": number,
        "pages": pages,
        "href": _address(visit.path, {**base, **kept, "page": "{page}"}),
        "kept": kept,
        "facets": _facets(world, products),
        "sorts": SORTS,
        "filtered": any(kept[name] for name in FILTERS),
        "clear": _address(visit.path, base),
        "base": base,
        **more,
    }
    return Page("listing.html", title, context)


def _address(path: str, query: dict[str, str]) -> str:
    given = urlencode({name: value for name, value in query.items() if value}, safe="{}")
    return f"{path}?{given}" if given else path


def _facets(world: World, products: Sequence[Product]) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Name, label and values of each filter that has several."""
    prices: tuple[Band, ...] = bands(world)
    return [
        ("brand", world.maker_label, [(value, value) for value in values(products, "brand")]),
        ("colour", "Colour", [(value, value) for value in values(products, "colour")]),
        ("price", "Price", [(one.key, one.label) for one in prices]),
        ("rating", "Rating", list(RATINGS)),
    ]
