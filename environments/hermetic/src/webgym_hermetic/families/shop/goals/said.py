"""Whether an answer names a product or a value, and how requests name things."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

from webgym_hermetic.answers import says_number, says_text
from webgym_hermetic.families.shop.records import Product, World
from webgym_hermetic.families.shop.state import Line

_QUANTITY = re.compile(r"(-?\d+(?:\.\d+)?)(?: [^\d]*)?")
_NUMBERS = re.compile(r"\d+(?:\.\d+)?")


def quoted(text: str) -> str:
    return f"\u201c{text}\u201d"


def money(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02d}"


def spelt(iso: str) -> str:
    """A day as the site writes it: `Mar 14, 2026`."""
    day = date.fromisoformat(iso)
    return f"{day:%b} {day.day}, {day.year}"


def numeric(value: str) -> float | None:
    """The number of a value such as `24 months`; None if it is not one number and perhaps a unit."""
    match = _QUANTITY.fullmatch(value)
    return float(match.group(1)) if match else None


def says_value(answer: str, value: str, rivals: Iterable[str] = ()) -> bool:
    """Whether an attribute's value is in the answer, and none of its rivals."""
    number = numeric(value)
    if number is None:
        return says_text(answer, value, rivals=tuple(rivals))
    others = (numeric(rival) for rival in rivals)
    return says_number(answer, number, rivals=tuple(other for other in others if other is not None))


def numbers_in(text: str) -> set[float]:
    return {float(found) for found in _NUMBERS.findall(text)}


def spellings(product: Product) -> tuple[str, ...]:
    """How people write its name."""
    return (
        f"{product.title} {product.variant}",
        f"{product.title} in {product.variant}",
        f"{product.variant} {product.title}",
        f"{product.title} with {product.variant}",
        f"{product.title} for {product.variant}",
    )


def says_product(answer: str, product: Product, rivals: Iterable[Product]) -> bool:
    """Whether the answer names this product and none of its rivals."""
    named = any(says_text(answer, spelling) for spelling in spellings(product))
    return named and not any(says_text(answer, spelling) for rival in rivals for spelling in spellings(rival))


def near(world: World, product: Product) -> list[Product]:
    """Products that are easily taken for this one: of its line, or of the same kind and category."""
    return [
        other
        for other in world.listed(product.category)
        if other.sku != product.sku and (other.line == product.line or other.kind == product.kind)
    ]


def listed(parts: Sequence[str]) -> str:
    """`a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def line_text(world: World, line: Line, style: int = 0, hint: str = "") -> str:
    """A line of a cart in words. A hint describes the product instead of naming it."""
    product = world.by_sku[line.sku]
    option = f" ({product.option.label.lower()}: {line.option})" if product.option else ""
    name = f"{hint or quoted(product.name)}{option}"
    match style % 3:
        case 0:
            return f"{line.quantity} \u00d7 {name}"
        case 1:
            return f"{line.quantity} of {name}"
        case _:
            return f"{name}, quantity {line.quantity}"
