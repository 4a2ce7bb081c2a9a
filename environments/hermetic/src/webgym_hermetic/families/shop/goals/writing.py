"""Forms: reviews, messages, subscriptions, returns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from webgym_hermetic import controls
from webgym_hermetic.families.shop.goals.said import quoted
from webgym_hermetic.families.shop.goals.steps import link, tap, to_product, walk
from webgym_hermetic.families.shop.records import World
from webgym_hermetic.families.shop.state import REASONS, REFUNDS, REPLIES, TOPICS, State
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


class WriteReview(Goal, frozen=True):
    """Publish a review of a product."""

    sku: str
    stars: int
    title: str
    body: str

    def facts(self, world: World) -> tuple[Fact, ...]:
        name = world.by_sku[self.sku].name
        return (
            Fact("stars", f"The review of {name} gives {self.stars} of 5 stars."),
            Fact("title", f"The headline of the review of {name} is {quoted(self.title)}."),
            Fact("body", f"The text of the review of {name} is {quoted(self.body)}."),
        )

    def holds(self, fact: str, end: End) -> bool:
        state: State = end.state
        written = next((one for one in state.reviews if one.sku == self.sku), None)
        return written is not None and getattr(written, fact) == getattr(self, fact)

    def next(self, view: View) -> Intent | None:
        state: State = view.state
        written = next((one for one in state.reviews if one.sku == self.sku), None)
        if written and (written.stars, written.title, written.body) == (self.stars, self.title, self.body):
            return None
        product = view.world.by_sku[self.sku]
        form = f"{product.path}/review"
        if view.path != form:
            return link(view, form) or to_product(view, product)
        values = {"stars": str(self.stars), "title": self.title, "body": self.body}
        return _filled(view, values, ("stars",)) or tap(view, "submit:review") or walk(view, product.path)

    def spoil(self, fact: str, world: World) -> WriteReview:
        del world
        wrong: dict[str, Any] = {
            "stars": self.stars % 5 + 1,
            "title": f"{self.title} indeed",
            "body": f"{self.body} So there.",
        }
        return msgspec.structs.replace(self, **{fact: wrong[fact]})

    def clauses(self, world: World) -> tuple[str, ...]:
        name, title, body = quoted(world.by_sku[self.sku].name), quoted(self.title), quoted(self.body)
        return (
            f"write a review of {name} with {self.stars} out of 5 stars, the headline {title} and the text {body}",
            f"review {name}: rating {self.stars} of 5, headline {title}, text {body}",
            f"publish a {self.stars}-star review of {name} headed {title} that says {body}",
            f"rate {name} with {self.stars} of 5 stars in a review called {title} with the words {body}",
        )


class SendMessage(Goal, frozen=True):
    """Write to the shop through its contact form."""

    topic: str
    order: str
    reply: str
    body: str

    def facts(self, world: World) -> tuple[Fact, ...]:
        del world
        return (
            Fact("topic", f"The latest message is about: {dict(TOPICS)[self.topic]}."),
            Fact("order", f"It names the order {self.order}."),
            Fact("reply", f"The reply is wanted: {dict(REPLIES)[self.reply].lower()}."),
            Fact("body", f"It says {quoted(self.body)}."),
        )

    def holds(self, fact: str, end: End) -> bool:
        state: State = end.state
        return bool(state.messages) and getattr(state.messages[-1], fact) == getattr(self, fact)

    def next(self, view: View) -> Intent | None:
        state: State = view.state
        values = {"topic": self.topic, "order": self.order, "reply": self.reply, "body": self.body}
        if state.messages and all(getattr(state.messages[-1], name) == value for name, value in values.items()):
            return None
        if view.path != "/contact":
            return walk(view, "/contact")
        return _filled(view, values, ("topic", "reply")) or tap(view, "submit:contact") or walk(view, "/contact")

    def spoil(self, fact: str, world: World) -> SendMessage:
        wrong = {
            "topic": _next_of(TOPICS, self.topic),
            "order": next(one.number for one in world.orders if one.number != self.order),
            "reply": _next_of(REPLIES, self.reply),
            "body": f"{self.body} Thank you.",
        }
        return msgspec.structs.replace(self, **{fact: wrong[fact]})

    def clauses(self, world: World) -> tuple[str, ...]:
        del world
        topic, reply = quoted(dict(TOPICS)[self.topic]), quoted(dict(REPLIES)[self.reply])
        body = quoted(self.body)
        how = f"topic {topic}, order number {self.order}, reply {reply}"
        return (
            f"send the shop a message ({how}) saying {body}",
            f"use the contact form: {how}, message {body}",
            f"contact customer service about order {self.order}, topic {topic}, reply {reply}, and write {body}",
            f"write {body} to the shop through its contact form, with the {how}",
        )


class Subscribe(Goal, frozen=True):
    """Sign an address up for the newsletter."""

    email: str
    interest: str
    digest: str

    def facts(self, world: World) -> tuple[Fact, ...]:
        return (
            Fact("email", f"The latest subscription is for {self.email}."),
            Fact("interest", f"It is about: {_interest(world, self.interest)}."),
            Fact("digest", f"It comes {_OFTEN[self.digest]}."),
        )

    def holds(self, fact: str, end: End) -> bool:
        state: State = end.state
        return bool(state.subscriptions) and getattr(state.subscriptions[-1], fact) == getattr(self, fact)

    def next(self, view: View) -> Intent | None:
        state: State = view.state
        values = {"email": self.email, "interest": self.interest, "digest": self.digest}
        done = state.subscriptions and state.subscriptions[-1]
        if done and all(getattr(done, name) == value for name, value in values.items()):
            return None
        if view.path != "/newsletter":
            return walk(view, "/newsletter")
        choices = ("interest", "digest")
        return _filled(view, values, choices) or tap(view, "submit:newsletter") or walk(view, "/newsletter")

    def spoil(self, fact: str, world: World) -> Subscribe:
        wrong = {
            "email": f"x{self.email}",
            "interest": next(one.slug for one in world.categories if one.slug != self.interest),
            "digest": "weekly" if self.digest == "monthly" else "monthly",
        }
        return msgspec.structs.replace(self, **{fact: wrong[fact]})

    def clauses(self, world: World) -> tuple[str, ...]:
        about, often = quoted(_interest(world, self.interest)), _OFTEN[self.digest]
        return (
            f"subscribe {self.email} to the newsletter about {about}, to come {often}",
            f"sign {self.email} up for the newsletter: topic {about}, {often}",
            f"register the address {self.email} for the newsletter on {about} that comes {often}",
            f"order the newsletter for {self.email}, with {about} as the subject, {often}",
        )


class ReturnItem(Goal, frozen=True):
    """Register the return of an item of an old order."""

    order: str
    sku: str
    reason: str
    refund: str
    comment: str = ""

    def facts(self, world: World) -> tuple[Fact, ...]:
        found = [
            Fact("sku", f"A return of {world.by_sku[self.sku].name} is registered for order {self.order}."),
            Fact("reason", f"The reason of the return for order {self.order} is: {dict(REASONS)[self.reason]}."),
            Fact("refund", f"The refund of the return for order {self.order} is: {dict(REFUNDS)[self.refund]}."),
        ]
        if self.comment:
            found.append(
                Fact("comment", f"The comment of the return for order {self.order} is {quoted(self.comment)}.")
            )
        return tuple(found)

    def holds(self, fact: str, end: End) -> bool:
        state: State = end.state
        made = next((one for one in state.returns if one.order == self.order), None)
        return made is not None and getattr(made, fact) == getattr(self, fact)

    def next(self, view: View) -> Intent | None:
        state: State = view.state
        made = next((one for one in state.returns if one.order == self.order), None)
        values = {"sku": self.sku, "reason": self.reason, "refund": self.refund, "comment": self.comment}
        if made and all(getattr(made, name) == value for name, value in values.items()):
            return None
        form = f"/orders/{self.order}/return"
        if view.path != form:
            return walk(view, "/orders", f"/orders/{self.order}", form)
        choices = ("sku", "reason", "refund")
        return _filled(view, values, choices) or tap(view, "submit:return") or walk(view, "/orders")

    def spoil(self, fact: str, world: World) -> ReturnItem:
        bought = [line.sku for line in world.by_order[self.order].lines]
        wrong = {
            "sku": next((sku for sku in bought if sku != self.sku), ""),
            "reason": _next_of(REASONS, self.reason),
            "refund": _next_of(REFUNDS, self.refund),
            "comment": f"{self.comment} Thanks.",
        }
        return msgspec.structs.replace(self, **{fact: wrong[fact]})

    def clauses(self, world: World) -> tuple[str, ...]:
        name, reason = quoted(world.by_sku[self.sku].name), quoted(dict(REASONS)[self.reason])
        refund = quoted(dict(REFUNDS)[self.refund])
        note = f", with the comment {quoted(self.comment)}" if self.comment else ""
        return (
            f"return {name} from order {self.order}, with the reason {reason} and the refund {refund}{note}",
            f"register a return for order {self.order}: item {name}, reason {reason}, refund {refund}{note}",
            f"send {name} of order {self.order} back; the reason is {reason} and the refund should be {refund}{note}",
            f"set up the return of {name} bought with order {self.order}, reason {reason}, refund {refund}{note}",
        )


_OFTEN = {"weekly": "every week", "monthly": "every month"}


def _interest(world: World, key: str) -> str:
    return "Everything" if key == "all" else world.by_slug[key].name


def _filled(view: View, values: Mapping[str, str], choices: tuple[str, ...]) -> Intent | None:
    """The next step to get the form's fields right; None when they are."""
    for name, value in values.items():
        step = controls.choose(view, name, value) if name in choices else controls.write(view, name, value)
        if step:
            return step
    return None


def _next_of(options: tuple[tuple[str, str], ...], key: str) -> str:
    keys = [one for one, _ in options]
    return keys[(keys.index(key) + 1) % len(keys)]
