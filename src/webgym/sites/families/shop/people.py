"""Names of people and places."""

from __future__ import annotations

from webgym.rng import Rng
from webgym.sites.families.shop.records import Address

FIRST = (
    "Anna", "Ben", "Clara", "David", "Elena", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Kira", "Liam", "Maya",
    "Nora", "Oscar", "Paula", "Quentin", "Rosa", "Samuel", "Tessa", "Ulrich", "Vera", "Wesley", "Yara", "Zoe", "Amir",
    "Beatriz", "Caleb", "Dora", "Emil", "Farah", "Gavin", "Hana", "Ivan", "Jolie", "Kofi", "Lena", "Marco", "Nadia",
    "Owen",
)  # fmt: skip
LAST = (
    "Abbott", "Bergman", "Castillo", "Dalton", "Eriksen", "Fletcher", "Gruber", "Hartley", "Ibsen", "Jansen", "Keller",
    "Lindgren", "Moreau", "Novak", "Okafor", "Pereira", "Quinn", "Rossi", "Schmidt", "Tanaka", "Underwood", "Vargas",
    "Weber", "Yilmaz", "Zimmer", "Ashby", "Barlow", "Conte", "Doyle", "Esposito",
)  # fmt: skip
STREETS = (
    "Maple Street", "Harbour Road", "Station Lane", "Orchard Avenue", "Mill Road", "Castle Street", "Linden Way",
    "Church Lane", "Garden Row", "Bridge Street", "Park Avenue", "Victoria Road", "Hill Street", "Weaver Lane",
    "Quarry Road", "Rose Terrace", "Market Street", "Canal Walk", "Elm Grove", "Foundry Lane",
)  # fmt: skip
CITIES = (
    "Ashford", "Brenton", "Calverley", "Dunmore", "Eastleigh", "Fairview", "Glenford", "Hartwell", "Kingsbridge",
    "Lakeside", "Milford", "Northgate", "Oakdale", "Penrose", "Riverton", "Stanton", "Thornbury", "Westbrook",
)  # fmt: skip
AREAS = (
    "Old Town", "Harbour Gate", "Riverside", "Station Square", "Northfield", "Market Hall", "Castle Quarter",
    "Westend", "University", "Canal Yard", "Southbank", "Mill Park",
)  # fmt: skip


def person(rng: Rng) -> str:
    return f"{rng.pick(FIRST)} {rng.pick(LAST)}"


def phone(rng: Rng) -> str:
    return f"555-{rng.between(201, 989)}-{rng.between(1000, 9899)}"


def street(rng: Rng) -> str:
    return f"{rng.between(2, 189)} {rng.pick(STREETS)}"


def address(rng: Rng, recipient: str = "") -> Address:
    return Address(recipient or person(rng), street(rng), rng.pick(CITIES), str(rng.between(10200, 98900)))
