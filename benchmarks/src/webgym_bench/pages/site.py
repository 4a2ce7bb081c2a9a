"""The pages, as a bare ASGI application: without a framework, serving costs next to nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any
from urllib.parse import parse_qs

import anyio
import msgspec

from webgym_bench.delays import NO_DELAY, Delay, between
from webgym_bench.pages.catalogue import CATEGORIES, PRODUCTS_PER_CATEGORY, Order, Product, orders, products
from webgym_bench.pages.pictures import VARIANTS, picture
from webgym_bench.pages.render import cards, page, price, static

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

API_SECONDS = (0.020, 0.150)
"""Range of the latency of data requests."""
_TILES = ("Orders", "Revenue", "On the way", "Returned")
_TYPES = {"css": "text/css", "js": "text/javascript"}


@dataclass(frozen=True)
class Request:
    """The parts of a request that routing needs."""

    method: str
    path: str
    query: dict[str, str]
    visit: str
    """The episode's number: from the query of its first page, then from a cookie."""


@dataclass(frozen=True)
class Reply:
    """A response."""

    body: bytes = b""
    media_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: tuple[tuple[bytes, bytes], ...] = ()
    wait: float = 0.0
    """Seconds before the response starts."""


CACHED = ((b"cache-control", b"max-age=3600"),)


class Site:
    """The application. Stateless: a session's cart and step counter live in its browser."""

    def __init__(self, seed: int = 0, latency: Delay = NO_DELAY) -> None:
        self._seed = seed
        self._latency = latency
        self._shelf = products()
        self._orders = orders(self._shelf)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request = _read(scope)
        await _drain(receive)
        reply = self.reply(request)
        wait = reply.wait
        if reply.headers is not CACHED:
            wait += self._latency.seconds(self._seed, request.visit, request.method, request.path)
        if wait > 0:
            await anyio.sleep(wait)
        headers = [(b"content-type", reply.media_type.encode()), (b"content-length", str(len(reply.body)).encode())]
        if "e" in request.query:
            headers.append((b"set-cookie", f"visit={request.visit}; Path=/".encode()))
        await send({"type": "http.response.start", "status": reply.status, "headers": [*headers, *reply.headers]})
        await send({"type": "http.response.body", "body": reply.body})

    def reply(self, request: Request) -> Reply:
        """Route a request by the first segment of its path."""
        head, _, rest = request.path.strip("/").partition("/")
        match head:
            case "shop":
                return self._front
            case "product" if rest.isdigit():
                return self._product(int(rest))
            case "checkout" if request.method == "POST":
                return Reply(status=303, headers=((b"location", b"/orders"),))
            case "checkout":
                return self._checkout
            case "orders":
                return self._order_app
            case "api":
                return self._api(rest, request)
            case "pictures" | "static":
                return self._file(head, rest)
            case _:
                return Reply(b"not found", "text/plain", 404)

    def _api(self, rest: str, request: Request) -> Reply:
        wait = between(*API_SECONDS, self._seed, request.visit, request.method, request.path)
        body = msgspec.json.encode(self._data(rest, request.query))
        return Reply(body, "application/json", headers=((b"cache-control", b"no-store"),), wait=wait)

    def _data(self, rest: str, query: dict[str, str]) -> object:
        match rest.split("/"):
            case ["products"]:
                chosen = _sorted([product for product in self._shelf if _matches(product, query)], query)
                return {"count": len(chosen), "cards": cards(chosen)}
            case ["cart"]:
                return {"left": 9}
            case ["orders"]:
                return [_line(order) for order in self._orders]
            case ["orders", number] if number.isdigit():
                return self._order(int(number))
            case ["totals"]:
                return self._totals
            case _:
                return {}

    def _order(self, number: int) -> object:
        order = next((o for o in self._orders if o.id == number), self._orders[0])
        items = [self._shelf[item - 1] for item in order.items]
        return {**_line(order), "items": [asdict(item) for item in items], "progress": 30 + order.id % 60}

    def _product(self, number: int) -> Reply:
        product = self._shelf[(number - 1) % len(self._shelf)]
        like = [p for p in self._shelf if p.category == product.category and p.id != product.id][:10]
        body = page(
            "product",
            product.name,
            id=product.id,
            name=product.name,
            category=product.category,
            stars="★" * product.stars,
            reviews=product.reviews,
            price=price(product),
            material=product.material,
            text=f"The {product.name} is made in small runs from {product.material.lower()}, finished by hand, and "
            "built to be taken apart: every part can be ordered for ten years. It comes in a box without plastic.",
            cards=cards(like),
        )
        return Reply(body)

    def _file(self, folder: str, name: str) -> Reply:
        stem, _, suffix = name.rpartition(".")
        number, _, size = stem.partition("-")
        if folder == "pictures" and number.isdigit():
            product = self._shelf[(int(number) - 1) % len(self._shelf)]
            image = picture(product.category, product.id // len(CATEGORIES) % VARIANTS, large=size == "large")
            return Reply(image, "image/jpeg", headers=CACHED)
        if folder == "static" and suffix in _TYPES and "/" not in name:
            return Reply(static(name).encode(), _TYPES[suffix], headers=CACHED)
        return Reply(b"not found", "text/plain", 404)

    @cached_property
    def _totals(self) -> list[dict[str, str]]:
        revenue = sum(order.total for order in self._orders)
        shipped = sum(order.state == "Shipped" for order in self._orders)
        values = (f"{len(self._orders)}", f"${revenue / 100:,.2f}", f"{shipped}", "0")
        return [{"name": n, "value": v} for n, v in zip(_TILES, values, strict=True)]

    @cached_property
    def _front(self) -> Reply:
        buttons = [f'<button data-category="" aria-pressed="true">Everything<span>{len(self._shelf)}</span></button>']
        buttons += [
            f'<button data-category="{name}" aria-pressed="false">{name}<span>{PRODUCTS_PER_CATEGORY}</span></button>'
            for name in CATEGORIES
        ]
        return Reply(page("shop", "Shop", categories="".join(buttons), cards=cards(self._shelf)))

    @cached_property
    def _checkout(self) -> Reply:
        return Reply(page("checkout", "Checkout"))

    @cached_property
    def _order_app(self) -> Reply:
        return Reply(page("orders", "Orders"))


def _read(scope: Scope) -> Request:
    query = {key: values[-1] for key, values in parse_qs(scope["query_string"].decode()).items()}
    cookie = next((value.decode() for name, value in scope["headers"] if name == b"cookie"), "")
    visit = query.get("e") or cookie.rpartition("visit=")[2].partition(";")[0]
    return Request(scope["method"], scope["path"], query, visit)


async def _drain(receive: Receive) -> None:
    while (await receive()).get("more_body"):
        pass


def _line(order: Order) -> dict[str, object]:
    return {"id": order.id, "name": order.name, "date": order.date, "state": order.state, "total": order.total}


def _matches(product: Product, query: dict[str, str]) -> bool:
    bands = [band.partition("-") for band in query.get("price", "").split(",") if band]
    return (
        query.get("category") in (None, product.category)
        and query.get("words", "").lower() in product.name.lower()
        and (not bands or any(int(low or 0) <= product.price < int(high or 10**9) for low, _, high in bands))
    )


def _sorted(shelf: list[Product], query: dict[str, str]) -> list[Product]:
    match query.get("sort"):
        case "price":
            return sorted(shelf, key=lambda p: p.price)
        case "-price":
            return sorted(shelf, key=lambda p: -p.price)
        case "-stars":
            return sorted(shelf, key=lambda p: -p.stars)
        case _:
            return shelf
