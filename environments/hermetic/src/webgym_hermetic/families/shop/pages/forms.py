"""Forms to fill in: contact, newsletter, writing a review."""

from __future__ import annotations

import re

from webgym_hermetic.families.shop.family import FAMILY
from webgym_hermetic.families.shop.pages.account import DIGEST_LABELS
from webgym_hermetic.families.shop.records import Product, World
from webgym_hermetic.families.shop.state import REPLIES, TOPICS
from webgym_hermetic.family import Event, Go, Missing, Page, Reply, Visit

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
STARS = tuple((str(count), f"{count} star{'s' if count > 1 else ''}") for count in range(5, 0, -1))


@FAMILY.get("/contact")
def contact(visit: Visit) -> Reply:
    return _contact(visit, {})


@FAMILY.post("/contact")
def send(visit: Visit) -> Reply:
    world: World = visit.world
    form = {name: visit.form.get(name, "").strip() for name in ("topic", "order", "reply", "body")}
    errors: dict[str, str] = {}
    if form["topic"] not in dict(TOPICS):
        errors["topic"] = "What is it about?"
    if form["order"] and form["order"] not in world.by_order:
        errors["order"] = "We have no order with this number"
    if form["reply"] not in dict(REPLIES):
        errors["reply"] = "How may we reply?"
    if len(form["body"]) < 10:
        errors["body"] = "Please write at least 10 characters"
    if errors:
        return _contact(visit, errors)
    return Go("/contact", (Event("message", {**form}),), "Your message is on its way")


def _contact(visit: Visit, errors: dict[str, str]) -> Page:
    context = {"topics": TOPICS, "replies": REPLIES, "errors": errors, "form": visit.form}
    return Page("contact.html", "Contact us", context)


@FAMILY.get("/newsletter")
def newsletter(visit: Visit) -> Reply:
    return _newsletter(visit, {})


@FAMILY.post("/newsletter")
def subscribe(visit: Visit) -> Reply:
    world: World = visit.world
    form = {name: visit.form.get(name, "").strip() for name in ("email", "interest", "digest")}
    errors: dict[str, str] = {}
    if not _EMAIL.fullmatch(form["email"]):
        errors["email"] = "This is not an email address"
    if form["interest"] not in {"all", *world.by_slug}:
        errors["interest"] = "Please choose what you want to read about"
    if form["digest"] not in dict(DIGEST_LABELS[1:]):
        errors["digest"] = "Please choose how often"
    if errors:
        return _newsletter(visit, errors)
    return Go("/newsletter", (Event("subscribe", {**form}),), f"{form['email']} is subscribed")


def _newsletter(visit: Visit, errors: dict[str, str]) -> Page:
    world: World = visit.world
    interests = [("all", "Everything"), *((one.slug, one.name) for one in world.categories)]
    context = {"interests": interests, "digests": DIGEST_LABELS[1:], "errors": errors, "form": visit.form}
    return Page("newsletter.html", "Newsletter", context)


@FAMILY.get("/product/{sku}/review")
def review_page(visit: Visit, sku: str) -> Reply:
    product: Product | None = visit.world.by_sku.get(sku)
    return _review(visit, product, {}) if product else Missing()


@FAMILY.post("/product/{sku}/review")
def review_form(visit: Visit, sku: str) -> Reply:
    product: Product | None = visit.world.by_sku.get(sku)
    if product is None:
        return Missing()
    form = {name: visit.form.get(name, "").strip() for name in ("stars", "title", "body")}
    errors: dict[str, str] = {}
    if form["stars"] not in dict(STARS):
        errors["stars"] = "How many stars?"
    if not 3 <= len(form["title"]) <= 80:
        errors["title"] = "From 3 to 80 characters, please"
    if len(form["body"]) < 10:
        errors["body"] = "Please write at least 10 characters"
    if errors:
        return _review(visit, product, errors)
    args = {**form, "sku": sku, "stars": int(form["stars"]), "recommend": visit.form.get("recommend") == "on"}
    return Go(product.path, (Event("review", {**args}),), "Thank you for your review")


def _review(visit: Visit, product: Product, errors: dict[str, str]) -> Page:
    context = {"product": product, "stars": STARS, "errors": errors, "form": visit.form}
    return Page("review.html", f"Review {product.name}", context)
