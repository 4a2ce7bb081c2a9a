"""Filling the cart and buying."""

from __future__ import annotations

from typing import Any

import msgspec

from webgym_hermetic import controls
from webgym_hermetic.families.shop.goals.best import Best
from webgym_hermetic.families.shop.goals.said import line_text, listed, spelt
from webgym_hermetic.families.shop.goals.steps import fill_cart, tap, walk
from webgym_hermetic.families.shop.records import Address, World
from webgym_hermetic.families.shop.state import ADDRESS, Draft, Line, Order, State, delivery_days, draft_of
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View, Write

_PAYMENTS = {"card": "with the card on file", "invoice": "by invoice", "gift": "with the gift card {gift}"}


class FillCart(Goal, frozen=True):
    """Have exactly these lines in the cart."""

    lines: tuple[Line, ...]
    ways: tuple[Best, ...] = ()
    """Descriptions to give of some of them instead of their names."""
    extra: Line | None = None

    def facts(self, world: World) -> tuple[Fact, ...]:
        return (*_line_facts(world, self.lines, "The cart holds"), Fact("only", "The cart holds nothing else."))

    def holds(self, fact: str, end: End) -> bool:
        state: State = end.state
        return _holds(fact, self.lines, state.cart)

    def next(self, view: View) -> Intent | None:
        return fill_cart(view, _with(self.lines, self.extra), self.ways)

    def spoil(self, fact: str, world: World) -> FillCart:
        if fact == "only":
            return FillCart(self.lines, self.ways, _stranger(world, self.lines))
        return FillCart(_off_by_one(self.lines, fact), self.ways)

    def clauses(self, world: World) -> tuple[str, ...]:
        what = [_worded(world, self.lines, self.ways, style) for style in range(3)]
        return (
            f"put {what[0]} into the cart and leave nothing else in it",
            f"fill the shopping cart with exactly {what[1]}, without ordering yet",
            f"add {what[0]} to the cart, so that it holds just that and nothing more",
            f"make the cart contain only {what[2]}",
            f"get the cart ready with {what[1]} and nothing besides; do not check out",
        )


