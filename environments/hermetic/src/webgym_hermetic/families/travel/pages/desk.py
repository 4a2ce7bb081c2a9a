"""The help centre and the contact form."""

from __future__ import annotations

from collections.abc import Mapping

from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.family import FAMILY
from webgym_hermetic.families.travel.state import State
from webgym_hermetic.families.travel.world import World
from webgym_hermetic.family import Event, Go, Missing, Page, Reply, Visit


@FAMILY.get("/help")
def help_centre(visit: Visit) -> Reply:
    """All articles."""
    del visit
    return Page("help.html", "Help centre")


@FAMILY.get("/help/{key}")
def article(visit: Visit, key: str) -> Reply:
    """One article."""
    world: World = visit.world
    page = world.help_page.get(key)
    return Page("article.html", page.title, {"article": page}) if page else Missing()


@FAMILY.get("/contact")
def contact(visit: Visit) -> Reply:
    """A form to write to the company."""
    return _contact(visit, {}, {})


@FAMILY.post("/contact")
def send(visit: Visit) -> Reply:
    """Send a message."""
    state: State = visit.state
    form = visit.form
    topic, ref, text = form.get("topic", ""), form.get("ref", "").strip().upper(), form.get("text", "").strip()
    errors: dict[str, str] = {}
    if topic not in dict(words.TOPICS):
        errors["topic"] = "Choose a topic."
    if ref and ref not in {booking.ref for booking in state.bookings}:
        errors["ref"] = "We have no booking with this reference."
    if len(text) < 10:
        errors["text"] = "Write at least 10 characters."
    if errors:
        return _contact(visit, form, errors)
    return Go("/contact/sent", (Event("wrote", {"topic": topic, "ref": ref, "text": text}),), "Message sent")


@FAMILY.get("/contact/sent")
def sent(visit: Visit) -> Reply:
    """Thanks for the message."""
    state: State = visit.state
    if not state.messages:
        return Go("/contact")
    message = state.messages[-1]
    return Page("sent.html", "Message sent", {"message": message, "topic": dict(words.TOPICS)[message.topic]})


def _contact(visit: Visit, form: Mapping[str, str], errors: Mapping[str, str]) -> Reply:
    del visit
    context = {"form": form, "errors": errors, "topics": words.TOPICS}
    return Page("contact.html", "Contact us", context)
