"""Changing the account's settings."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic import controls
from webgym_hermetic.families.shop.goals.said import listed, quoted
from webgym_hermetic.families.shop.goals.steps import tap, walk
from webgym_hermetic.families.shop.records import World
from webgym_hermetic.families.shop.state import ADDRESS, CURRENCIES, LANGUAGES, Settings, State, start
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View

NOTIFICATIONS, PREFERENCES, ADDRESS_PAGE = "/account/notifications", "/account/preferences", "/account/address"
SWITCHES = {
    "offers": (NOTIFICATIONS, "offers and news by email"),
    "sms": (NOTIFICATIONS, "delivery updates by text message"),
    "restock": (NOTIFICATIONS, "messages about wishlist items back in stock"),
    "feedback": (NOTIFICATIONS, "requests for a review after each order"),
    "paperless": (PREFERENCES, "invoices by email only"),
}
CHOICES = {
    "digest": (NOTIFICATIONS, "the summary of new products"),
    "currency": (PREFERENCES, "the currency on invoices"),
    "language": (PREFERENCES, "the language of emails"),
    "store": (PREFERENCES, "my store"),
}
_PLACES = {"recipient": "the name", "street": "the street", "city": "the town", "postcode": "the postcode"}
_NAMES = {
    "never": "Never", "weekly": "Every week", "monthly": "Every month", "USD": "US dollar", "EUR": "Euro",
    "GBP": "Pound sterling", "CAD": "Canadian dollar", **dict(LANGUAGES),
}  # fmt: skip


class ChangeSettings(Goal, frozen=True):
    """Have these settings so; the others as they may be."""

    wanted: tuple[tuple[str, str], ...]
    """Name and value; `on` or `off` for switches."""

    def facts(self, world: World) -> tuple[Fact, ...]:
        return tuple(Fact(name, f"The account has {_told(world, name, value)}.") for name, value in self.wanted)

    def holds(self, fact: str, end: End) -> bool:
        state: State = end.state
        return value_of(state.settings, fact) == dict(self.wanted)[fact]

    def next(self, view: View) -> Intent | None:
        state: State = view.state
        wrong = [name for name, value in self.wanted if value_of(state.settings, name) != value]
        if not wrong:
            return None
        page = _page(wrong[0])
        if view.path != page:
            return walk(view, "/account", page)
        return self._fill(view, page) or tap(view, f"submit:{page.rpartition('/')[2]}") or walk(view, "/account")

    def spoil(self, fact: str, world: World) -> ChangeSettings:
        del world
        return ChangeSettings(tuple((name, value) for name, value in self.wanted if name != fact))

    def clauses(self, world: World) -> tuple[str, ...]:
        on = [SWITCHES[name][1] for name, value in self.wanted if value == "on"]
        off = [SWITCHES[name][1] for name, value in self.wanted if value == "off"]
        turned = [f"turn on {listed(on)}"] if on else []
        turned += [f"turn off {listed(off)}"] if off else []
        chosen = [(CHOICES[name][1], _named(world, name, value)) for name, value in self.wanted if name in CHOICES]
        placed = [(_PLACES[name], value) for name, value in self.wanted if name in ADDRESS]
        sets = [f"set {label} to {quoted(value)}" for label, value in chosen]
        sets += [f"change {label} of my address to {quoted(value)}" for label, value in placed]
        other = [f"choose {quoted(value)} for {label}" for label, value in chosen]
        other += [f"enter {quoted(value)} as {label} of my address" for label, value in placed]
        first, second = listed([*turned, *sets]), listed([*other, *turned])
        return (
            f"{first} in the account settings",
            f"in my account, {second}",
            f"go to the account and {first}",
            f"update my account settings: {second}",
        )

    def _fill(self, view: View, page: str) -> Intent | None:
        state: State = view.state
        wanted = dict(self.wanted)
        if page == ADDRESS_PAGE:
            fields = {name: wanted.get(name, value_of(state.settings, name)) for name in ADDRESS}
            return next((step for name, value in fields.items() if (step := controls.write(view, name, value))), None)
        for name, value in self.wanted:
            if _page(name) == page:
                switch = name in SWITCHES
                step = controls.switch(view, name, on=value == "on") if switch else controls.choose(view, name, value)
                if step:
                    return step
        return None


def draw_settings(rng: Rng, world: World, count: int) -> ChangeSettings:
    """So many settings that are not so yet."""
    now = start(world).settings
    names = rng.sample((*SWITCHES, *CHOICES), count)
    options = {
        "digest": ("never", "weekly", "monthly"),
        "currency": CURRENCIES,
        "language": tuple(key for key, _ in LANGUAGES),
        "store": tuple(store.slug for store in world.stores),
    }
    wanted: list[tuple[str, str]] = []
    for name in names:
        current = value_of(now, name)
        values = ("on", "off") if name in SWITCHES else options[name]
        wanted.append((name, rng.pick([value for value in values if value != current])))
    return ChangeSettings(tuple(wanted))


def value_of(settings: Settings, name: str) -> str:
    """A setting as text."""
    value = getattr(settings.address if name in ADDRESS else settings, name)
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _page(name: str) -> str:
    return ADDRESS_PAGE if name in ADDRESS else (SWITCHES.get(name) or CHOICES[name])[0]


def _named(world: World, name: str, value: str) -> str:
    return next(one.name for one in world.stores if one.slug == value) if name == "store" else _NAMES[value]


def _told(world: World, name: str, value: str) -> str:
    if name in SWITCHES:
        return f"{SWITCHES[name][1]} switched {value}"
    if name in CHOICES:
        return f"{CHOICES[name][1]} set to {_named(world, name, value)}"
    return f"{_PLACES[name]} of the address set to {value}"