class Purchase(Goal, frozen=True):
    """Order exactly these lines, in the way that is asked for. Empty fields leave it open."""

    lines: tuple[Line, ...]
    delivery: str = ""
    payment: str = ""
    address: Address | None = None
    note: str = ""
    wrap: bool = False
    promo: str = ""
    day: str = ""
    """When it is to arrive, ISO."""
    ways: tuple[Best, ...] = ()
    """Descriptions to give of some of the lines instead of names."""
    extra: Line | None = None

    def facts(self, world: World) -> tuple[Fact, ...]:
        found = [*_line_facts(world, self.lines, "The latest order contains")]
        found.append(Fact("only", "The latest order contains nothing else."))
        if self.delivery:
            found.append(Fact("delivery", f"It is delivered by: {_delivery(world, self.delivery)}."))
        if self.day:
            found.append(Fact("day", f"The preferred delivery day is {spelt(self.day)}."))
        if self.payment:
            found.append(Fact("payment", f"It is paid {_payment(world, self.payment)}."))
        if self.address:
            found += [Fact(name, f"The {name} is {getattr(self.address, name)}.") for name in ADDRESS]
        if self.note:
            found.append(Fact("note", f"The gift note says \u201c{self.note}\u201d."))
        if self.wrap:
            found.append(Fact("wrap", "It is gift-wrapped."))
        if self.promo:
            found.append(Fact("promo", f"The promo code {self.promo} was used."))
        return tuple(found)

    def holds(self, fact: str, end: End) -> bool:
        state: State = end.state
        if not state.orders:
            return False
        order = state.orders[-1]
        match fact:
            case "delivery" | "payment" | "note" | "wrap" | "day":
                return getattr(order.how, fact) == getattr(self, fact)
            case "recipient" | "street" | "city" | "postcode":
                return getattr(order.how, fact) == getattr(self.address, fact)
            case "promo":
                return order.promo == self.promo
            case _:
                return _holds(fact, self.lines, order.lines)

    def next(self, view: View) -> Intent | None:
        state: State = view.state
        wanted = self._draft(view)
        lines = _with(self.lines, self.extra)
        if state.orders and self._satisfied(state.orders[-1], wanted, lines):
            return None
        return fill_cart(view, lines, self.ways) or self._code(view) or check_out(view, wanted)

    def spoil(self, fact: str, world: World) -> Purchase:
        changes: dict[str, Any] = {}
        match fact:
            case "only":
                changes["extra"] = _stranger(world, self.lines)
            case "delivery":
                changes["delivery"] = next(one.key for one in world.deliveries if one.key != self.delivery)
            case "payment":
                changes["payment"] = "card" if self.payment == "invoice" else "invoice"
            case "recipient" | "street" | "city" | "postcode":
                changes["address"] = _wrong_address(world, self.address or world.customer.address, fact)
            case "day":
                first, last = delivery_days(world)
                changes["day"] = first if self.day != first else last
            case "note":
                changes["note"] = f"{self.note} x"
            case "wrap":
                changes["wrap"] = False
            case "promo":
                changes["promo"] = ""
            case _:
                changes["lines"] = _off_by_one(self.lines, fact)
        return msgspec.structs.replace(self, **changes)

    def clauses(self, world: World) -> tuple[str, ...]:
        what = [_worded(world, self.lines, self.ways, style) for style in range(3)]
        how = self._how(world)
        first, second = (f", {how[0]}" if how[0] else ""), (f"; {how[1]}" if how[1] else "")
        return (
            f"order {what[0]} and nothing else{first}",
            f"buy exactly {what[1]}{first}",
            f"place an order for {what[0]}, with no other items{second}",
            f"purchase {what[2]} and only that{second}",
            f"check out with just {what[1]} in the cart{second}",
        )

    def _how(self, world: World) -> tuple[str, str]:
        """The rest of the request, once as part of a sentence, once as a list."""
        parts: list[tuple[str, str]] = []
        if self.delivery:
            name = _delivery(world, self.delivery)
            parts.append((f"with \u201c{name}\u201d as the delivery option", f"choose \u201c{name}\u201d for delivery"))
        if self.day:
            parts.append((f"to arrive on {spelt(self.day)}", f"enter {spelt(self.day)} as the preferred delivery day"))
        if self.payment:
            name = _payment(world, self.payment)
            parts.append((f"paying {name}", f"pay {name}"))
        if self.address:
            where = f"{self.address.recipient}, {self.address.street}, {self.address.city}, {self.address.postcode}"
            parts.append((f"sent to {where}", f"have it sent to {where}"))
        if self.note:
            parts.append((f"with the gift note \u201c{self.note}\u201d", f"add the gift note \u201c{self.note}\u201d"))
        if self.wrap:
            parts.append(("gift-wrapped", "have it gift-wrapped"))
        if self.promo:
            parts.append((f"using the promo code {self.promo}", f"use the promo code {self.promo}"))
        return (listed([one for one, _ in parts]), listed([other for _, other in parts])) if parts else ("", "")

    def _draft(self, view: View) -> Draft:
        """What the checkout has to say. What was left open is as the account has it."""
        world: World = view.world
        state: State = view.state
        at = self.address or state.settings.address
        payment = self.payment or "card"
        return Draft(
            recipient=at.recipient,
            street=at.street,
            city=at.city,
            postcode=at.postcode,
            delivery=self.delivery or "standard",
            day=self.day,
            payment=payment,
            gift_code=world.customer.gift_card if payment == "gift" else "",
            note=self.note,
            wrap=self.wrap,
        )

    def _satisfied(self, order: Order, wanted: Draft, lines: tuple[Line, ...]) -> bool:
        asked = [name for name in ("delivery", "day", "payment", "note", "wrap") if getattr(self, name)]
        asked += ADDRESS if self.address else ()
        return (
            _same(order.lines, lines)
            and order.promo == self.promo
            and all(getattr(order.how, name) == getattr(wanted, name) for name in asked)
        )

    def _code(self, view: View) -> Intent | None:
        """Towards the right promo code."""
        state: State = view.state
        if state.promo == self.promo:
            return None
        if state.promo:
            return tap(view, "do:unpromo") or walk(view, "/cart")
        return controls.write(view, "code", self.promo) or tap(view, "submit:promo") or walk(view, "/cart")


