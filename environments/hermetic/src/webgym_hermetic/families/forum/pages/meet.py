"""Meetups and who comes to them."""

from __future__ import annotations

from webgym_hermetic.families.forum.family import FAMILY
from webgym_hermetic.families.forum.house import MOST_GUESTS
from webgym_hermetic.families.forum.pages.showing import choosable, show
from webgym_hermetic.families.forum.records import Meetup
from webgym_hermetic.families.forum.state import ANSWERS, Rsvp
from webgym_hermetic.family import Event, Go, Missing, Reply, Visit


@FAMILY.get("/events")
def events(visit: Visit) -> Reply:
    """What takes place in the next weeks."""
    return show(visit, "events.html", "Meetups", meetups=visit.world.meetups, rsvps=visit.state.rsvps)


@FAMILY.get("/event/{key}")
def event(visit: Visit, key: str) -> Reply:
    """One meetup, and an invitation to it."""
    found = visit.world.meetup_of.get(key)
    rsvp = visit.state.rsvps.get(key)
    return _page(visit, found, rsvp or Rsvp("", 0, ""), {}) if found else Missing()


@FAMILY.post("/event/{key}")
def answer(visit: Visit, key: str) -> Reply:
    """Answer the invitation."""
    found = visit.world.meetup_of.get(key)
    if found is None:
        return Missing()
    guests = visit.form.get("guests", "0").strip()
    rsvp = Rsvp(
        visit.form.get("answer", ""),
        int(guests) if guests.isdecimal() and len(guests) < 4 else -1,
        visit.form.get("bring", ""),
    )
    errors: dict[str, str] = {}
    if rsvp.answer not in dict(ANSWERS):
        errors["answer"] = "Are you coming?"
    if not 0 <= rsvp.guests <= MOST_GUESTS:
        errors["guests"] = f"From 0 to {MOST_GUESTS} guests."
    if errors:
        return _page(visit, found, rsvp, errors)
    bring = rsvp.bring if rsvp.bring in visit.world.bank.bring else ""
    args = {"event": key, "answer": rsvp.answer, "guests": rsvp.guests, "bring": bring}
    return Go(found.path, (Event("rsvp", {**args}),), notice="Thanks, the host has been told.")


def _page(visit: Visit, meetup: Meetup, rsvp: Rsvp, errors: dict[str, str]) -> Reply:
    return show(
        visit,
        "event.html",
        meetup.title,
        meetup=meetup,
        rsvp=rsvp,
        answered=visit.state.rsvps.get(meetup.id),
        errors=errors,
        answers=choosable(visit, ANSWERS, "Please choose"),
        labels=dict(ANSWERS),
        bring=[("", "Nothing"), *((one, one) for one in visit.world.bank.bring)],
        most_guests=MOST_GUESTS,
    )
