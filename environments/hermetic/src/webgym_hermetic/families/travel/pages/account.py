"""Settings of the account and price alerts."""

from __future__ import annotations

from collections.abc import Mapping

from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.events import CHANNEL_NAMES, CHANNELS
from webgym_hermetic.families.travel.family import FAMILY
from webgym_hermetic.families.travel.finding import cities_like
from webgym_hermetic.families.travel.state import State
from webgym_hermetic.families.travel.world import World
from webgym_hermetic.family import Event, Go, Missing, Page, Reply, Scalar, Visit

SECTIONS = (
    ("profile", "Profile", "user", ("name", "phone")),
    ("preferences", "Preferences", "globe", ("language", "currency", "home")),
    ("messages", "Messages", "mail", ("newsletter", "price_drops", "reminders")),
    ("loyalty", "Loyalty", "award", ("loyalty", "meal")),
)
"""Id, title, icon and settings of each part of the account page."""
_TOGGLES = ("price_drops", "reminders")


@FAMILY.get("/account")
def account(visit: Visit) -> Reply:
    """All settings, or the first part of them."""
    return _account(visit, "", {}, {})


@FAMILY.get("/account/{section}")
def account_section(visit: Visit, section: str) -> Reply:
    """One part of the settings."""
    if section not in {key for key, *_ in SECTIONS}:
        return Missing()
    return _account(visit, section, {}, {})


@FAMILY.post("/account/{section}")
def change(visit: Visit, section: str) -> Reply:
    """Save one part of the settings."""
    names = {key: fields for key, _, _, fields in SECTIONS}.get(section)
    if names is None:
        return Missing()
    args: dict[str, Scalar | list[Scalar]] = {}
    for name in names:
        value = visit.form.get(name, "").strip()
        args[name] = value == "on" if name in _TOGGLES else value
    errors = _errors(visit.world, args)
    if errors:
        return _account(visit, section, visit.form, errors)
    to = f"/account/{section}" if visit.site.structure == "timetable" else "/account"
    return Go(to, (Event("set", args),), "Settings saved")


def _errors(world: World, args: Mapping[str, object]) -> dict[str, str]:
    errors: dict[str, str] = {}
    loyalty = str(args.get("loyalty", ""))
    if "name" in args and " " not in str(args["name"]):
        errors["name"] = "Enter first and last name."
    if "phone" in args and sum(letter.isdigit() for letter in str(args["phone"])) < 6:
        errors["phone"] = "Enter a phone number."
    if loyalty and (len(loyalty) != 8 or not loyalty.isdecimal()):
        errors["loyalty"] = "A member number has 8 digits."
    for name, options in _OPTIONS.items():
        if name in args and args[name] not in dict(options):
            errors[name] = "Choose one of these."
    if "home" in args and args["home"] not in world.city:
        errors["home"] = "Choose a city."
    return errors


_OPTIONS = {
    "language": words.LANGUAGES,
    "currency": words.CURRENCIES,
    "newsletter": words.NEWSLETTERS,
    "meal": words.MEALS,
}


def _account(visit: Visit, section: str, form: Mapping[str, str], errors: Mapping[str, str]) -> Reply:
    world: World = visit.world
    state: State = visit.state
    names = {key: fields for key, _, _, fields in SECTIONS}
    settings = {name: getattr(state.settings, name) for name in state.settings.__struct_fields__}
    typed = {name: form.get(name, "") for name in names.get(section, ())} if form else {}
    context = {
        "sections": SECTIONS,
        "section": section or "profile",
        "values": {**settings, **typed},
        "errors": errors,
        "options": {**_OPTIONS, "home": tuple((city.id, city.name) for city in world.cities)},
    }
    return Page("account.html", "Account settings", context)


@FAMILY.get("/alerts")
def alerts(visit: Visit) -> Reply:
    """Price alerts and a form for a new one."""
    return _alerts(visit, {}, {})


@FAMILY.post("/alerts")
def set_alert(visit: Visit) -> Reply:
    """Set a price alert."""
    world: World = visit.world
    form = visit.form
    cities = cities_like(world, form.get("city", ""), stays=world.has_stays)
    price, channel = form.get("dollars", "").strip().removeprefix("$"), form.get("channel", "")
    errors: dict[str, str] = {}
    if len(cities) != 1:
        errors["city"] = (
            "Choose a city." if not cities else f"Which one: {', '.join(city.name for city in cities[:3])}?"
        )
    if not (price.isascii() and price.isdecimal() and 1 <= int(price) <= 9999):
        errors["dollars"] = "Enter a price in whole dollars."
    if channel not in CHANNEL_NAMES:
        errors["channel"] = "Choose how we tell you."
    if errors:
        return _alerts(visit, form, errors)
    args: dict[str, Scalar | list[Scalar]] = {"city": cities[0].id, "dollars": int(price), "channel": channel}
    return Go("/alerts", (Event("alerted", args),), "Price alert set")


@FAMILY.post("/alerts/{key}/remove")
def remove_alert(visit: Visit, key: str) -> Reply:
    """Remove a price alert."""
    state: State = visit.state
    if key not in {str(alert.id) for alert in state.alerts}:
        return Missing()
    return Go("/alerts", (Event("unalerted", {"id": int(key)}),), "Price alert removed")


def _alerts(visit: Visit, form: Mapping[str, str], errors: Mapping[str, str]) -> Reply:
    world: World = visit.world
    state: State = visit.state
    city = world.city.get(form.get("city", ""))
    context = {
        "alerts": [(alert, world.city[alert.city], CHANNEL_NAMES[alert.channel]) for alert in state.alerts],
        "form": form,
        "city_text": city.name if city else form.get("city", ""),
        "errors": errors,
        "cities": tuple((city.id, city.name) for city in (world.stay_cities or world.cities)),
        "channels": CHANNELS,
        "noun": "hotels in" if world.has_stays else f"{world.mode.many} to",
    }
    return Page("alerts.html", "Price alerts", context)
