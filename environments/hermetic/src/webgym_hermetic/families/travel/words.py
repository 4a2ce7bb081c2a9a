"""Words of the trade: what hotels, rooms, fares and travellers are called."""

from __future__ import annotations

from functools import cache

from webgym.rng import Rng
from webgym_hermetic.kit.data import Table, read_table


class TravelWords(Table, frozen=True):
    """Names of hotels and travellers, and what is written about hotels."""

    hotel_stems: tuple[str, ...]
    hotel_shapes: tuple[str, ...]
    chains: tuple[str, ...]
    hotel_blurbs: tuple[str, ...]
    first_names: tuple[str, ...]
    last_names: tuple[str, ...]
    mail_hosts: tuple[str, ...]
    review_titles: tuple[str, ...]
    review_lines: tuple[str, ...]


@cache
def travel_words() -> TravelWords:
    return read_table(__name__, TravelWords)


RoomWords = tuple[str, str, int, str, tuple[int, int], int]
AMENITIES = (
    ("wifi", "Free Wi-Fi", "wifi"),
    ("pool", "Swimming pool", "pool"),
    ("parking", "Parking", "parking"),
    ("spa", "Spa", "sparkles"),
    ("gym", "Gym", "dumbbell"),
    ("pets", "Pets allowed", "paw-print"),
    ("restaurant", "Restaurant", "restaurant"),
    ("air", "Air conditioning", "snowflake"),
    ("kitchen", "Kitchenette", "coffee"),
    ("shuttle", "Airport shuttle", "bus"),
)
ROOMS: tuple[RoomWords, ...] = (
    ("single", "Single Room", 1, "1 single bed", (12, 18), 78),
    ("double", "Double Room", 2, "1 double bed", (18, 26), 100),
    ("twin", "Twin Room", 2, "2 single beds", (18, 26), 104),
    ("superior", "Superior Double Room", 2, "1 king bed", (24, 32), 131),
    ("triple", "Triple Room", 3, "1 double and 1 single bed", (26, 34), 138),
    ("family", "Family Room", 4, "1 double and 2 single beds", (32, 44), 167),
    ("suite", "Junior Suite", 3, "1 king bed and 1 sofa bed", (36, 52), 214),
)
"""Kind, name, how many it sleeps, beds, size in square metres, price against a double room in percent."""
RATES = (
    ("saver", "Room only", "Non-refundable", 90),
    ("flex", "Room only", "Free cancellation until 2 days before arrival", 100),
    ("breakfast", "Breakfast included", "Free cancellation until 2 days before arrival", 114),
    ("half", "Half board", "Free cancellation until 5 days before arrival", 138),
)
"""Kind, board, cancellation, price in percent."""
STAY_EXTRAS = (
    ("parking", "Parking space", 1500),
    ("transfer", "Airport transfer", 3200),
    ("insurance", "Cancellation insurance", 1900),
    ("late", "Late check-out (2 pm)", 2500),
    ("cot", "Baby cot", 800),
)
TRIP_EXTRAS = (
    ("insurance", "Travel insurance", 1400),
    ("priority", "Priority boarding", 900),
    ("transfer", "Transfer to the city centre", 1800),
    ("sms", "Text message updates", 200),
)
ARRIVALS = (
    ("", "I do not know yet"),
    ("14-16", "2 pm to 4 pm"),
    ("16-18", "4 pm to 6 pm"),
    ("18-20", "6 pm to 8 pm"),
    ("20-22", "8 pm to 10 pm"),
    ("late", "After 10 pm"),
)
SEATS = (("", "No preference"), ("window", "Window seat"), ("aisle", "Aisle seat"), ("table", "Extra legroom"))
PAYMENTS = (
    ("card", "Visa card ending in {card}"),
    ("debit", "Debit card ending in {debit}"),
    ("wallet", "QuickPay wallet"),
    ("transfer", "Bank transfer"),
)


PARTIES = ("Couple", "Family", "Solo traveller", "Group of friends", "Business traveller")

TOPICS = (
    ("booking", "An existing booking"),
    ("refund", "Refund"),
    ("luggage", "Luggage"),
    ("access", "Accessibility"),
    ("group", "Group travel"),
    ("press", "Press and partners"),
)
LANGUAGES = (("en", "English"), ("de", "German"), ("es", "Spanish"), ("fr", "French"), ("pt", "Portuguese"))
CURRENCIES = (("usd", "US dollar"), ("eur", "Euro"), ("gbp", "Pound sterling"), ("jpy", "Japanese yen"))
NEWSLETTERS = (("never", "Never"), ("weekly", "Once a week"), ("monthly", "Once a month"))
MEALS = (("", "No preference"), ("vegetarian", "Vegetarian"), ("vegan", "Vegan"), ("gluten", "Gluten free"))
ROOM_NAMES = {kind: name for kind, name, *_ in ROOMS}
ROOM_SLEEPS = {kind: sleeps for kind, _, sleeps, *_ in ROOMS}
ROOM_BEDS = {kind: beds for kind, _, _, beds, *_ in ROOMS}
RATE_BOARDS = {kind: board for kind, board, _, _ in RATES}
RATE_POLICIES = {kind: policy for kind, _, policy, _ in RATES}
AMENITY_NAMES = {key: name for key, name, _ in AMENITIES}


def phone(rng: Rng) -> str:
    """A number that nobody has."""
    return f"+{rng.pick((31, 33, 34, 39, 41, 44, 47, 49))} 555 {rng.between(100, 999)} {rng.between(1000, 9999)}"


def slug(name: str) -> str:
    """A name as it stands in an address."""
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower()).strip("-")
