"""Saved places, price alerts and settings."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from webgym_hermetic import controls
from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.events import CHANNEL_NAMES
from webgym_hermetic.families.travel.goals import ways
from webgym_hermetic.families.travel.goals.phrases import and_join
from webgym_hermetic.families.travel.goals.searching import place
from webgym_hermetic.families.travel.state import State, start
from webgym_hermetic.families.travel.world import World
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


def place_name(world: World, key: str) -> str:
    """A hotel or city, as a request names it."""
    kind, _, name = key.partition(":")
    if kind == "city":
        return world.city[name].name
    hotel = world.hotel[name]
    return f"{hotel.name} in {world.city[hotel.city].name}"


class KeepPlaces(Goal, frozen=True):
    """Save places."""

    places: tuple[str, ...]

    def facts(self, world: World) -> tuple[Fact, ...]:
        """One for each place."""
        return tuple(Fact(key, f"{place_name(world, key)} is among the saved places.") for key in self.places)

    def holds(self, fact: str, end: End) -> bool:
        """As the list is now."""
        return fact in end.state.saved

    def next(self, view: View) -> Intent | None:
        """Find each place, press its heart."""
        state: State = view.state
        missing = next((key for key in self.places if key not in state.saved), None)
        if missing is None:
            return None
        kind, _, name = missing.partition(":")
        if kind == "city":
            return ways.to_guide(view, name) or view.tap(f"do:save:{missing}") or ways.home(view)
        if view.path == f"/hotel/{name}":
            return view.tap(f"do:save:{missing}") or ways.home(view)
        return ways.to_hotel(view, name) or ways.home(view)

    def spoil(self, fact: str, world: World) -> KeepPlaces:
        """A place of nearly the same kind is saved instead."""
        kind, _, name = fact.partition(":")
        kept = (*self.places, *start(world).saved)
        if kind == "hotel":
            others = [f"hotel:{hotel.id}" for hotel in world.hotels_in[world.hotel[name].city]]
        else:
            others = [f"city:{city.id}" for city in world.cities]
        other = next(key for key in others if key not in kept)
        return KeepPlaces(tuple(other if key == fact else key for key in self.places))

    def clauses(self, world: World) -> tuple[str, ...]:
        """The places by their names."""
        names = and_join([_described(world, key) for key in self.places])
        return (
            f"save {names} to my places",
            f"add {names} to my saved places",
            f"put {names} on my list of saved places",
            f"use the heart to add {names} to the places I saved",
        )


def _described(world: World, key: str) -> str:
    name = place_name(world, key)
    return f"the city of {name} (from its guide)" if key.startswith("city:") else name


class DropPlace(Goal, frozen=True):
    """Remove a saved place."""

    place: str

    def facts(self, world: World) -> tuple[Fact, ...]:
        """That it is gone."""
        return (Fact("gone", f"{place_name(world, self.place)} is not among the saved places any more."),)

    def holds(self, fact: str, end: End) -> bool:
        """As the list is now."""
        del fact
        return self.place not in end.state.saved

    def next(self, view: View) -> Intent | None:
        """Open the list, press the button beside it."""
        state: State = view.state
        if self.place not in state.saved:
            return None
        if view.path == "/saved":
            return view.tap(f"do:unsave:{self.place}")
        return ways.go(view, "/saved")

    def spoil(self, fact: str, world: World) -> DropPlace:
        """Another one is removed instead."""
        del fact
        return DropPlace(next(key for key in start(world).saved if key != self.place))

    def clauses(self, world: World) -> tuple[str, ...]:
        """The place by its name."""
        name = place_name(world, self.place)
        return (
            f"remove {name} from my saved places",
            f"take {name} off my list of saved places",
            f"delete {name} from the places I saved",
            f"clear {name} out of my saved places but keep the others",
        )


class SetAlert(Goal, frozen=True):
    """Set a price alert."""

    city: str
    dollars: int
    channel: str

    def facts(self, world: World) -> tuple[Fact, ...]:
        """City, price and channel."""
        return (
            Fact("city", f"There is a new price alert for {world.city[self.city].name}."),
            Fact("dollars", f"The new price alert is for prices below ${self.dollars}."),
            Fact("channel", f"The new price alert is sent by {CHANNEL_NAMES[self.channel].lower()}."),
        )

    def holds(self, fact: str, end: End) -> bool:
        """Judged by the newest alert, if it was set in this session."""
        return self._holds(fact, end.state)

    def _holds(self, fact: str, state: State) -> bool:
        alerts = [alert for alert in state.alerts if alert.id > 1]
        return bool(alerts) and getattr(alerts[-1], fact) == getattr(self, fact)

    def next(self, view: View) -> Intent | None:
        """Fill in the form on the page of alerts."""
        if all(self._holds(fact.name, view.state) for fact in self.facts(view.world)):
            return None
        if view.path != "/alerts":
            return ways.go(view, "/alerts")
        return (
            place(view, "city", self.city)
            or controls.write(view, "dollars", str(self.dollars))
            or controls.choose(view, "channel", self.channel)
            or view.tap("submit:alert")
        )

    def spoil(self, fact: str, world: World) -> SetAlert:
        """Another city, price or channel."""
        match fact:
            case "city":
                cities = world.stay_cities or world.cities
                return replace(self, city=next(city.id for city in cities if city.id != self.city))
            case "dollars":
                return replace(self, dollars=self.dollars + 10)
            case _:
                return replace(self, channel="app" if self.channel != "app" else "text")

    def clauses(self, world: World) -> tuple[str, ...]:
        """City, price and channel."""
        noun = "hotels in" if world.has_stays else f"{world.mode.many} to"
        where, channel = f"{noun} {world.city[self.city].name}", CHANNEL_NAMES[self.channel].lower()
        return (
            f"set a price alert for {where} below ${self.dollars}, sent by {channel}",
            f"create an alert that tells me by {channel} when {where} cost less than ${self.dollars}",
            f"set up a price alert: {where}, ${self.dollars}, by {channel}",
            f"have the site notify me by {channel} as soon as {where} fall under ${self.dollars}",
        )


SECTION_OF = {
    "name": "profile", "phone": "profile", "language": "preferences", "currency": "preferences", "home": "preferences",
    "newsletter": "messages", "price_drops": "messages", "reminders": "messages", "loyalty": "loyalty",
    "meal": "loyalty",
}  # fmt: skip
_CHOICES = {
    "language": dict(words.LANGUAGES),
    "currency": dict(words.CURRENCIES),
    "newsletter": dict(words.NEWSLETTERS),
    "meal": dict(words.MEALS),
}
_TOGGLES = {"price_drops": "e-mails about price drops", "reminders": "the text message before each trip"}


class SetSettings(Goal, frozen=True):
    """Change settings of the account: names of settings with their values, `on` or `off` for switches."""

    values: tuple[tuple[str, str], ...]

    def facts(self, world: World) -> tuple[Fact, ...]:
        """One for each setting."""
        return tuple(
            Fact(name, f"In the account settings, {self._said(world, name, value)}.") for name, value in self.values
        )

    def _said(self, world: World, name: str, value: str) -> str:
        if name in _TOGGLES:
            return (
                f"{_TOGGLES[name]} are switched {value}"
                if name == "price_drops"
                else f"{_TOGGLES[name]} is switched {value}"
            )
        return f"{_label(world, name)} is {_shown(world, name, value)}"

    def holds(self, fact: str, end: End) -> bool:
        """As the settings are now."""
        return _is_set(end.state, fact, dict(self.values)[fact])

    def next(self, view: View) -> Intent | None:
        """Open the account page, set what is wrong, save that part."""
        state: State = view.state
        wrong = next((name for name, value in self.values if not _is_set(state, name, value)), None)
        if wrong is None:
            return None
        section = SECTION_OF[wrong]
        if not view.path.startswith("/account") or view.find(f"submit:{section}") is None:
            return (
                ways.go(view, "/account")
                if not view.path.startswith("/account")
                else ways.go(view, f"/account/{section}")
            )
        for name, value in self.values:
            if SECTION_OF[name] == section and (step := _operate(view, name, value)):
                return step
        return _valid(view, section) or view.tap(f"submit:{section}")

    def spoil(self, fact: str, world: World) -> SetSettings:
        """One setting gets another value; a switch stays as it is."""
        other = {"name": "Jo Nobody", "phone": "+44 555 000 1111", "loyalty": "10000001"}.get(fact, "")
        old = str(getattr(start(world).settings, fact))
        now = dict(self.values)[fact]
        if fact in _CHOICES:
            other = next(key for key in _CHOICES[fact] if key not in (now, old))
        elif fact == "home":
            other = next(city.id for city in world.cities if city.id not in (now, old))
        elif fact in _TOGGLES:
            other = "off" if now == "on" else "on"
        return SetSettings(tuple((name, other if name == fact else value) for name, value in self.values))

    def clauses(self, world: World) -> tuple[str, ...]:
        """Each setting with its value."""
        wishes = and_join([_wish(world, name, value) for name, value in self.values])
        return (
            f"in my account settings, {wishes}",
            f"go to my account and {wishes}",
            f"update my account: {wishes}",
            f"change my settings as follows: {wishes}",
        )


def _wish(world: World, name: str, value: str) -> str:
    if name in _TOGGLES:
        return f"switch {_TOGGLES[name]} {value}"
    return f"set {_label(world, name)} to {_shown(world, name, value)}"


def _label(world: World, name: str) -> str:
    stop = world.mode.stop if world.has_trips else "city"
    labels = {
        "name": "my name",
        "phone": "my phone number",
        "home": f"the home {stop}",
        "loyalty": f"the {world.loyalty} member number",
        "meal": "the meal preference",
    }
    return labels.get(name, f"the {name}")


def _shown(world: World, name: str, value: str) -> str:
    if name in _CHOICES:
        return _CHOICES[name][value].lower() if name == "newsletter" else _CHOICES[name][value]
    return world.city[value].name if name == "home" else value


def _is_set(state: State, name: str, value: str) -> bool:
    now: object = getattr(state.settings, name)
    return ("on" if now else "off") == value if isinstance(now, bool) else now == value


def _operate(view: View, name: str, value: str) -> Intent | None:
    if name in _TOGGLES:
        return controls.switch(view, name, on=value == "on")
    return controls.choose(view, name, value) or controls.write(view, name, value)


def _valid(view: View, section: str) -> Intent | None:
    """Back to what is saved where something else in the same part would not be accepted."""
    state: State = view.state
    accepted: dict[str, Callable[[str], bool]] = {
        "name": lambda text: " " in text.strip(),
        "phone": lambda text: sum(letter.isdigit() for letter in text) >= 6,
        "loyalty": lambda text: not text or (len(text) == 8 and text.isdecimal()),
    }
    for name, accepts in accepted.items():
        field = view.find(f"field:{name}")
        if SECTION_OF[name] == section and field is not None and not accepts(field.value):
            return controls.write(view, name, getattr(state.settings, name))
    return None
