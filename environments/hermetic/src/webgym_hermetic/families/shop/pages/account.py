"""The visitor's account."""

from __future__ import annotations

from webgym_hermetic.families.shop.family import FAMILY
from webgym_hermetic.families.shop.state import ADDRESS, CURRENCIES, DIGESTS, LANGUAGES
from webgym_hermetic.family import Event, Go, Page, Reply, Visit

SWITCHES = (
    ("offers", "Offers and news by email", "About twice a month"),
    ("sms", "Delivery updates by text message", "On the day of delivery"),
    ("restock", "Tell me when wishlist items are back in stock", ""),
    ("feedback", "Ask me for a review after each order", ""),
)
DIGEST_LABELS = tuple(zip(DIGESTS, ("Never", "Every week", "Every month"), strict=True))
CURRENCY_LABELS = tuple(zip(CURRENCIES, ("US dollar", "Euro", "Pound sterling", "Canadian dollar"), strict=True))


@FAMILY.get("/account")
def account(visit: Visit) -> Reply:
    del visit
    return Page("account.html", "Your account")


@FAMILY.get("/account/notifications")
def notifications(visit: Visit) -> Reply:
    del visit
    return Page("notifications.html", "Notifications", {"switches": SWITCHES, "digests": DIGEST_LABELS})


@FAMILY.post("/account/notifications")
def save_notifications(visit: Visit) -> Reply:
    changes: dict[str, str | bool] = {name: visit.form.get(name) == "on" for name, _, _ in SWITCHES}
    digest = visit.form.get("digest", "")
    if digest in DIGESTS:
        changes["digest"] = digest
    return Go("/account/notifications", (Event("settings", {**changes}),), "Your notifications are saved")


@FAMILY.get("/account/preferences")
def preferences(visit: Visit) -> Reply:
    stores = tuple((store.slug, store.name) for store in visit.world.stores)
    context = {"currencies": CURRENCY_LABELS, "languages": LANGUAGES, "stores": stores}
    return Page("preferences.html", "Preferences", context)


@FAMILY.post("/account/preferences")
def save_preferences(visit: Visit) -> Reply:
    allowed = {
        "currency": CURRENCIES,
        "language": tuple(key for key, _ in LANGUAGES),
        "store": tuple(store.slug for store in visit.world.stores),
    }
    changes: dict[str, str | bool] = {
        name: visit.form[name] for name, known in allowed.items() if visit.form.get(name, "") in known
    }
    changes["paperless"] = visit.form.get("paperless") == "on"
    return Go("/account/preferences", (Event("settings", {**changes}),), "Your preferences are saved")


@FAMILY.get("/account/address")
def address(visit: Visit) -> Reply:
    return Page("address.html", "Your address", {"values": _address(visit), "errors": {}})


@FAMILY.post("/account/address")
def save_address(visit: Visit) -> Reply:
    values = {name: visit.form.get(name, "").strip() for name in ADDRESS}
    errors: dict[str, str] = {name: "Please fill this in" for name in ADDRESS if not values[name]}
    if values["street"] and not any(letter.isdigit() for letter in values["street"]):
        errors["street"] = "Please enter street and number"
    if values["postcode"] and (len(values["postcode"]) != 5 or not values["postcode"].isdecimal()):
        errors["postcode"] = "Postcodes have 5 digits"
    if errors:
        return Page("address.html", "Your address", {"values": values, "errors": errors})
    return Go("/account/address", (Event("settings", {**values}),), "Your address is saved")


def _address(visit: Visit) -> dict[str, str]:
    return {name: getattr(visit.state.settings.address, name) for name in ADDRESS}