def check_out(view: View, wanted: Draft) -> Intent:
    """Towards an order placed so, from whichever step of the checkout."""
    if not view.path.startswith("/checkout"):
        return walk(view, "/cart", "/checkout", "/checkout/address")
    if view.path == "/checkout/review":
        return _reviewed(view, wanted)
    steps = [controls.write(view, name, getattr(wanted, name)) for name in ADDRESS]
    steps += [
        controls.choose(view, "delivery", wanted.delivery),
        _day(view, wanted.day),
        controls.switch(view, "wrap", on=wanted.wrap),
        controls.write(view, "note", wanted.note),
        controls.choose(view, "payment", wanted.payment),
        controls.write(view, "gift_code", wanted.gift_code),
    ]
    return next((step for step in steps if step), None) or tap(view, "submit:checkout") or walk(view, "/cart")


def _day(view: View, day: str) -> Intent | None:
    """Towards the day asked for. If none is, only what was typed by mistake is taken out: any day picked will do."""
    control = view.find("date:day")
    if day or control is None:
        return controls.pick_date(view, "day", day)
    return Write(control, "") if control.tag == "input" and control.value else None


def _reviewed(view: View, wanted: Draft) -> Intent:
    draft = draft_of(view.state)
    if any(getattr(draft, name) != getattr(wanted, name) for name in ADDRESS):
        return walk(view, "/checkout/address")
    if (draft.delivery, draft.wrap, draft.note) != (wanted.delivery, wanted.wrap, wanted.note):
        return walk(view, "/checkout/delivery")
    if wanted.day and draft.day != wanted.day:
        return walk(view, "/checkout/delivery")
    if (draft.payment, draft.gift_code) != (wanted.payment, wanted.gift_code):
        return walk(view, "/checkout/payment")
    return tap(view, "submit:checkout") or walk(view, "/cart")


def _worded(world: World, lines: tuple[Line, ...], ways: tuple[Best, ...], style: int) -> str:
    hints = {way.sku: way.text(world, style) for way in ways}
    return listed([line_text(world, line, style, hints.get(line.sku, "")) for line in lines])


def _line_facts(world: World, lines: tuple[Line, ...], says: str) -> list[Fact]:
    return [Fact(f"line:{line.sku}", f"{says} {line_text(world, line)}.") for line in lines]


def _holds(fact: str, wanted: tuple[Line, ...], there: tuple[Line, ...]) -> bool:
    if fact == "only":
        return bool(there) and {line.sku for line in there} <= {line.sku for line in wanted}
    sku = fact.removeprefix("line:")
    return [line for line in wanted if line.sku == sku] == [line for line in there if line.sku == sku]


def _same(there: tuple[Line, ...], wanted: tuple[Line, ...]) -> bool:
    return sorted(there, key=lambda line: line.key) == sorted(wanted, key=lambda line: line.key)


def _with(lines: tuple[Line, ...], extra: Line | None) -> tuple[Line, ...]:
    return (*lines, extra) if extra else lines


def _off_by_one(lines: tuple[Line, ...], fact: str) -> tuple[Line, ...]:
    return tuple(
        Line(line.sku, line.option, line.quantity + 1) if fact == f"line:{line.sku}" else line for line in lines
    )


def _stranger(world: World, lines: tuple[Line, ...]) -> Line:
    """Something nobody asked for."""
    asked = {line.sku for line in lines}
    product = next(one for one in world.products if one.sku not in asked and one.stock > 5 and one.option is None)
    return Line(product.sku)


def _delivery(world: World, key: str) -> str:
    return next(one.label for one in world.deliveries if one.key == key)


def _payment(world: World, key: str) -> str:
    return _PAYMENTS[key].format(gift=world.customer.gift_card)


def _wrong_address(world: World, address: Address, name: str) -> Address:
    wrong = {
        "recipient": f"{address.recipient} Junior",
        "street": f"9{address.street}",
        "city": "Elsewhere",
        "postcode": "99999" if address.postcode != "99999" else "11111",
    }
    del world
    return msgspec.structs.replace(address, **{name: wrong[name]})
