"""Orders, new and old, and sending things back."""

from __future__ import annotations

from typing import Any

from webgym_hermetic.families.shop.family import FAMILY
from webgym_hermetic.families.shop.pages.checkout import payments
from webgym_hermetic.families.shop.records import Past, World
from webgym_hermetic.families.shop.state import REASONS, REFUNDS, Order, State
from webgym_hermetic.family import Event, Go, Missing, Page, Reply, Visit


@FAMILY.get("/thanks")
def thanks(visit: Visit) -> Reply:
    state: State = visit.state
    if not state.orders:
        return Go("/orders")
    return Page("thanks.html", "Thank you", {"order": state.orders[-1], **_labels(visit.world, state.orders[-1])})


@FAMILY.get("/orders")
def orders(visit: Visit) -> Reply:
    return Page("orders.html", "Your orders", {"new": tuple(reversed(visit.state.orders))})


@FAMILY.get("/orders/{number}")
def order_page(visit: Visit, number: str) -> Reply:
    world, state = visit.world, visit.state
    new = next((order for order in state.orders if order.number == number), None)
    if new is not None:
        return Page("order_new.html", f"Order {number}", {"order": new, **_labels(world, new)})
    old: Past | None = world.by_order.get(number)
    if old is None:
        return Missing()
    sent_back = next((one for one in state.returns if one.order == number), None)
    return Page("order.html", f"Order {number}", {"order": old, "sent_back": sent_back, "reasons": dict(REASONS)})


@FAMILY.get("/orders/{number}/return")
def return_page(visit: Visit, number: str) -> Reply:
    order: Past | None = visit.world.by_order.get(number)
    return _return_page(visit, order, {}) if order else Missing()


@FAMILY.post("/orders/{number}/return")
def return_form(visit: Visit, number: str) -> Reply:
    order: Past | None = visit.world.by_order.get(number)
    if order is None:
        return Missing()
    form = visit.form
    errors: dict[str, str] = {}
    if form.get("sku", "") not in {line.sku for line in order.lines}:
        errors["sku"] = "Which item is it?"
    if form.get("reason", "") not in dict(REASONS):
        errors["reason"] = "Please choose a reason"
    if form.get("refund", "") not in dict(REFUNDS):
        errors["refund"] = "Please choose how you want your money back"
    if errors:
        return _return_page(visit, order, errors)
    args = {name: form[name] for name in ("sku", "reason", "refund")}
    event = Event("return", {"order": number, **args, "comment": form.get("comment", "").strip()})
    return Go(f"/orders/{number}", (event,), "Your return is registered")


def _return_page(visit: Visit, order: Past, errors: dict[str, str]) -> Page:
    world: World = visit.world
    context = {
        "order": order,
        "errors": errors,
        "items": [(line.sku, world.by_sku[line.sku].name) for line in order.lines],
        "reasons": REASONS,
        "refunds": REFUNDS,
        "form": visit.form,
    }
    return Page("return.html", f"Return items of {order.number}", context)


def _labels(world: World, order: Order) -> dict[str, Any]:
    return {
        "delivery": next(one for one in world.deliveries if one.key == order.how.delivery),
        "payment": dict(payments(world))[order.how.payment],
    }
