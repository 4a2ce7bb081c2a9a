"""Checkout: on one page, or step by step."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from webgym_hermetic.families.shop.family import FAMILY
from webgym_hermetic.families.shop.pages.cart import sums
from webgym_hermetic.families.shop.records import World
from webgym_hermetic.families.shop.state import ADDRESS, PAYMENTS, Draft, State, delivery_days, draft_of
from webgym_hermetic.family import Event, Go, Missing, Page, Reply, Visit

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
STEPS = ("address", "delivery", "payment", "review")
_PARTS = {
    "address": ADDRESS,
    "delivery": ("delivery", "day", "wrap", "note"),
    "payment": ("payment", "gift_code"),
}
_TITLES = {"address": "Address", "delivery": "Delivery", "payment": "Payment", "review": "Review"}


@FAMILY.get("/checkout")
def checkout(visit: Visit) -> Reply:
    if not visit.state.cart:
        return Go("/cart")
    return Go("/checkout/address") if visit.world.wizard else _page(visit, draft_of(visit.state), {})


@FAMILY.post("/checkout")
def place(visit: Visit) -> Reply:
    world, state = visit.world, visit.state
    if not state.cart:
        return Go("/cart")
    draft = _filled(draft_of(state), visit.form, (*ADDRESS, "delivery", "day", "wrap", "note", "payment", "gift_code"))
    errors = _errors(world, draft)
    if errors:
        return _page(visit, draft, errors)
    return _placed(draft)


@FAMILY.get("/checkout/{step}")
def step_page(visit: Visit, step: str) -> Reply:
    if step not in STEPS or not visit.world.wizard:
        return Missing()
    if not visit.state.cart:
        return Go("/cart")
    return _step(visit, step, draft_of(visit.state), {})


@FAMILY.post("/checkout/{step}")
def step_form(visit: Visit, step: str) -> Reply:
    world, state = visit.world, visit.state
    if step not in STEPS or not world.wizard:
        return Missing()
    if not state.cart:
        return Go("/cart")
    draft = draft_of(state)
    if step == "review":
        missing = next((one for one in STEPS[:3] if _errors(world, draft, _PARTS[one])), "")
        return Go(f"/checkout/{missing}", notice="Please check this step") if missing else _placed(draft)
    filled = _filled(draft, visit.form, _PARTS[step])
    errors = _errors(world, filled, _PARTS[step])
    if errors:
        return _step(visit, step, filled, errors)
    changes = {name: getattr(filled, name) for name in _PARTS[step]}
    return Go(f"/checkout/{STEPS[STEPS.index(step) + 1]}", (Event("draft", changes),))


def _placed(draft: Draft) -> Go:
    return Go("/thanks", (Event("order", msgspec.to_builtins(draft)),), "Thank you for your order")


def _filled(draft: Draft, form: Mapping[str, str], names: tuple[str, ...]) -> Draft:
    changes: dict[str, Any] = {name: form.get(name, "").strip() for name in names if name != "wrap"}
    if "wrap" in names:
        changes["wrap"] = form.get("wrap") == "on"
    return msgspec.structs.replace(draft, **changes)


def _errors(world: World, draft: Draft, names: tuple[str, ...] = ()) -> dict[str, str]:
    errors: dict[str, str] = {}
    if not draft.recipient:
        errors["recipient"] = "Who is it for?"
    if not any(letter.isdigit() for letter in draft.street):
        errors["street"] = "Please enter street and number"
    if not draft.city:
        errors["city"] = "Please enter a town"
    if len(draft.postcode) != 5 or not draft.postcode.isdecimal():
        errors["postcode"] = "Postcodes have 5 digits"
    if draft.delivery not in {one.key for one in world.deliveries}:
        errors["delivery"] = "Please choose how to have it delivered"
    first, last = delivery_days(world)
    if draft.day and not (_DAY.fullmatch(draft.day) and first <= draft.day <= last):
        errors["day"] = f"Please choose a day from {first} to {last}"
    if draft.payment not in PAYMENTS:
        errors["payment"] = "Please choose how to pay"
    if draft.payment == "gift" and draft.gift_code != world.customer.gift_card:
        errors["gift_code"] = "Please enter the number of your gift card, as shown in your account"
    if len(draft.note) > 200:
        errors["note"] = "200 characters at most"
    return {name: text for name, text in errors.items() if not names or name in names}


def _context(visit: Visit, draft: Draft, errors: dict[str, str]) -> dict[str, Any]:
    world: World = visit.world
    state: State = visit.state
    known = draft.delivery if draft.delivery in {one.key for one in world.deliveries} else "standard"
    return {
        "draft": draft,
        "errors": errors,
        "lines": [(line, world.by_sku[line.sku]) for line in state.cart],
        "payments": payments(world),
        "days": delivery_days(world),
        **sums(world, state, known, wrap=draft.wrap),
    }


def payments(world: World) -> list[tuple[str, str]]:
    return [
        ("card", f"Card on file ending {world.customer.card}"),
        ("invoice", "Invoice by email"),
        ("gift", "Gift card"),
    ]


def _page(visit: Visit, draft: Draft, errors: dict[str, str]) -> Page:
    return Page("checkout.html", "Checkout", _context(visit, draft, errors))


def _step(visit: Visit, step: str, draft: Draft, errors: dict[str, str]) -> Page:
    steps = [(one, f"/checkout/{one}", _TITLES[one]) for one in STEPS]
    context = {**_context(visit, draft, errors), "step": step, "steps": steps, "place": STEPS.index(step)}
    return Page("checkout_step.html", f"Checkout: {_TITLES[step].lower()}", context)
