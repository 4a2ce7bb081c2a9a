"""Booking a journey, there or there and back."""

from __future__ import annotations

from msgspec.structs import replace

from webgym_hermetic.families.travel import finding, words
from webgym_hermetic.families.travel.departures import Departure, departure, departures
from webgym_hermetic.families.travel.describing import counted, payments, written
from webgym_hermetic.families.travel.goals import booking
from webgym_hermetic.families.travel.goals.phrases import EXTRA_PHRASES, SEAT_PHRASES, and_join
from webgym_hermetic.families.travel.goals.searching import TripWish, find_trip, search_trips, shows_trips
from webgym_hermetic.families.travel.state import MOST_BAGS, Details, State, Trip
from webgym_hermetic.families.travel.world import World
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


class BookTrip(Goal, frozen=True):
    """Book a departure, or two. Fields that are empty were not asked for."""

    out: str
    fare: str
    names: tuple[str, ...]
    back: str = ""
    email: str = ""
    phone: str = ""
    extras: tuple[str, ...] = ()
    seat: str = ""
    bags: int = 0
    payment: str = ""

    def facts(self, world: World) -> tuple[Fact, ...]:
        """Way out, return, fare, travellers, and what else was asked for."""
        kind = "with a return" if self.back else "one way"
        facts = [Fact("out", f"The {_leg(world, self.out)} is booked, {kind}.")]
        if self.back:
            facts.append(Fact("back", f"The return is the {_leg(world, self.back)}."))
        facts.append(Fact("fare", f"The booked fare is {world.fare[self.fare].name}."))
        facts += [Fact(f"name{number}", f"Traveller {number} is {name}.") for number, name in enumerate(self.names, 1)]
        names = {key: name for key, name, _ in words.TRIP_EXTRAS}
        facts += [Fact(f"extra-{key}", f"The booking includes {names[key].lower()}.") for key in self.extras]
        optional = (
            ("seat", self.seat, f"The seat wish is {SEAT_PHRASES.get(self.seat, '')}."),
            ("bags", self.bags, f"The booking includes {counted(self.bags, 'extra bag')}."),
            ("email", self.email, f"The contact e-mail of the booking is {self.email}."),
            ("phone", self.phone, f"The contact phone of the booking is {self.phone}."),
            ("payment", self.payment, f"The booking is paid by {dict(payments(world)).get(self.payment, '')}."),
        )
        return (*facts, *(Fact(name, text) for name, value, text in optional if value))

    def holds(self, fact: str, end: End) -> bool:
        """Judged by the newest journey booked."""
        return self._holds(fact, end.state)

    def _holds(self, fact: str, state: State) -> bool:
        made = booking.latest(state, Trip)
        if made is None or not isinstance(made.what, Trip):
            return False
        what, details = made.what, made.details
        match fact:
            case "out":
                return what.out == self.out and bool(what.back) == bool(self.back)
            case "back" | "fare":
                return getattr(what, fact) == getattr(self, fact)
            case "email" | "phone":
                return booking.same_text(getattr(details, fact), getattr(self, fact))
            case "seat" | "bags" | "payment":
                return getattr(details, fact) == getattr(self, fact)
            case _ if fact.startswith("name"):
                index = int(fact.removeprefix("name")) - 1
                return len(details.names) == len(self.names) and booking.same_text(
                    details.names[index], self.names[index]
                )
            case _:
                return fact.removeprefix("extra-") in details.extras

    def next(self, view: View) -> Intent | None:
        """Search, choose the way out and the return, fill in the form."""
        world: World = view.world
        state: State = view.state
        if all(self._holds(fact.name, state) for fact in self.facts(world)):
            return None
        what = Trip(out=self.out, back=self.back, fare=self.fare, travellers=len(self.names))
        if state.draft and state.draft.what == what and booking.is_form(view):
            return booking.fill(view, self._details(world), stay=False)
        out = departure(world, self.out)
        back = departure(world, self.back).day if self.back else ""
        wish = TripWish(out.origin, out.to, out.day, back, len(self.names), self.fare)
        return self._choose(view, wish) or search_trips(view, wish) or find_trip(view, self.out)

    def _choose(self, view: View, wish: TripWish) -> Intent | None:
        """Take the departure on this page if it is the right one at this point of the journey."""
        chosen = view.query.get("out", "")
        out = f"do:fare:{self.out}:{self.fare}"
        back = f"do:fare:{self.back}:{self.fare}"
        if view.path == "/trips" and shows_trips(view, wish):
            if not chosen:
                return view.tap(out)
            if (chosen, view.query.get("fare", "")) != (self.out, self.fare):
                return None
            return view.tap(back) or find_trip(view, self.back)
        query, _ = finding.read_trip(view.world, view.query)
        if (query.travellers, query.back) != (wish.travellers, wish.back):
            return None
        if view.path == f"/trip/{self.out}" and not chosen:
            return view.tap(out)
        if view.path == f"/trip/{self.back}" and (chosen, query.fare) == (self.out, self.fare):
            return view.tap(back)
        return None

    def _details(self, world: World) -> Details:
        return Details(
            names=self.names,
            email=self.email or world.account.email,
            phone=self.phone or world.account.phone,
            extras=self.extras,
            seat=self.seat,
            bags=self.bags,
            payment=self.payment or "card",
        )

    def spoil(self, fact: str, world: World) -> BookTrip:
        """The same journey with one thing else."""
        match fact:
            case "out" | "back":
                return replace(self, **{fact: other_departure(world, getattr(self, fact))})
            case "fare":
                return replace(self, fare=next(fare.id for fare in world.fares if fare.id != self.fare))
            case "bags":
                return replace(self, bags=self.bags + 1 if self.bags < MOST_BAGS else 1)
            case _ if fact.startswith("name"):
                index = int(fact.removeprefix("name")) - 1
                names = [
                    booking.other_value("name", name) if index == at else name for at, name in enumerate(self.names)
                ]
                return replace(self, names=tuple(names))
            case _ if fact.startswith("extra-"):
                return replace(self, extras=tuple(key for key in self.extras if f"extra-{key}" != fact))
            case _:
                return replace(self, **{fact: booking.other_value(fact, getattr(self, fact))})

    def clauses(self, world: World) -> tuple[str, ...]:
        """All that is wanted, in several orders."""
        out, mode = departure(world, self.out), world.mode.one
        fare, people = world.fare[self.fare].name, and_join(self.names)
        route = f"from {world.city[out.origin].name} to {world.city[out.to].name}"
        leg = f"{mode} that leaves at {out.leaves} on {written(out.day)} ({out.number})"
        rest, back = self._wishes(world), self._return(world)
        kind = "return" if self.back else "one-way"
        return (
            f"book the {leg} {route} for {people} in {fare}{back}{rest}",
            f"buy a {kind} {fare} ticket {route} for {people}: the {leg}{back}{rest}",
            f"get {people} on the {leg} {route}, {kind}, fare {fare}{back}{rest}",
            f"make a {kind} booking {route} in {fare} for {people}, taking the {leg}{back}{rest}",
        )

    def _return(self, world: World) -> str:
        if not self.back:
            return ""
        back = departure(world, self.back)
        return f", coming back on {written(back.day)} at {back.leaves} ({back.number})"

    def _wishes(self, world: World) -> str:
        parts: list[str] = []
        wanted = [EXTRA_PHRASES[key] for key in self.extras]
        if self.bags:
            wanted.append(counted(self.bags, "extra bag"))
        if wanted:
            parts.append(f"add {and_join(wanted)}")
        if self.seat:
            parts.append(f"ask for {SEAT_PHRASES[self.seat]}")
        if self.email:
            parts.append(f"use {self.email} as the contact e-mail")
        if self.phone:
            parts.append(f"give {self.phone} as the phone number")
        if self.payment:
            parts.append(f"pay with {dict(payments(world))[self.payment]}")
        return "".join(f"; {part}" for part in parts)


def other_departure(world: World, key: str) -> str:
    """Another departure of the same day that is not sold out."""
    here = departure(world, key)
    others: list[Departure] = [
        one for one in departures(world, here.origin, here.to, here.day) if one.left and one.id != key
    ]
    return min(others, key=lambda one: abs(_minutes(one) - _minutes(here))).id


def _minutes(one: Departure) -> int:
    return int(one.leaves[:2]) * 60 + int(one.leaves[3:])


def _leg(world: World, key: str) -> str:
    leg = departure(world, key)
    route = f"{world.city[leg.origin].name} to {world.city[leg.to].name}"
    return f"{world.mode.one} {leg.number} from {route} at {leg.leaves} on {written(leg.day)}"
