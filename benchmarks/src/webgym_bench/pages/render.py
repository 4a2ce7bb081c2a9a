"""Renders pages from their templates."""

from __future__ import annotations

import html
from collections.abc import Sequence
from importlib.resources import files
from string import Template

from webgym_bench.pages.catalogue import Product

ABOVE_THE_FOLD = 8
"""Cards whose pictures load eagerly."""


def static(name: str) -> str:
    """Return a file that ships with the pages."""
    return files("webgym_bench.pages").joinpath("static", name).read_text("utf-8")


def page(template: str, heading: str, /, **values: object) -> bytes:
    """Render a template inside the frame that all pages share."""
    body = Template(static(f"{template}.html")).substitute(values)
    return Template(static("frame.html")).substitute(title=heading, script=f"{template}.js", body=body).encode()


def price(product: Product) -> str:
    """Format the price of a product."""
    return f"${product.price / 100:.2f}"


def cards(shelf: Sequence[Product]) -> str:
    """Render products as cards."""
    return "".join(_card(product, place) for place, product in enumerate(shelf))


def _card(product: Product, place: int) -> str:
    lazy = ' loading="lazy"' if place >= ABOVE_THE_FOLD else ""
    name = html.escape(product.name)
    return (
        f'<article class="card"><a href="/product/{product.id}">'
        f'<img src="/pictures/{product.id}.jpg"{lazy} alt="{name}"><div class="name">{name}</div></a>'
        f'<div class="row"><b>{price(product)}</b><span class="stars">{"★" * product.stars}</span></div>'
        f'<div class="row soft"><span>{product.material}</span><span>{product.reviews}</span></div>'
        f'<button class="add" data-id="{product.id}">Add to cart</button></article>'
    )
